/**
 * How much a run of the tests draws from seeds. `npm test` and the gate draw the same each time; `npm run test:full` draws ten times as much,
 * from a seed of its own that it prints (vitest.config.ts). CONTRIBUTING.md says which test is in which tier.
 */
const { P2P_WORKER_TIER, P2P_WORKER_SEED, P2P_WORKER_WORLDS, P2P_WORKER_FRAMES } = process.env

export const IS_FULL = P2P_WORKER_TIER === 'full'

/** Where all that is drawn begins. */
export const SEED = Number(P2P_WORKER_SEED ?? 1)

/** Whether one world is run again: then its whole trace is shown. */
export const IS_REPLAY = P2P_WORKER_WORLDS === '1'

/** The seeds of the worlds to run, of `all` in the full tier: a tenth of them in the others. */
export function worlds(all: number): number[] {
  const count = Number(P2P_WORKER_WORLDS ?? (IS_FULL ? all : Math.ceil(all / 10)))
  return Array.from({ length: count }, (_, i) => SEED + i)
}

/** The hostile frames for each protocol. */
export const FRAMES = Number(P2P_WORKER_FRAMES ?? (IS_FULL ? 100_000 : 10_000))

/** The command that runs one world of a test file again, with its whole trace. */
export function replayCommand(file: string, seed: number): string {
  return `P2P_WORKER_SEED=${seed} P2P_WORKER_WORLDS=1 npx vitest run ${file}`
}
