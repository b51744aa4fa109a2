/** Measures small jobs, one after the other, on peers that know the task: the time until the result, and the parts of this time. */
import type { Client } from '../../src/api/types.ts'
import { within } from '../recovery/clusters.ts'
import { median } from '../statistics.ts'
import { type Marks, marking, markPreparations, marksOf, now } from './marks.ts'
import { resultOf, taskFile, withTrio } from './trio.ts'

const CHUNKS = 10
const SQUARES = 285
/** The number of warm-up jobs. */
const WARM_UP = 20
/** The time limit of a job, in ms. */
const LIMIT = 10_000

export interface SmallJobs {
  /** The times from submission to result in ms, one for each job. */
  times: number[]
  /** The times from submission to result, in ms, of the jobs whose parts were recorded. */
  observed: number[]
  /** The times until `submit` resolved, for the recorded jobs. */
  accepted: number[]
  /** The parts of the time of the recorded jobs, in order. */
  parts: Part[]
}

export interface Part {
  what: string
  /** The times in ms, one for each job. */
  times: number[]
}

/**
 * The places that a job passes, each with the work since the previous place. The task records the places in its functions. marks.mjs and
 * marks.ts record the places in the shipped code.
 */
const PLACES = [
  ['bundled', 'client: bundles the task (esbuild)'],
  ['prepared', 'client: loads the bundle in a thread of its own, to see that it is a task'],
  ['received', 'client: hashes, encodes and sends; on its way to the leader'],
  ['accepted', 'leader: has the job kept by its standbys, accepts it (a thread for it starts meanwhile)'],
  ['split', 'leader: the rest of that thread’s start, loads the task'],
  ['given', 'leader: splits, gives chunks out; on their way to the first worker'],
  ['firstRan', 'worker: gives the first chunk to its thread'],
  ['lastRan', 'workers: until the last chunk has begun'],
  ['folded', 'workers: send the partials; leader: folds until the last one'],
  ['finished', 'leader: sees that all is folded, asks the thread to finish'],
  ['ended', 'leader: has the result from the thread'],
  ['told', 'leader: has the outcome kept by its standbys'],
  ['result', 'leader: sends the outcome; client: decodes it']
] as const

export async function smallJobs(count: number): Promise<SmallJobs> {
  const times = await withTrio(async client => {
    const run = async (): Promise<number> => {
      const began = performance.now()
      const sum = await resultOf<number>(client, taskFile('ten'), { n: CHUNKS })
      const took = performance.now() - began
      if (sum !== SQUARES) throw new Error(`the result of a small job is ${sum}`)
      return took
    }
    for (let i = 0; i < WARM_UP; i++) await run()
    return await repeat(count, run)
  })
  const preparations = await markPreparations()
  const jobs = await withTrio(async (client, cluster) => {
    const run = (): Promise<Seen> => seen(client, () => preparations.take())
    for (let i = 0; i < WARM_UP; i++) await run()
    const all = await repeat(count, run)
    const marks = await marksOf(cluster)
    return all.map(job => ({ ...job, marks: new Map([...job.marks, ...(marks.get(job.id) ?? [])]) }))
  }, marking())
  return {
    times,
    observed: jobs.map(({ marks, began }) => marks.get('result')! - began),
    accepted: jobs.map(({ accepted, began }) => accepted - began),
    parts: partsOf(jobs)
  }
}

interface Seen {
  id: string
  began: number
  accepted: number
  marks: Marks
}

async function seen(client: Client, preparations: () => Marks): Promise<Seen> {
  const began = now()
  await using job = await client.submit<unknown, Record<string, number>>(taskFile('timeline'), { n: CHUNKS })
  const accepted = now()
  const told = await within(LIMIT, 'the result', job.result())
  const result = now()
  return {
    id: job.id,
    began,
    accepted,
    marks: new Map([...preparations(), ...Object.entries(told), ['result', result]])
  }
}

/** Computes the parts of the time. If a place was not recorded, its part is included in the part of the next place. */
function partsOf(jobs: readonly Seen[]): Part[] {
  const parts: Part[] = []
  let names: string[] = []
  let before = jobs.map(({ began }) => began)
  for (const [place, what] of PLACES) {
    names.push(what)
    const times = jobs.map(({ marks }) => marks.get(place))
    if (!times.every(time => time !== undefined)) continue
    parts.push({ what: names.join('; '), times: times.map((time, i) => time - before[i]!) })
    names = []
    before = times
  }
  return parts
}

async function repeat<T>(count: number, once: () => Promise<T>): Promise<T[]> {
  const all: T[] = []
  while (all.length < count) all.push(await once())
  return all
}

/** Returns the difference between the median of the total time and the sum of the medians of the parts. */
export function rest({ observed, parts }: SmallJobs): number {
  return median(observed) - parts.reduce((sum, { times }) => sum + median(times), 0)
}
