// npm run simulate -- [--seeds N] [--from SEED] [--core NAME] [--trace]: simulates one core from many seeds on all processors. CORES in
// test/simulation/simulate.ts has the names. --planted [BUG] instead searches for the seeds that reveal the planted bugs of a core, and stores these seeds.
import { runBundled } from './run-bundled.mjs'

await runBundled('test/simulation/simulate.ts')
