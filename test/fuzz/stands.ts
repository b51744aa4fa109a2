import { expect, it } from 'vitest'
import { FRAMES, SEED } from '../tier.ts'
import { MOST_GROWN } from './target.ts'
import { targetNamed } from './targets.ts'

/** Registers a test for each target: the target withstands all hostile frames of the suite. */
export function stands(file: string, names: readonly string[]): void {
  it.each(names)(
    `%s withstands ${FRAMES} hostile frames`,
    async name => {
      const { find, frames, grown, handled, refused } = await targetNamed(name).fuzz({ seed: SEED, frames: FRAMES })
      const replay = `P2P_WORKER_SEED=${SEED} P2P_WORKER_FRAMES=${FRAMES} npx vitest run test/fuzz/${file} -t ${name}`
      if (find !== undefined) throw new Error(`after ${frames} frames: ${find.what}\nreplay: ${replay}`)
      expect(frames).toBe(FRAMES)
      // If few frames were handled, the frames hardly reached the handlers. If few frames were refused, the frames hardly tested the checks.
      expect(Math.min(handled, refused), `handled ${handled}, refused ${refused}`).toBeGreaterThan(FRAMES / 20)
      expect(grown, `bytes that are still held; ${replay}`).toBeLessThan(MOST_GROWN)
    },
    600_000
  )
}
