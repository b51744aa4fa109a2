/** Measures how many no-op chunks p2p-worker runs per second, compared with similar tasks of other systems. */
import { isInterrupted } from '../membership/resources.ts'
import { bullmqRate, bullmqVersion } from './bullmq.ts'
import { celeryRate } from './celery.ts'
import { daskRate } from './dask.ts'
import { ourRate } from './ours.ts'
import { piscinaRate } from './piscina.ts'
import { pythonWith } from './python.ts'
import { perSecond, type Rate } from './rate.ts'
import { redisVersion } from './redis.ts'

export interface NoOps {
  system: string
  /** The tasks per second, one figure for each run. */
  perSecond: number[]
  /** The reason why figures are missing. */
  problem: string | undefined
}

interface System {
  name: string
  /** The missing software. */
  missing?: string | undefined
  rate(): Promise<Rate>
}

/** The name of the row with which all other rows are compared. */
export const NUMBERS = 'p2p-worker, chunks that are numbers'

/** In each run, measures all systems one after the other. If a system fails, later runs omit this system. */
export async function noOps(runs: number, quick: boolean, tell: (run: number, found: NoOps) => void): Promise<NoOps[]> {
  const all = systems(quick).map(system => ({
    system,
    found: { system: system.name, perSecond: [] as number[], problem: system.missing } satisfies NoOps as NoOps
  }))
  for (let run = 1; run <= runs; run++) {
    for (const { system, found } of all) {
      if (found.problem !== undefined || isInterrupted()) continue
      try {
        found.perSecond.push(perSecond(await system.rate()))
      } catch (error) {
        found.problem = `**broke off**: ${String(error).split('\n')[0]}`
      }
      tell(run, found)
    }
  }
  return all.map(({ found }) => found)
}

function systems(quick: boolean): System[] {
  // The numbers of tasks are chosen so that a run takes some seconds.
  const few = (tasks: number): number => (quick ? tasks / 10 : tasks)
  const redis = redisVersion()
  const bullmq = bullmqVersion()
  const dask = pythonWith('distributed')
  const celery = pythonWith('celery', 'redis')
  return [
    { name: NUMBERS, rate: () => ourRate(few(3_000_000), 'no-op') },
    { name: 'p2p-worker, small objects, there and back', rate: () => ourRate(few(3_000_000), 'no-op-objects') },
    { name: 'piscina, 2 threads, 64 at a time each', rate: () => piscinaRate(few(500_000), 64) },
    { name: 'piscina, 2 threads, 1 at a time each', rate: () => piscinaRate(few(250_000), 1) },
    {
      name: `BullMQ ${bullmq ?? ''}, Redis ${redis ?? ''}, 2 processes, 100 at a time each`,
      missing: redis === undefined || bullmq === undefined ? 'bullmq or redis-server is not installed' : undefined,
      rate: () => bullmqRate(few(100_000))
    },
    {
      name: `Celery ${celery?.version ?? ''}, Redis, 2 processes`,
      missing: redis === undefined || celery === undefined ? 'celery or redis is not installed' : undefined,
      rate: () => celeryRate(celery!, few(10_000))
    },
    {
      name: `Dask.distributed ${dask?.version ?? ''}, 2 processes`,
      missing: dask === undefined ? 'distributed is not installed' : undefined,
      rate: () => daskRate(dask!, few(10_000))
    }
  ]
}
