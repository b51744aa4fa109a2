import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** These start many processes and watch how fast they react, so nothing else runs beside them. */
const cluster = ['test/cluster/**/*.test.ts', 'test/faults/**/*.test.ts', 'test/examples/run.test.ts']

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
          exclude: [...cluster, 'test/compose/**'],
          maxWorkers: 2,
          sequence: { groupOrder: 0 }
        }
      },
      {
        extends: true,
        test: { name: 'cluster', include: cluster, maxWorkers: 1, sequence: { groupOrder: 1 } }
      }
    ]
  }
})
