import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ALONE, NODE, ROOT, rowOf, testFiles } from './test/tiers.ts'

/** Files at a time, on two processors: some wait. */
const WORKERS = 3
/** These wait nearly all of the time, for a process to start or to be missed. */
const WAITING = /^(?:cluster|terminal|browser|faults|stores)\/|^examples\/(?:leader-only|run)\.|^docs\/blocks\/run-/
/** What tasks can rely on in threads, they can in processes of their own: these run once more with `isolation: 'process'`. */
const ISOLATED =
  /^tasks\/(?:executor|execute\/(?:chunk-times|combine|driver|failures|iteration|logs|resume|stop-chunk))\.test\.ts$/
/**
 * These share processes, since to load libp2p takes longer than most of them. Those that compute for seconds are faster in a process of their own, those
 * of tasks that start threads load user code, and a module that is mocked would be so for the files after it.
 */
const APART =
  /^(?:simulation|fuzz|exec)\/|^membership\/large-cluster\.|^tasks\/(?!define\/|values\/|thread\/(?:loaded-modules|splitter)\.|execute\/stack\.)/
const shares = (file: string): boolean =>
  !APART.test(file) && !/\bvi\.(?:doMock|mock)\(/.test(readFileSync(new URL(`test/${file}`, import.meta.url), 'utf8'))
/**
 * A fresh clone knows of no file how long it takes, and Vitest then begins with the largest ones. These are small and take long: at the end
 * the other workers would have nothing to do while they run.
 */
const LONG = [
  'stores/troubles.test.ts',
  'cluster/lock-troubles.test.ts',
  'docs/blocks/run-start.test.ts',
  'cluster/map.test.ts',
  'faults/cut.test.ts',
  'browser/jobs.test.ts',
  'browser/accessibility.test.ts',
  'simulation/cluster.test.ts',
  'simulation/planted.test.ts',
  'simulation/quorum.test.ts',
  'simulation/election.test.ts',
  'simulation/membership.test.ts',
  'simulation/jobs.test.ts',
  'simulation/journal.test.ts',
  'fuzz/membership.test.ts',
  'fuzz/election.test.ts',
  'fuzz/clients.test.ts',
  'fuzz/jobs.test.ts',
  'membership/large-cluster.test.ts',
  'cluster/rolling-restart.test.ts'
]

class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some(name => moduleId.endsWith(`/test/${name}`))
    const inGroup = (...names: string[]) => sorted.filter(({ project }) => names.includes(project.name))
    const longFirst = (some: TestSpecification[]) => [...some.filter(isLong), ...some.filter(file => !isLong(file))]
    const [waiting, shared] = [inGroup('waiting'), inGroup('shared')]
    const others = sorted.filter(file => !waiting.includes(file) && !shared.includes(file))
    // What waits goes on beside what computes. A process is shared only by files that follow each other: they are small, so the workers end together.
    return [...mixed(longFirst(waiting), longFirst(others)), ...shared]
  }
}

/** All of both, each in its own order, spread evenly over the other one. */
function mixed<T>(some: readonly T[], others: readonly T[]): T[] {
  const placed = [some, others].flatMap(each => each.map((file, i) => ({ file, at: (i + 0.5) / each.length })))
  return placed.sort((a, b) => a.at - b.at).map(({ file }) => file)
}

const IS_ROOT = process.getuid?.() === 0

/**
 * What a `--mode` runs: a tier (test/tiers.ts), or what depends on the version of Node. The bare machine of the gate runs `quick` as a user, so `gate`
 * also runs what root can change, as root. Without a mode any file can be run.
 */
const MODES: { readonly [mode: string]: (file: string) => boolean } = {
  quick: file => rowOf(file)?.tier === 'quick',
  gate: file =>
    rowOf(file)?.tier === 'gate' ||
    SKIPPED.includes(`test/${file}`) ||
    (IS_ROOT && ROOT.test(file) && rowOf(file)?.tier === 'quick'),
  full: file => rowOf(file)?.tier !== 'compose' && !file.startsWith('compose/'),
  node: file => NODE.test(file),
  test: file => !file.startsWith('compose/')
}
/** Files of `npm test` that had to skip something on a bare machine: the gate runs them where nothing is missing. */
const SKIPPED = (process.env.P2P_WORKER_SKIPPED ?? '').split(' ')

export default defineConfig(({ mode }) => {
  const isOfMode = MODES[mode]
  if (isOfMode === undefined) throw new Error(`--mode is one of ${Object.keys(MODES).join(', ')}, not ${mode}`)
  // Once for all projects, each of which reads this file; test/tier.ts says what is drawn from it.
  if (mode === 'full' && process.env.P2P_WORKER_SEED === undefined) {
    process.env.P2P_WORKER_SEED = String(randomInt(2 ** 31))
    console.log(`All that is drawn begins with P2P_WORKER_SEED=${process.env.P2P_WORKER_SEED}`)
  }
  const files = testFiles().filter(isOfMode)
  const isAlone = (file: string): boolean => ALONE.includes(file)
  const isWaiting = (file: string): boolean => !isAlone(file) && WAITING.test(file)
  const layers = files.filter(file => !isAlone(file) && !isWaiting(file))
  // Processes that wait and layers that compute get on with each other: as one group, in which no worker waits for another one.
  const groups = [
    { name: 'unit', files: layers.filter(file => !shares(file)) },
    { name: 'shared', files: layers.filter(shares), isolate: false },
    // On one version of Node: what isolation itself needs of Node is in test/tasks/isolated.
    {
      name: 'isolated',
      files: ['full', 'test'].includes(mode) ? testFiles().filter(file => ISOLATED.test(file)) : [],
      env: { P2P_WORKER_TEST_ISOLATION: 'process' }
    },
    { name: 'waiting', files: files.filter(isWaiting) },
    { name: 'cluster', files: files.filter(isAlone), workers: 1, order: 1 }
  ]

  return {
    resolve: {
      alias: {
        'p2p-worker/http': fileURLToPath(new URL('./src/http/index.ts', import.meta.url)),
        'p2p-worker/testing': fileURLToPath(new URL('./src/testing/index.ts', import.meta.url)),
        'p2p-worker': fileURLToPath(new URL('./src/index.ts', import.meta.url))
      }
    },
    test: {
      // Nothing is judged by how fast it is: these end what hangs, on a machine several times as slow as usual as well.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 60_000 } },
      reporters: ['default'],
      sequence: { sequencer: LongOnesFirst },
      projects: groups
        .filter(({ files }) => files.length > 0)
        .map(({ name, files, workers = WORKERS, order = 0, env, isolate }) => ({
          extends: true as const,
          test: {
            name,
            include: files.map(file => `test/${file}`),
            env: { P2P_WORKER_TIER: mode, ...env },
            maxWorkers: workers,
            isolate,
            sequence: { groupOrder: order }
          }
        }))
    }
  }
})
