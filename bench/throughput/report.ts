/** What was measured, in words: the cells of the tables. */
import { median, quantile } from '../statistics.ts'
import type { CpuBound } from './cpu-bound.ts'
import type { Memory } from './memory.ts'
import { type NoOps, NUMBERS } from './no-op.ts'
import type { Sleepers } from './sleepers.ts'
import { rest, type SmallJobs } from './small-jobs.ts'

const whole = (value: number): string => Math.round(value).toLocaleString('en')
const range = (values: number[], show = whole): string => `${show(Math.min(...values))} to ${show(Math.max(...values))}`
const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`
const right = (is: boolean): string => (is ? 'right result' : '**wrong result**')

export function showNoOps(found: NoOps, all: readonly NoOps[]): string {
  const { perSecond, problem } = found
  if (perSecond.length === 0) return problem ?? '-'
  const ours = all.find(({ system }) => system === NUMBERS)!.perSecond
  const ratio = median(ours) / median(perSecond)
  const beside =
    found.system === NUMBERS || ours.length === 0 ? '' : `; p2p-worker with numbers ${ratio.toFixed(1)} times as many`
  return `${whole(median(perSecond))} a second (${range(perSecond)})${beside}${problem === undefined ? '' : `; ${problem}`}`
}

export function showSmallJobs({ times }: SmallJobs): string {
  return `median ${ms(median(times))}, p99 ${ms(quantile(times, 0.99))}, least ${ms(Math.min(...times))}`
}

/** Rows of a table of their own: what, median, p99. */
export function partsOfSmallJobs(found: SmallJobs): string[][] {
  const row = (what: string, times: number[]): string[] => [
    what,
    median(times).toFixed(2),
    quantile(times, 0.99).toFixed(2)
  ]
  return [
    ...found.parts.map(({ what, times }) => row(what, times)),
    ['what the medians of the parts leave of the whole', rest(found).toFixed(2), ''],
    row('from submission to result', found.observed),
    row('from submission until `submit` resolves', found.accepted)
  ]
}

export function showCpuBound({ chunks, loop, threads, job, right: isRight }: CpuBound): string {
  const gains = loop.map((took, run) => took / job[run]!)
  const bare = loop.map((took, run) => took / threads[run]!)
  const show = (value: number): string => value.toFixed(2)
  const chunk = (median(loop) / chunks).toFixed(1)
  return `${show(median(gains))} times as fast (${range(gains, show)}): ${whole(median(job))} ms, the loop ${whole(median(loop))} ms, ${chunk} ms a chunk; two bare threads ${show(median(bare))} times; ${right(isRight)}`
}

export function showSleepers({
  idealMs,
  times,
  computing,
  most,
  speculated,
  formedMs,
  idleCores,
  cores,
  right: isRight
}: Sleepers): string {
  const shares = times.map(took => (idealMs / took) * 100)
  const show = (value: number): string => `${value.toFixed(1)}%`
  return `${show(median(shares))} of ideal (${range(shares, show)}): ${whole(median(times))} ms, ideal ${whole(idealMs)} ms; ${range(computing)} peers computed, at most ${Math.max(...most)} chunks each; ${range(speculated)} started twice; ${right(isRight)}; all peers took ${median(cores).toFixed(2)} cores, before the first job ${idleCores.toFixed(2)}; the cluster had formed in ${whole(formedMs / 1_000)} s`
}

export function showMemory(found: Memory[]): string {
  const above = found.map(({ idle, peak }) => peak - idle)
  const each = (key: 'idle' | 'peak' | 'after' | 'took'): string => whole(median(found.map(memory => memory[key])))
  return `at most ${whole(Math.max(...above))} MB above idle (${range(above)}): idle ${each('idle')} MB, peak ${each('peak')} MB, afterwards ${each('after')} MB; ${each('took')} ms; ${right(found.every(memory => memory.right))}`
}
