// npm run simulate -- [--seeds N] [--from SEED] [--core membership|election|quorum|journal|jobs|cluster] [--trace]: many seeds of the simulation of one core,
// on all processors.
import { runBundled } from './run-bundled.mjs'

await runBundled('test/simulation/simulate.ts')
