// npm run fuzz -- [--minutes N] [--protocol NAME] [--seed S]: hostile frames of every protocol into the real handlers, until something is
// found or the time is over.
import { runBundled } from './run-bundled.mjs'

await runBundled('test/fuzz/main.ts')
