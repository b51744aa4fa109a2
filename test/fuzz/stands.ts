import { expect, it } from 'vitest'
import { FRAMES, SEED } from '../tier.ts'
import { MOST_GROWN } from './target.ts'
import { targetNamed } from './targets.ts'

/** A test for each: it takes all that the suite sends. */
export function stands(file: string, names: readonly string[]): void {
  it.each(names)(
    `%s: takes ${FRAMES} hostile frames`,
    async name => {
      const { find, frames, grown, handled, refused } = await targetNamed(name).fuzz({ seed: SEED, frames: FRAMES })
      const replay = `P2P_WORKER_SEED=${SEED} P2P_WORKER_FRAMES=${FRAMES} npx vitest run test/fuzz/${file} -t ${name}`
      if (find !== undefined) throw new Error(`after ${frames} frames: ${find.what}\nreplay: ${replay}`)
      expect(frames).toBe(FRAMES)
      // Else it is not the handlers that were tried, or not the checks.
      expect(Math.min(handled, refused), `handled ${handled}, refused ${refused}`).toBeGreaterThan(FRAMES / 20)
      expect(grown, `bytes that are still held; ${replay}`).toBeLessThan(MOST_GROWN)
    },
    600_000
  )
}
