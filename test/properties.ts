/** fast-check with the seed of the run: the same each time in `npm test` and the gate, drawn anew by `npm run test:full`. */
import fc from 'fast-check'
import { SEED } from './tier.ts'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED })

export { default } from 'fast-check'
