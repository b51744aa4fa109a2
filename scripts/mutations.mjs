// npm run test:mutations -- [WORD …] [--trust]: breaks what docs/guarantees.md promises, row by row, and expects the named tests to fail.
import { runBundled } from './run-bundled.mjs'

await runBundled('test/guarantees/mutate.ts')
