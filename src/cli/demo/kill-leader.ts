/** Kills the leader while a job runs, and measures the time of the next election. */
import type { Job } from '../../jobs/shared/types.ts'
import { count, duration, percent, shortId } from '../../views/words.ts'
import { paint, say } from '../terminal/output.ts'
import type { LocalCluster } from './local-cluster.ts'
import type { PeerView } from './peer-process.ts'

export interface LeaderKill {
  /**
   * Resolves with the killed peer when the other peers agree on the next leader. Resolves with undefined when the job
   * ends before the kill.
   */
  done: Promise<PeerView | undefined>
  /** Rejects when the other peers do not agree on a next leader. Never resolves. */
  failed: Promise<never>
}

/** How long the next election may take, in ms. */
const ELECTION_MS = 20_000

/** The moment at which the leader is killed. */
interface Moment {
  /** The number of chunks of the job; undefined if the number is unknown before the split has ended. */
  chunks: number | undefined
  /** The share of done chunks at which the demo kills the leader. With 0, the demo kills the leader at once. */
  killAt: number
  /**
   * While the number of chunks is unknown, the demo kills the leader this long after the first chunk is folded, in ms.
   */
  killAfterMs: number
}

/** Resolves with true at the moment for the kill, or with false if the job ends before this moment. */
function momentOf(job: Job, { chunks, killAt, killAfterMs }: Moment): Promise<boolean> {
  if (killAt === 0) return Promise.resolve(true)
  return new Promise(resolve => {
    let firstAt: number | undefined
    job.addEventListener('progress', ({ detail: { done, total = chunks } }) => {
      if (done === 0) return
      firstAt ??= performance.now()
      const late = total === undefined ? performance.now() - firstAt > killAfterMs : done >= killAt * total
      // A kill after the last chunk would be useless, because no work is left to hand over.
      if (late && done !== total) resolve(true)
    })
    const ended = (): void => resolve(false)
    job.result().then(ended, ended)
  })
}

/** @param options.signal - ends the wait for the election */
export function killLeader(cluster: LocalCluster, job: Job, options: Moment & { signal: AbortSignal }): LeaderKill {
  const kill = async (): Promise<PeerView | undefined> => {
    if (!(await momentOf(job, options))) return undefined
    const leader = cluster.agreed()
    if (leader === undefined) return undefined
    const { peer, epoch } = leader
    const { done, total = options.chunks } = job.progress
    const when = total ? `at ${percent(done, total)}%` : `with ${count(done, 'chunk')} done`
    const killedAt = performance.now()
    cluster.kill(peer)
    say(paint('bad', `  kill -9 of the leader, peer ${peer.number} (${shortId(peer.id)}), ${when}`))
    const next = () => {
      const agreed = cluster.agreed()
      return agreed !== undefined && agreed.epoch > epoch && agreed.peer !== peer
    }
    await cluster.until(next, 'the others agree on the next leader', { ms: ELECTION_MS, signal: options.signal })
    say(
      `  the others agree on peer ${cluster.agreed()!.peer.number} ${duration(performance.now() - killedAt)} after the kill`
    )
    return peer
  }
  const done = kill()
  const failed = new Promise<never>((_, reject) => done.catch(reject))
  // The caller awaits both promises later, or never if another step fails first.
  failed.catch(() => {})
  return { done, failed }
}
