/** Formats the measurements as cells of the tables. */
import { median, quantile } from '../statistics.ts'
import type { Bulk } from './bulk.ts'
import type { Combined } from './combined.ts'
import type { CpuBound } from './cpu-bound.ts'
import type { Exec } from './exec.ts'
import type { Lines } from './lines.ts'
import type { ManyJobs } from './many-jobs.ts'
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

export function showManyJobs({ count, took, right: isRight }: ManyJobs): string {
  const rate = whole((count / took) * 1_000)
  return `${whole(took / 1_000)} s, ${rate} jobs a second; ${right(isRight)}`
}

/** Returns the rows of the table that lists the parts of a small job. Each row has a name, a median and a 99th percentile. */
export function partsOfSmallJobs(found: SmallJobs): string[][] {
  const row = (what: string, times: number[]): string[] => [
    what,
    median(times).toFixed(2),
    quantile(times, 0.99).toFixed(2)
  ]
  return [
    ...found.parts.map(({ what, times }) => row(what, times)),
    ['the total median less the medians of the parts', rest(found).toFixed(2), ''],
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
  return `${show(median(shares))} of ideal (${range(shares, show)}): ${whole(median(times))} ms, ideal ${whole(idealMs)} ms; ${range(computing)} peers computed, at most ${Math.max(...most)} chunks each; ${range(speculated)} chunks started twice; ${right(isRight)}; all peers took ${median(cores).toFixed(2)} cores, before the first job ${idleCores.toFixed(2)}; the cluster formed in ${whole(formedMs / 1_000)} s`
}

export function showBulk({ mebibytes, map, relay, peaks, right: isRight }: Bulk): string {
  const shares = map.map((took, run) => (relay[run]! / took) * 100)
  const show = (value: number): string => `${value.toFixed(0)}%`
  const rate = (times: number[]): string => whole((mebibytes / median(times)) * 1_000)
  const [client, leader, ...workers] = peaks.map(whole)
  return `${show(median(shares))} of the relay (${range(shares, show)}): ${rate(map)} MiB/s, the relay ${rate(relay)} MiB/s; at most ${client} MB at the client, ${leader} MB at the leader, ${workers.join(' and ')} MB at the workers; ${right(isRight)}`
}

export function showLines({ count, map, sed, killed, right: isRight, command, peers }: Lines): string {
  const growth = ([early, most]: [number, number]): string => `${whole(early)} MB early, ${whole(most)} MB at most`
  return `${isRight ? 'equal' : '**not equal**'}; leader killed ${killed} times; ${ms(map)}, ${whole((count / map) * 1_000)} lines a second (sed ${ms(sed)}); the command ${growth(command)}, peers ${peers.map(growth).join(', and ')}`
}

export function showExec({ lines, map, parallel }: Exec): string {
  const each = (times: number[]): string => ms(median(times) / lines)
  if (parallel === undefined) return `${each(map)} a line; GNU parallel is not installed`
  const gains = map.map((took, run) => parallel[run]! / took)
  const show = (value: number): string => value.toFixed(2)
  return `${show(median(gains))} times as fast (${range(gains, show)}): ${each(map)} a line, GNU parallel ${each(parallel)}`
}

export function showCombined(found: Combined[]): string {
  const each = (side: 'plain' | 'combined', key: 'ms' | 'leaderMs'): number => median(found.map(run => run[side][key]))
  const faster = each('plain', 'ms') / each('combined', 'ms')
  const spared = 100 * (1 - each('combined', 'leaderMs') / each('plain', 'leaderMs'))
  return `${faster.toFixed(1)} times as fast combined: ${whole(each('combined', 'ms'))} instead of ${whole(each('plain', 'ms'))} ms, and ${whole(spared)}% less processor time of the leader: ${whole(each('combined', 'leaderMs'))} instead of ${whole(each('plain', 'leaderMs'))} ms; ${right(found.every(run => run.right))}`
}

export function showMemory(found: Memory[]): string {
  const above = found.map(({ idle, peak }) => peak - idle)
  const each = (key: 'idle' | 'peak' | 'after' | 'took'): string => whole(median(found.map(memory => memory[key])))
  return `at most ${whole(Math.max(...above))} MB above idle (${range(above)}): idle ${each('idle')} MB, peak ${each('peak')} MB, afterwards ${each('after')} MB; ${each('took')} ms; ${right(found.every(memory => memory.right))}`
}
