/** fast-check with the seed of the run: the same each time in `npm test` and the gate, drawn anew by `npm run test:full`. */
import fc from 'fast-check'
import { SEED } from './tier.ts'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED })

export { default } from 'fast-check'

/** Any text, halves of surrogate pairs included. `fc.string({ unit: 'binary' })` writes down all 1.1 million code points first, which takes 2 s. */
export function anyText(maxLength?: number): fc.Arbitrary<string> {
  return fc.array(fc.nat(0x10ffff), { maxLength }).map(points => String.fromCodePoint(...points))
}
