/** Kills the leader in the middle of a job, and times the next election. */
import type { Job } from '../../jobs/types.ts'
import { shortId, span } from '../format.ts'
import { paint, say } from '../output.ts'
import type { LocalCluster } from './local-cluster.ts'
import type { PeerView } from './peer-process.ts'

/** What was done. */
export interface Killing {
  peer: PeerView
}

export interface Assassination {
  /** Resolves when the others agree on the next leader; undefined: the job was over before anybody was killed. */
  done: Promise<Killing | undefined>
  /** Rejects when the others do not agree on a next leader. Never resolves. */
  failed: Promise<never>
}

/** How long the next election may take, in ms. */
const ELECTION_MS = 20_000
/** While a job does not yet know how many chunks it has, its leader is killed this long after the first was folded, in ms. */
const UNKNOWN_TOTAL_MS = 3_000

/** Resolves true when it is time to kill, false when the job ended before. */
function moment(job: Job, killAt: number): Promise<boolean> {
  if (killAt === 0) return Promise.resolve(true)
  return new Promise(resolve => {
    let firstAt: number | undefined
    job.addEventListener('progress', ({ detail: { done, total } }) => {
      if (done === 0) return
      firstAt ??= performance.now()
      const late = total === undefined ? performance.now() - firstAt > UNKNOWN_TOTAL_MS : done >= killAt * total
      // At the last chunk there is no job left to hand on.
      if (late && done !== total) resolve(true)
    })
    const ended = (): void => resolve(false)
    job.result().then(ended, ended)
  })
}

/**
 * @param options.killAt - done chunks out of all at which the leader dies; 0: at once
 * @param options.signal - ends the wait for the election
 */
export function assassinate(
  cluster: LocalCluster,
  job: Job,
  options: { killAt: number; signal: AbortSignal }
): Assassination {
  const kill = async (): Promise<Killing | undefined> => {
    if (!(await moment(job, options.killAt))) return undefined
    const leader = cluster.agreed()
    if (leader === undefined) return undefined
    const { peer, epoch } = leader
    const { done, total } = job.progress
    const share = total ? ` at ${Math.floor((100 * done) / total)}%` : ' right away'
    const killedAt = performance.now()
    cluster.kill(peer)
    say(paint('red', `  kill -9 of the leader, peer ${peer.number} (${shortId(peer.id)}),${share}`))
    const next = () => {
      const agreed = cluster.agreed()
      return agreed !== undefined && agreed.epoch > epoch && agreed.peer !== peer
    }
    await cluster.until(next, 'the others agree on the next leader', { ms: ELECTION_MS, signal: options.signal })
    say(
      `  the others agree on peer ${cluster.agreed()!.peer.number} ${span(performance.now() - killedAt)} after the kill`
    )
    return { peer }
  }
  const done = kill()
  const failed = new Promise<never>((_, reject) => done.catch(reject))
  // Both are awaited later, or not at all when something else fails first.
  failed.catch(() => {})
  return { done, failed }
}
