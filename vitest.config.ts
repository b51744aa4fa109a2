import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** These start many processes and watch how fast they react, so nothing else runs beside them. */
const cluster = ['test/cluster/**/*.test.ts', 'test/examples/run.test.ts']
/** These wait for seconds that pass while somebody is silent, so two at a time are no more than one. */
const silence = ['test/faults/**/*.test.ts', 'test/cluster/paused.test.ts', 'test/cluster/rolling-restart.test.ts']
/**
 * Whoever runs the suite on a second version of Node may leave out what is pure and seeded, and what waits for the kernel: neither sees
 * anything else there.
 */
const isBrief = process.env.P2P_WORKER_BRIEF === '1'
const simulations = isBrief ? ['test/simulation/**'] : []

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
          exclude: [...cluster, ...silence, ...simulations, 'test/compose/**'],
          maxWorkers: 2,
          sequence: { groupOrder: 0 }
        }
      },
      {
        extends: true,
        test: { name: 'cluster', include: cluster, exclude: silence, maxWorkers: 1, sequence: { groupOrder: 1 } }
      },
      {
        extends: true,
        test: {
          name: 'silence',
          include: silence,
          exclude: isBrief ? silence : [],
          maxWorkers: 2,
          sequence: { groupOrder: 2 }
        }
      }
    ]
  }
})
