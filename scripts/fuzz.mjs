// npm run fuzz -- [--minutes N] [--protocol NAME] [--seed S]: sends hostile frames of every protocol to the real handlers until it finds a bug or the
// time is over.
import { runBundled } from './run-bundled.mjs'

await runBundled('test/fuzz/main.ts')
