/** Configures fast-check with the seed of the run. The seed is fixed in `npm test` and the gate, and random in `npm run test:full`. */
import fc from 'fast-check'
import { SEED } from './tier.ts'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED })

export { default } from 'fast-check'

/** Any text, including unpaired surrogates. `fc.string({ unit: 'binary' })` would first list all 1.1 million code points, which takes 2 s. */
export function anyText(maxLength?: number): fc.Arbitrary<string> {
  return fc.array(fc.nat(0x10ffff), { maxLength }).map(points => String.fromCodePoint(...points))
}
