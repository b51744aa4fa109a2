/**
 * `npm run simulate`: runs the simulation of one core for the requested number of seeds, on all processors, and reports the seeds
 * that failed. Each seed is an independent run, so any thread may run any seed.
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { StrategyName } from '../../src/election/core/strategies/names.ts'
import { runClusterSeed } from './cluster/worlds.ts'
import { runDurableSeed } from './durable-scenario.ts'
import { runSeed as runElection } from './election-scenario.ts'
import { type Failure, told } from './failure.ts'
import { runJobsSeed } from './jobs-scenario.ts'
import { runJournalSeed } from './journal-scenario.ts'
import { runLockSeed } from './lock-scenario.ts'
import { report, runSeed as runMembership } from './membership-scenario.ts'
import { findKnownSeeds, PLANTED } from './planted/all.ts'
import { runQuorumSeed } from './quorum-scenario.ts'
import { runScheduleSeed } from './schedule-scenario.ts'
import { runStoreSeed } from './store-scenario.ts'
import { runVotersSeed } from './voters-scenario.ts'

interface Result {
  /** The description of the failure; undefined if every invariant held. */
  failure: string | undefined
  /** The whole trace. */
  trace: readonly string[]
  /** The time until all members agreed, and the bound of this time, in ms. Only some cores report these times. */
  agreed?: { after: number; bound: number }
}

interface Failed {
  seed: number
  failure: string
}

/** The result of a thread's seeds. */
interface Batch {
  failed: Failed[]
  seeds: number
  slowest: { seed: number; after: number; bound: number }
}

const CORES: { readonly [core: string]: (seed: number) => Result | Promise<Result> } = {
  membership: seed => {
    const outcome = runMembership(seed)
    const { failure, lines, agreedAfter: after, bound } = outcome
    return { failure: failure && report(outcome), trace: lines, agreed: { after, bound } }
  },
  election: seed => runStrategy('bully', seed, 'election'),
  lowest: seed => runStrategy('lowest', seed, 'lowest'),
  ring: seed => runStrategy('ring', seed, 'ring'),
  quorum: seed => resultOf(runQuorumSeed(seed), 'quorum'),
  store: seed => resultOf(runStoreSeed(seed), 'store'),
  cluster: async seed => resultOf(await runClusterSeed(seed), 'cluster'),
  journal: seed => resultOf(runJournalSeed(seed) ?? runJournalSeed(seed, undefined, { hasRecord: true }), 'journal'),
  durable: seed => resultOf(runDurableSeed(seed), 'durable'),
  voters: seed => resultOf(runVotersSeed(seed), 'voters'),
  locks: seed => resultOf(runLockSeed(seed), 'locks'),
  schedules: seed => resultOf(runScheduleSeed(seed), 'schedules'),
  jobs: seed => resultOf(runJobsSeed(seed), 'jobs')
}

function runStrategy(strategy: StrategyName, seed: number, core: string): Result {
  return resultOf(
    runElection(seed, { below: 'ideal', strategy }) ?? runElection(seed, { below: 'swim', strategy }),
    core
  )
}

function resultOf(failed: Failure | undefined, core: string): Result {
  return failed === undefined ? { failure: undefined, trace: [] } : { failure: told(failed, core), trace: failed.lines }
}

const USAGE = `usage: npm run simulate -- [--seeds N] [--from SEED] [--core ${Object.keys(CORES).join('|')}] [--trace | --planted [BUG]]`
/** The number of seeds that a thread gets at a time. */
const BATCH = 20
/** The number of failures that are printed in full. */
const TOLD = 5
/** The time between two lines that report the progress, in ms. */
const PROGRESS_MS = 5_000

async function runBatch(core: string, first: number, seeds: number): Promise<Batch> {
  const batch: Batch = { failed: [], seeds, slowest: { seed: 0, after: -1, bound: 0 } }
  for (let seed = first; seed < first + seeds; seed++) {
    const { failure, agreed } = await CORES[core]!(seed)
    if (failure !== undefined) batch.failed.push({ seed, failure })
    else if (agreed !== undefined && agreed.after > batch.slowest.after) batch.slowest = { seed, ...agreed }
  }
  return batch
}

/** Gives batches to the threads until all seeds are done. */
async function runAll(core: string, from: number, seeds: number): Promise<Batch> {
  const total: Batch = { failed: [], seeds: 0, slowest: { seed: 0, after: -1, bound: 0 } }
  const begin = performance.now()
  const rate = (): string => (total.seeds / ((performance.now() - begin) / 1_000)).toFixed(0)
  const progress = setInterval(() => {
    console.error(`${total.seeds} of ${seeds} seeds, ${rate()} a second, ${total.failed.length} failed`)
  }, PROGRESS_MS)
  let next = from
  const count = Math.min(availableParallelism(), Math.ceil(seeds / BATCH))
  const threads = Array.from({ length: count }, () => new Worker(fileURLToPath(import.meta.url), { workerData: core }))
  const work = threads.map(
    thread =>
      new Promise<void>((resolve, reject) => {
        const give = (): void => {
          const size = Math.min(BATCH, from + seeds - next)
          if (size <= 0) {
            resolve()
            return
          }
          thread.postMessage([next, size])
          next += size
        }
        thread.on('error', reject)
        thread.on('message', (batch: Batch) => {
          total.seeds += batch.seeds
          for (const failed of batch.failed) {
            total.failed.push(failed)
            if (total.failed.length <= TOLD) console.error(`\n${failed.failure}\n`)
          }
          if (batch.slowest.after > total.slowest.after) total.slowest = batch.slowest
          give()
        })
        give()
      })
  )
  try {
    await Promise.all(work)
  } finally {
    clearInterval(progress)
    await Promise.all(threads.map(thread => thread.terminate()))
  }
  console.error(`${rate()} seeds a second, on ${count} threads`)
  return total
}

async function main(): Promise<number> {
  const { core, from, seeds, trace, planted, bug } = optionsOf(process.argv.slice(2))
  if (planted) return (await findKnownSeeds(core, bug)) === 0 ? 0 : 1
  if (trace) {
    for (let seed = from; seed < from + seeds; seed++) {
      const { failure, trace } = await CORES[core]!(seed)
      for (const line of trace) console.log(line)
      if (failure === undefined) continue
      console.log(failure)
      return 1
    }
    return 0
  }
  const { failed, slowest } = await runAll(core, from, seeds)
  const numbers = failed.map(({ seed }) => seed).sort((a, b) => a - b)
  console.log(
    `${core}: ${seeds} seeds from ${from}, ${failed.length} failed${failed.length > 0 ? `: ${numbers.join(' ')}` : ''}`
  )
  const { seed, after, bound } = slowest
  if (after >= 0)
    console.log(`slowest to agree: seed ${seed}, after ${Math.round(after)} ms of at most ${Math.round(bound)} ms`)
  return failed.length === 0 ? 0 : 1
}

interface Options {
  core: string
  from: number
  seeds: number
  trace: boolean
  /** Whether to search for the seeds that show the planted bugs: all bugs, or only the bug with the given name. */
  planted: boolean
  bug: string | undefined
}

function optionsOf(args: string[]): Options {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        seeds: { type: 'string', default: '1000' },
        from: { type: 'string', default: '1' },
        core: { type: 'string', default: 'membership' },
        trace: { type: 'boolean', default: false },
        planted: { type: 'boolean', default: false }
      }
    })
    const { core, trace, planted } = values
    const [bug] = positionals
    const [seeds, from] = [Number(values.seeds), Number(values.from)]
    if (!Number.isSafeInteger(seeds) || seeds < 1 || !Number.isSafeInteger(from) || from < 0)
      throw new Error('no number')
    if (CORES[core] === undefined) throw new Error(`there is no core ${core}`)
    if (positionals.length > (planted ? 1 : 0)) throw new Error(`unexpected: ${positionals.at(-1)}`)
    if (bug !== undefined && PLANTED[core]![bug] === undefined)
      throw new Error(`no bug is planted that is called ${bug}`)
    return { core, from, seeds, trace, planted, bug }
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`)
    process.exit(2)
  }
}

if (isMainThread) process.exitCode = await main()
else {
  parentPort!.on('message', async ([first, seeds]: [number, number]) => {
    parentPort!.postMessage(await runBatch(workerData as string, first, seeds))
  })
}
