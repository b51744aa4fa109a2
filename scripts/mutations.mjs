// npm run test:mutations -- [WORD …] [--trust]: breaks each promise of docs/guarantees.md in turn, and expects the named tests to fail.
import { runBundled } from './run-bundled.mjs'

await runBundled('test/guarantees/mutate.ts')
