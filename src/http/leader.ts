/** What the routes do that need a leader. */
import type { Peer } from '../api/types.ts'
import { NoClusterError } from '../common/errors.ts'

/** The time limit for the leader to answer, in ms. */
export const ANSWER_MS = 30_000

/** Throws if there is no leader. A peer waits for a leader without a limit, but a request must not wait so long. */
export async function checkLeader(peer: Pick<Peer, 'leader' | 'status'>, signal: AbortSignal): Promise<void> {
  if (peer.leader !== undefined) return
  const { noLeader } = await peer.status({ signal })
  if (noLeader !== undefined) throw new NoClusterError(`there is no leader: ${noLeader}`)
}

export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

/** Explains a timeout after ANSWER_MS. `what`: what no leader has done. */
export function late(error: unknown, what: string): unknown {
  if (!isTimeout(error)) return error
  return new NoClusterError(`no leader has ${what} within ${ANSWER_MS / 1_000} s: try again`, { cause: error })
}
