import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** These start many processes, keep them busy and watch how fast they react, so nothing else runs beside them. */
const alone = [
  'test/cluster/bad-tasks.test.ts',
  'test/cluster/demo.test.ts',
  'test/cluster/flood.test.ts',
  'test/cluster/floods.test.ts',
  'test/cluster/jobs-survive.test.ts',
  'test/cluster/lead.test.ts',
  'test/cluster/many-peers.test.ts',
  'test/cluster/three-peers.test.ts'
]
/** These cut networks of their own, and wait until silence is noticed. */
const faults = ['test/faults/**/*.test.ts']
/** These wait nearly all of the time, for a process to start or to be missed, so three at a time are no more than one. */
const waiting = [
  'test/cluster/**/*.test.ts',
  'test/terminal/**/*.test.ts',
  'test/browser/**/*.test.ts',
  'test/examples/{leader-only,run}.test.ts',
  'test/docs/blocks/run-*.test.ts',
  ...faults
]
/** What tasks can rely on in threads, they can in processes of their own: these run once more with `isolation: 'process'`. */
const isolated = [
  'chunk-times',
  'combine',
  'driver',
  'executor',
  'failures',
  'iteration',
  'logs',
  'resume',
  'stop-chunk'
].map(name => `test/tasks/${name}.test.ts`)
/**
 * A fresh clone knows of no file how long it takes, and Vitest then begins with the largest ones. These are small and take long: at the end
 * the other workers would have nothing to do while they run.
 */
const long = [
  'test/simulation/quorum.test.ts',
  'test/simulation/election.test.ts',
  'test/simulation/membership.test.ts',
  'test/simulation/membership-half.test.ts',
  'test/simulation/jobs.test.ts',
  'test/simulation/cluster.test.ts',
  'test/simulation/journal.test.ts',
  'test/fuzz/membership.test.ts',
  'test/fuzz/election.test.ts',
  'test/fuzz/clients.test.ts',
  'test/fuzz/jobs.test.ts',
  'test/membership/large-cluster.test.ts',
  'test/cluster/rolling-restart.test.ts',
  'test/cluster/paused.test.ts',
  'test/faults/cut.test.ts'
]

class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification): boolean => long.some(name => moduleId.endsWith(`/${name}`))
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))]
  }
}

/**
 * Whoever runs the suite on a second version of Node may leave out what is pure and seeded, what looks at source and documents, what the
 * kernel decides, what a browser shows, what large clusters, voters, liars, strangers and replaced keys add to the protocol, how long leaders
 * take to change, and the demo, if it is run by itself.
 */
const left =
  process.env.P2P_WORKER_BRIEF === '1'
    ? [
        'test/simulation/**',
        'test/fuzz/**',
        'test/architecture.test.ts',
        'test/docs/**',
        'test/membership/hostile.test.ts',
        'test/membership/large-cluster.test.ts',
        'test/network/strangers.test.ts',
        'test/browser/**',
        'test/cluster/allow.test.ts',
        'test/cluster/demo.test.ts',
        'test/cluster/forgers.test.ts',
        'test/cluster/many-peers.test.ts',
        'test/cluster/paused.test.ts',
        'test/cluster/rolling-restart.test.ts',
        'test/cluster/rotation.test.ts',
        'test/cluster/voters.test.ts',
        ...faults
      ]
    : []

export default defineConfig({
  resolve: {
    alias: {
      'p2p-worker/http': fileURLToPath(new URL('./src/http/index.ts', import.meta.url)),
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
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...alone, ...waiting, ...left, 'test/compose/**'],
          maxWorkers: 2,
          sequence: { groupOrder: 0 }
        }
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: isolated,
          env: { P2P_WORKER_TEST_ISOLATION: 'process' },
          maxWorkers: 2,
          sequence: { groupOrder: 0 }
        }
      },
      {
        extends: true,
        test: { name: 'cluster', include: alone, exclude: left, maxWorkers: 1, sequence: { groupOrder: 1 } }
      },
      {
        extends: true,
        test: {
          name: 'waiting',
          include: waiting,
          exclude: [...alone, ...left],
          maxWorkers: 3,
          sequence: { groupOrder: 2 }
        }
      }
    ]
  }
})
