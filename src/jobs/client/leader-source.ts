/** How a submission finds the leader: from the election on a peer, from the attached peer's view on a client. */
import type { AbortOptions, PeerIdString } from '../../network/types.ts'

/** What a submission needs to know of a leadership. */
export interface FollowedLeader {
  id: PeerIdString
  epoch: number
}

export interface LeaderSource {
  /** The leader as far as this process knows; undefined: none now. */
  leader(): FollowedLeader | undefined
  /** Calls `listener` after each change; returns what ends that. */
  subscribe(listener: () => void): () => void
}

export function sameLeader(a: FollowedLeader | undefined, b: FollowedLeader | undefined): boolean {
  return a?.id === b?.id && a?.epoch === b?.epoch
}

/** The leader, as soon as there is one. Rejects with the signal's reason. */
export function waitForLeader(source: LeaderSource, { signal }: AbortOptions = {}): Promise<FollowedLeader> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason)
      return
    }
    const check = (): void => {
      const leader = source.leader()
      if (leader === undefined) return
      end()
      resolve(leader)
    }
    const abort = (): void => {
      end()
      reject(signal?.reason)
    }
    const end = (): void => {
      unsubscribe()
      signal?.removeEventListener('abort', abort)
    }
    const unsubscribe = source.subscribe(check)
    signal?.addEventListener('abort', abort, { once: true })
    check()
  })
}
