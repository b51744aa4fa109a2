/**
 * The seed and the number of random cases of a test run. `npm test` and the gate use a fixed seed. `npm run test:full` runs ten times as many cases
 * from a random seed, which it prints (vitest.config.ts). CONTRIBUTING.md lists the tier of each test.
 */
const { P2P_WORKER_TIER, P2P_WORKER_SEED, P2P_WORKER_WORLDS, P2P_WORKER_FRAMES } = process.env

export const IS_FULL = P2P_WORKER_TIER === 'full'

/** The first seed of the run. */
export const SEED = Number(P2P_WORKER_SEED ?? 1)

/** Whether the run replays only one world. A replay prints the whole trace of the world. */
export const IS_REPLAY = P2P_WORKER_WORLDS === '1'

/** Returns the seeds of the worlds to run. The full tier runs `all` worlds, and the other tiers run a tenth of them. */
export function worlds(all: number): number[] {
  const count = Number(P2P_WORKER_WORLDS ?? (IS_FULL ? all : Math.ceil(all / 10)))
  return Array.from({ length: count }, (_, i) => SEED + i)
}

/** The number of hostile frames for each protocol. */
export const FRAMES = Number(P2P_WORKER_FRAMES ?? (IS_FULL ? 30_000 : 3_000))

/** Returns the command that replays one world of a test file and prints the whole trace. */
export function replayCommand(file: string, seed: number): string {
  return `P2P_WORKER_SEED=${seed} P2P_WORKER_WORLDS=1 npx vitest run ${file}`
}
