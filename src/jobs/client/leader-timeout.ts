import { NoClusterError } from '../../common/errors.ts'
import { signalAfter } from '../../lib/abort.ts'
import { type FollowedLeader, type LeaderSource, sameLeader, waitForLeader } from './leader-source.ts'

/** A client fails after this time (ms) without a leader, or without an answer of the same leader. */
export const NO_LEADER_MS = 10_000

/** Ends the calls to a leader that has not answered for NO_LEADER_MS. */
export class LeaderTimeout {
  #leader: FollowedLeader | undefined
  /** When the first failed call to this leader began, by `performance.now()`. */
  #since = 0

  /** Records that a call to the leader begins. */
  calls(leader: FollowedLeader): void {
    if (sameLeader(leader, this.#leader)) return
    this.#leader = leader
    this.#since = performance.now()
  }

  /** Records that the leader was reached. */
  reached(): void {
    this.#leader = undefined
  }

  /** Records that the call has failed. @throws NoClusterError when no call has succeeded for NO_LEADER_MS */
  failed(cause: unknown): void {
    if (this.#leader === undefined || performance.now() - this.#since < NO_LEADER_MS) return
    const message = `the leader ${this.#leader.id} has not answered for ${NO_LEADER_MS / 1_000} s: can this machine connect to it?`
    throw new NoClusterError(message, { cause })
  }
}

/** Resolves with the leader. @throws NoClusterError when there is none for NO_LEADER_MS, or the signal's reason */
export async function leaderInTime(source: LeaderSource, signal: AbortSignal): Promise<FollowedLeader> {
  const limit = signalAfter(NO_LEADER_MS)
  try {
    return await waitForLeader(source, { signal: AbortSignal.any([signal, limit]) })
  } catch (cause) {
    if (!limit.aborted || signal.aborted) throw cause
    const message = `the cluster has had no leader for ${NO_LEADER_MS / 1_000} s: is there a peer whose role is not worker?`
    throw new NoClusterError(message, { cause })
  }
}
