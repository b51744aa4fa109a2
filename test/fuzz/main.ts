/** `npm run fuzz`: fuzzes all targets in turn until the time is over. Each target has its own seed. A find is stored and ends the run. */
import { parseArgs } from 'node:util'
import { keep } from './corpus.ts'
import { MOST_GROWN, type Target } from './target.ts'
import { TARGETS, targetNamed } from './targets.ts'

const USAGE = `usage: npm run fuzz -- [--minutes N] [--protocol ${TARGETS.map(({ name }) => name).join('|')}] [--seed S]`
/** The time for which one target is fuzzed before the next target has its turn, in ms. */
const TURN_MS = 20_000

interface Totals {
  frames: number
  handled: number
  refused: number
}

function told(name: string, { frames, handled, refused }: Totals): string {
  return `${name.padEnd(10)} ${String(frames).padStart(10)} frames, ${handled} handled, ${refused} refused`
}

/** Fuzzes one target for `ms` milliseconds. Resolves to true if no fault was found. */
async function turn(target: Target, seed: number, ms: number, totals: Totals): Promise<boolean> {
  const end = Date.now() + ms
  const report = await target.fuzz({ seed, isOver: () => Date.now() > end })
  totals.frames += report.frames
  totals.handled += report.handled
  totals.refused += report.refused
  const megabytes = (report.grown / 1e6).toFixed(1)
  const rss = (process.memoryUsage.rss() / 1e6).toFixed(0)
  console.log(`${told(target.name, totals)}; seed ${seed}, grown by ${megabytes} MB, process ${rss} MB`)
  if (report.find === undefined && report.grown <= MOST_GROWN) return true
  if (report.find === undefined) {
    console.error(`${target.name}, seed ${seed}: ${megabytes} MB more are held after ${report.frames} frames`)
    return false
  }
  console.error(`${target.name}, seed ${seed}, frame ${report.frames}: ${report.find.what}`)
  console.error(`kept as test/fuzz/corpus/${await keep('test/fuzz/corpus', target, seed, report)}`)
  return false
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { minutes: { type: 'string' }, protocol: { type: 'string' }, seed: { type: 'string' } }
  })
  const minutes = values.minutes === undefined ? Number.POSITIVE_INFINITY : Number(values.minutes)
  const first = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
  if (!(minutes > 0) || !Number.isSafeInteger(first)) throw new Error('--minutes and --seed are numbers')
  const targets = values.protocol === undefined ? TARGETS : [targetNamed(values.protocol)]
  const totals = new Map(targets.map(({ name }) => [name, { frames: 0, handled: 0, refused: 0 }]))
  const end = Date.now() + minutes * 60_000
  // Every target gets a turn, even if the whole time is short.
  const share = Math.min(TURN_MS, (minutes * 60_000) / targets.length)
  for (let seed = first; Date.now() < end; seed++) {
    for (const target of targets) {
      const left = Math.min(share, end - Date.now())
      if (left > 0 && !(await turn(target, seed, left, totals.get(target.name)!))) return 1
    }
  }
  return 0
}

main().then(
  code => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(`${(error as Error).message}\n${USAGE}`)
    process.exitCode = 2
  }
)
