// npm run simulate -- [--seeds N] [--from SEED] [--core membership|election|quorum|journal|voters|jobs|cluster] [--trace]: simulates one core from many seeds on all
// processors. --planted [BUG] instead searches for the seeds that reveal the planted bugs of a core, and stores these seeds.
import { runBundled } from './run-bundled.mjs'

await runBundled('test/simulation/simulate.ts')
