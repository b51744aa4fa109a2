import { expect, test } from 'vitest'
import { runClusterSeed } from './cluster/worlds.ts'

/** Replays one world with its whole trace: CLUSTER_SEED=17 npx vitest run test/simulation/cluster.test.ts */
const replay = process.env.CLUSTER_SEED
const SEEDS = Number(process.env.CLUSTER_SEEDS ?? 60)

test('whole peers end whole jobs with the result of one loop, whatever fails', async () => {
  const FIRST = Number(process.env.CLUSTER_FIRST ?? 1)
  const seeds = replay === undefined ? Array.from({ length: SEEDS }, (_, i) => i + FIRST) : [Number(replay)]
  for (const seed of seeds) {
    const failure = await runClusterSeed(seed)
    if (failure === undefined) continue
    const trace = replay === undefined ? failure.lines.slice(-60) : failure.lines
    throw new Error(`${failure.error.message}\n\nReplay with CLUSTER_SEED=${seed}:\n${trace.join('\n')}`, {
      cause: failure.error
    })
  }
  expect(seeds.length).toBeGreaterThan(0)
}, 600_000)
