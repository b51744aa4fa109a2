// npm run pictures [-- --to FOLDER] [--quick]: makes the pictures of the dashboard and of `top` that the documents show, from the built package.
import { runBundled } from './run-bundled.mjs'

await runBundled('test/browser/make-pictures.ts')
