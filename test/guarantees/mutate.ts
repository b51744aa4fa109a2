/**
 * `npm run test:mutations -- [WORD …] [--trust]`: for each row of docs/guarantees.md, breaks the product in a copy of the checkout, and
 * expects the test that the row names to fail. A WORD selects the rows whose promise contains this word. Each test must first pass on the
 * unbroken product, unless `--trust` is given.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ALONE } from '../tiers.ts'
import { Checkout, usesCommandLine } from './checkout.ts'
import type { Patch } from './patch.ts'
import { patches } from './patches.ts'
import { runTest, type Verdict } from './run-test.ts'

/** The limit of one run of one test, in ms. */
const LIMIT = 600_000
/** The number of concurrent runs. It exceeds the two processors, because most runs mostly wait. */
const AT_ONCE = 3

const { positionals: words, values } = parseArgs({ allowPositionals: true, options: { trust: { type: 'boolean' } } })
const chosen = patches.filter(
  ({ row }) => words.length === 0 || words.some(word => row.toLowerCase().includes(word.toLowerCase()))
)
const origin = fileURLToPath(new URL('../..', import.meta.url))
const over = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => over.abort())

let bad = chosen.length === 0 ? 1 : 0

/** Takes patches from the queue and tests each patch, in a separate copy of the checkout. */
async function work(queue: Patch[]): Promise<void> {
  const checkout = new Checkout(origin)
  try {
    for (let patch = queue.shift(); patch !== undefined && !over.signal.aborted; patch = queue.shift())
      await tell(checkout, patch)
  } finally {
    checkout.remove()
  }
}

async function tell(checkout: Checkout, patch: Patch): Promise<void> {
  const began = performance.now()
  const { test, only, testTimeout } = patch
  const title = only === undefined ? test.title : test.title.replace('%s', only)
  const run = (): Promise<Verdict> =>
    runTest({ root: checkout.root, path: test.path, title, testTimeout, limit: LIMIT, signal: over.signal })
  const whole: Verdict = values.trust === true ? { is: 'passed', why: '' } : await run()
  let broken: Verdict | undefined
  if (whole.is === 'passed') {
    const repair = await checkout.break(patch)
    broken = await run()
    await repair()
  }
  const seconds = ((performance.now() - began) / 1_000).toFixed(0).padStart(4)
  const isFound = broken?.is === 'failed'
  if (!isFound) bad += 1
  const what = isFound ? 'found' : broken === undefined ? `${whole.is} UNBROKEN` : `NOT FOUND (${broken.is})`
  console.log(`${seconds} s  ${what}  ${patch.row}: ${test.path}: ${test.title}`)
  const why = (isFound ? broken!.why.split('\n')[0] : (broken ?? whole).why) ?? ''
  if (why !== '') console.log(`        ${why.slice(0, isFound ? 160 : 2_000)}`)
}

// Tests that wait for processes run first, because these tests take longest.
const queue = [...chosen].sort((a, b) => Number(usesCommandLine(b.test.path)) - Number(usesCommandLine(a.test.path)))
const isAlone = ({ test }: Patch): boolean => ALONE.some(name => test.path === `test/${name}`)
const beside = queue.filter(patch => !isAlone(patch))
await Promise.all(Array.from({ length: Math.min(AT_ONCE, beside.length) }, () => work(beside)))
// Tests that must run alone come last. Under load such a test could fail without the patch, and the failure would count as a detection of the patch.
const alone = queue.filter(isAlone)
if (alone.length > 0) await work(alone)
if (chosen.length === 0) console.error(`no row has ${words.join(' or ')}`)
process.exitCode = bad === 0 && !over.signal.aborted ? 0 : 1
