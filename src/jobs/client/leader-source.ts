/** How a submission finds the leader: from the election on a peer, from the attached peer's view on a client. */
import pDefer from 'p-defer'
import { orAborted } from '../../lib/abort.ts'
import type { AbortOptions, PeerIdString } from '../../network/types.ts'

/** The leadership that a submission follows. */
export interface FollowedLeader {
  id: PeerIdString
  epoch: number
}

export interface LeaderSource {
  /** The leader that this process knows. `undefined` if this process knows no leader. */
  leader(): FollowedLeader | undefined
  /** Calls `listener` after each change of the leader. Returns the function that unsubscribes `listener`. */
  subscribe(listener: () => void): () => void
}

export function sameLeader(a: FollowedLeader | undefined, b: FollowedLeader | undefined): boolean {
  return a?.id === b?.id && a?.epoch === b?.epoch
}

/** Resolves with the leader as soon as there is one. Rejects with the signal's reason. */
export async function waitForLeader(source: LeaderSource, { signal }: AbortOptions = {}): Promise<FollowedLeader> {
  const { promise, resolve } = pDefer<FollowedLeader>()
  const check = (): void => {
    const leader = source.leader()
    if (leader !== undefined) resolve(leader)
  }
  const unsubscribe = source.subscribe(check)
  try {
    check()
    return await orAborted(promise, signal)
  } finally {
    unsubscribe()
  }
}
