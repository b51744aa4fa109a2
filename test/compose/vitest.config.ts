import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The configuration of `npm run test:compose`. It is separate, because these tests need a Docker engine and some minutes. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/compose/**/*.test.ts'],
    globalSetup: ['test/compose/global-setup.ts'],
    testTimeout: 240_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
    reporters: ['default']
  }
})
