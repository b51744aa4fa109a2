// npm run pictures [-- --to FOLDER] [--quick]: makes the documents' pictures of the dashboard and of `top`, from the built package.
import { runBundled } from './run-bundled.mjs'

await runBundled('test/browser/make-pictures.ts')
