/**
 * Compares p2p-worker's membership with Serf: how soon a dead or silent member is declared dead, whether live members are
 * ever declared dead, and the cost of an idle peer. Writes tables for docs/benchmarks.md, which describes each row.
 *
 *     npm run bench -- membership [ROW]… [--quick]
 *
 * ROW is one of kill, cut, load, loss, pause, long-pause and idle; the default is all rows, which take an hour. With
 * `--quick` a row observes for one minute instead of ten and has fewer runs; these figures must not be quoted. All rows except kill, load,
 * pause and long-pause need root, `ip` and `nft`.
 */
import { cpus, totalmem } from 'node:os'
import { lacks } from '../test/tools.ts'
import { type Deaths, measureCuts, measureKills } from './membership/deaths.ts'
import { type FalseVerdicts, underLoad, underLoss } from './membership/false-deaths.ts'
import { type IdleCost, measureIdle } from './membership/idle.ts'
import { longPauses, shortPauses } from './membership/pauses.ts'
import { endOnSignals } from './membership/resources.ts'
import { serfVersion } from './serf.ts'
import { median, quantile, table } from './statistics.ts'

const ROWS = ['kill', 'cut', 'load', 'loss', 'pause', 'long-pause', 'idle']
const args = process.argv.slice(2)
const quick = args.includes('--quick')
const rows = args.filter(arg => arg !== '--quick')
const unknown = rows.filter(row => !ROWS.includes(row))
if (unknown.length > 0) {
  console.error(`there is no row ${unknown.join(', ')}; the rows are ${ROWS.join(', ')}`)
  process.exit(2)
}

const MINUTE = 60_000
const serf = serfVersion()
const hosts = !lacks('rows with hosts of their own', 'hosts')
const times = {
  kills: { ours: quick ? 3 : 20, serf: quick ? 1 : 5 },
  cuts: { ours: quick ? 2 : 10, serf: quick ? 1 : 5 },
  watch: quick ? MINUTE : 10 * MINUTE,
  pauses: quick ? 3 : 10,
  longPauses: quick ? 1 : 3,
  idle: quick ? [3, 20] : [3, 20, 50],
  idleAfter: quick ? [30_000] : [2 * MINUTE, 5 * MINUTE],
  window: quick ? 20_000 : MINUTE
}

interface Row {
  what: string
  must: string
  ours: string
  serf: string
  reached: boolean | undefined
}

const measured: Row[] = []
const idle: [number, IdleCost][] = []
const began = performance.now()

function tell(what: string): void {
  console.error(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${what}`)
}

function wanted(row: string): boolean {
  return rows.length === 0 || rows.includes(row)
}

function theirs(value: string): string {
  return serf === undefined ? 'Serf is not installed' : value
}

/** Formats the median, the 99th percentile and the number of runs. */
function spread(values: number[]): string {
  return `${median(values).toFixed(0)} (${quantile(values, 0.99).toFixed(0)}) ms, ${values.length} runs`
}

function withSerf(runs: { ours: number; serf: number }): { ours: number; serf: number } {
  return serf === undefined ? { ours: runs.ours, serf: 0 } : runs
}

function killRow({ ours, serf, floor }: Deaths): Row {
  const ratio = median(serf) / median(ours)
  return {
    what: `\`kill -9\` of one of 5 until all others say \`dead\` (floor of the same run: ${spread(floor)})`,
    must: 'median at most 75 ms, and at least 60 times faster than Serf',
    ours: spread(ours),
    serf: theirs(serf.length === 0 ? '-' : `${spread(serf)}: ${ratio.toFixed(0)} times as long`),
    reached: median(ours) <= 75 && (serf.length === 0 || ratio >= 60)
  }
}

function cutRow({ ours, serf }: Deaths): Row {
  return {
    what: 'silent cut (all packets dropped) of one of 5 until all others say `dead`',
    must: 'median at most 4 s, and no slower than Serf',
    ours: spread(ours),
    serf: theirs(serf.length === 0 ? '-' : spread(serf)),
    reached: median(ours) <= 4_000 && (serf.length === 0 || median(ours) <= median(serf))
  }
}

function falseRow(fault: string, { ours, serf }: FalseVerdicts): Row {
  const show = ({ dead, suspect }: FalseVerdicts['ours']): string => `${dead} (${suspect} suspicions)`
  return {
    what: `false \`dead\` verdicts, 8 peers, ${fault}, ${times.watch / MINUTE} min`,
    must: '0',
    ours: show(ours),
    serf: theirs(serf === undefined ? '-' : show(serf)),
    reached: ours.dead === 0
  }
}

function needsHosts(what: string): Row {
  const why = 'not measured: this user may not make network namespaces'
  return { what, must: '-', ours: why, serf: '-', reached: undefined }
}

async function measure(): Promise<void> {
  if (wanted('kill')) measured.push(killRow(await measureKills(withSerf(times.kills), tell)))
  if (wanted('cut')) {
    measured.push(hosts ? cutRow(await measureCuts(withSerf(times.cuts), tell)) : needsHosts('silent cut of one of 5'))
  }
  const watch = { during: times.watch, serf: serf !== undefined, tell }
  if (wanted('load')) measured.push(falseRow('8 busy processes on this machine', await underLoad(watch)))
  if (wanted('loss')) {
    measured.push(hosts ? falseRow('20% packet loss', await underLoss(watch)) : needsHosts('false verdicts, 20% loss'))
  }
  if (wanted('pause')) {
    const { runs, dead, suspect } = await shortPauses(times.pauses, tell)
    measured.push({
      what: 'one of 5 stopped (SIGSTOP) for 2 s and continued',
      must: 'never `dead`',
      ours: `${dead} \`dead\` (${suspect} suspicions), ${runs} runs`,
      serf: '-',
      reached: dead === 0
    })
  }
  if (wanted('long-pause')) {
    const pauses = await longPauses(times.longPauses, tell)
    const back = pauses.map(({ backAfter }) => backAfter)
    const wrongly = pauses.reduce((sum, pause) => sum + pause.wronglyDead + pause.wronglySuspect, 0)
    measured.push({
      what: 'one of 5 stopped for 60 s and continued, until all others say `alive`',
      must: 'at most 5 s, and nobody else is ever suspect',
      ours: `at most ${Math.max(...back).toFixed(0)} ms, ${wrongly} wrong suspicions, ${back.length} runs`,
      serf: '-',
      reached: Math.max(...back) <= 5_000 && wrongly === 0
    })
  }
  if (wanted('idle') && !hosts) measured.push(needsHosts('idle cost'))
  if (wanted('idle') && hosts) {
    for (const count of times.idle) {
      for (const cost of await measureIdle(count, { after: times.idleAfter, window: times.window })) {
        idle.push([count, cost])
        const { after, cpuPercent, bytesPerSecond } = cost
        tell(
          `idle, ${count} peers after ${after / 1_000} s: ${cpuPercent.toFixed(2)}% of a core, ${bytesPerSecond.toFixed(0)} bytes/s`
        )
      }
    }
  }
}

function report(): void {
  const [cores, memory] = [cpus(), (totalmem() / 2 ** 30).toFixed(0)]
  const how = quick ? ' --quick: not to be quoted;' : ''
  console.log(
    `${new Date().toISOString().slice(0, 10)};${how} ${cores.length} cores (${cores[0]?.model}), ${memory} GiB,`
  )
  console.log(`Node ${process.versions.node}, ${serf ?? 'no Serf'}; profile lan on both sides; median (p99)\n`)
  const cells = ({ what, must, ours, serf, reached }: Row): string[] => {
    return [what, must, ours, serf, reached === undefined ? '-' : reached ? 'yes' : 'no']
  }
  if (measured.length > 0) {
    console.log(table(['what', 'must reach', 'p2p-worker', 'Serf', 'reached'], measured.map(cells)))
  }
  if (idle.length === 0) return
  const line = ([count, cost]: [number, IdleCost]): string[] => {
    const limit = count === 50 ? (cost.cpuPercent <= 1 ? 'yes (1%)' : 'no (1%)') : '-'
    const cpu = `${cost.cpuPercent.toFixed(2)} (${cost.cpuPercentMost.toFixed(2)})`
    const stood = (cost.after / 60_000).toFixed(1)
    return [String(count), stood, cpu, cost.bytesPerSecond.toFixed(0), cost.megabytes.toFixed(0), limit]
  }
  const cpuHeader = 'CPU % of a core per peer: mean (most)'
  const header = ['peers', 'standing for, min', cpuHeader, 'bytes/s sent per peer', 'memory, MiB', 'reached']
  console.log(`\n${table(header, idle.map(line))}`)
}

endOnSignals()
await measure()
report()
