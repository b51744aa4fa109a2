// npm run simulate -- [--seeds N] [--from SEED] [--core membership|election|quorum|journal|jobs|cluster] [--trace]: many seeds of the simulation of one core,
// on all processors. --planted [BUG] instead looks for the seeds at which the bugs planted into a core show, and keeps them.
import { runBundled } from './run-bundled.mjs'

await runBundled('test/simulation/simulate.ts')
