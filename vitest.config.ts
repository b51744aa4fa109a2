import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** These start many processes, keep them busy and watch how fast they react, so nothing else runs beside them. */
const alone = [
  'test/cluster/bad-tasks.test.ts',
  'test/cluster/demo.test.ts',
  'test/cluster/flood.test.ts',
  'test/cluster/jobs-survive.test.ts',
  'test/cluster/many-peers.test.ts',
  'test/cluster/three-peers.test.ts'
]
/** These cut networks of their own, and wait until silence is noticed. */
const faults = ['test/faults/**/*.test.ts']
/** These wait nearly all of the time, for a process to start or to be missed, so three at a time are no more than one. */
const waiting = ['test/cluster/**/*.test.ts', 'test/examples/run.test.ts', ...faults]
/**
 * Whoever runs the suite on a second version of Node may leave out what is pure and seeded, what the kernel decides, and the demo, if it
 * is run by itself.
 */
const left = process.env.P2P_WORKER_BRIEF === '1' ? ['test/simulation/**', 'test/cluster/demo.test.ts', ...faults] : []

export default defineConfig({
  resolve: { alias: { 'p2p-worker': fileURLToPath(new URL('./src/index.ts', import.meta.url)) } },
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ['default'],
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
