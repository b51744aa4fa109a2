/** Formats the measurements as cells of the table. */
import { median } from '../statistics.ts'
import type { CheckpointCost } from './checkpoints.ts'
import type { Death } from './deaths.ts'
import { type Again, added } from './executions.ts'
import { HAND_OFF_JOB, type HandOff } from './hand-offs.ts'
import type { Kills } from './kills.ts'
import type { Folded } from './observed.ts'
import type { LeaderRole } from './roles.ts'
import type { SlowPeer } from './slow-peers.ts'

const ms = (value: number): string => `${Math.round(value).toLocaleString('en')} ms`
const percent = (share: number): string => `${(share * 100).toFixed(1)}%`
const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

function right(all: ReadonlyArray<{ right: boolean }>): string {
  const wrong = all.filter(each => !each.right).length
  return wrong === 0 ? 'results equal to the bit' : `**${wrong} of ${all.length} results wrong**`
}

function again({ finished, finishedByDead, running, runningAtDead }: Again): string {
  return `chunks run again: ${finished} computed by a living peer, ${finishedByDead} computed only by dead peers, ${running} running at a living peer, ${runningAtDead} running at a dead peer`
}

export function showDeaths(found: Death[]): string {
  const excess = found.map(({ excessMs }) => excessMs)
  const slower = `median ${ms(median(excess))}, worst ${ms(Math.max(...excess))} above the lost capacity`
  return `${right(found)}; ${again(added(found.map(each => each.again)))}; ${slower}`
}

export function showHandOffs(found: HandOff[]): string {
  const { finished, running } = added(found.map(each => each.again))
  const at = found.map(({ doneAtHandOff }) => doneAtHandOff)
  const when = `handed over after ${Math.min(...at)} to ${Math.max(...at)} of ${HAND_OFF_JOB.n} chunks`
  return `${right(found)}; chunks run twice: ${finished} already computed, ${running} running; ${when}`
}

export function showKills({ killed, acknowledged, right, wrong, refused, askedAgain }: Kills): string {
  const victims = `leader ${killed.leader}, worker ${killed.worker}, client ${killed.client}, two at once ${killed.two} times`
  const bad = wrong.length > 0 ? ` (**${wrong.length} not**)` : ''
  return `${right} of ${acknowledged} acknowledged jobs right${bad}; ${victims}; ${refused.length} submissions not acknowledged, ${askedAgain.length} answers other than a result`
}

export function showSlowPeer(found: SlowPeer): string {
  const { four, three, speculating, notSpeculating } = found
  const ratio = (a: number[], b: number[]): string => (median(a) / median(b)).toFixed(2)
  const times = (values: number[]): string =>
    `${ms(median(values))}, ${ratio(values, three)} times that of three, ${ratio(values, four)} times that of four`
  return `three without it ${ms(median(three))}, four as fast ${ms(median(four))}; with it ${times(speculating)}; with speculation off ${times(notSpeculating)}; ${right([found])}`
}

export function showCheckpoints(cost: CheckpointCost): string {
  const { taking, without } = cost
  // Other load on the machine can only lengthen a run, so the shortest run counts.
  const least = (key: 'took' | 'cpu', costs = taking): number => Math.min(...costs.map(each => each[key]))
  const bytes = (costs = taking): number => median(costs.map(each => each.bytes))
  const sum = (key: keyof Folded): number => taking.reduce((all, { folded }) => all + folded[key], 0)
  const inThread = percent(sum('checkpointMs') / (sum('checkpointMs') + sum('foldMs')))
  const share = (most: number, rest: number): string => percent(1 - rest / most)
  const time = `${share(least('took'), least('took', without))} of the job's (${ms(least('took'))}, without ${ms(least('took', without))})`
  const cpu = share(least('cpu'), least('cpu', without))
  const traffic = `${share(bytes(), bytes(without))} of the traffic (${mb(bytes())}, without ${mb(bytes(without))})`
  return `${inThread} of the folding thread's time, ${time}, ${cpu} of all peers' processor time, ${traffic}; ${sum('checkpoints')} checkpoints; ${right([cost])}`
}

export function showRole(found: LeaderRole): string {
  const { times, cpu, observed } = found
  const busy = percent(median(observed.map(({ utilization }) => utilization)))
  const late = median(observed.map(({ p99 }) => p99)).toFixed(1)
  const most = Math.max(...observed.map(each => each.most)).toFixed(0)
  return `${ms(median(times))}; leader: ${median(cpu).toFixed(0)}% of a core, event loop busy for ${busy} of the time, late by ${late} ms (p99), at most ${most} ms; ${right([found])}`
}
