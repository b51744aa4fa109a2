// npm run bench -- NAME: runs bench/NAME.bench.ts against the built package.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root, runBundled } from './run-bundled.mjs'

const names = readdirSync(join(root, 'bench'))
  .filter(file => file.endsWith('.bench.ts'))
  .map(file => file.slice(0, -'.bench.ts'.length))
const [name, ...args] = process.argv.slice(2)
if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench -- NAME, where NAME is one of: ${names.join(', ')}`)
  process.exit(2)
}
await runBundled(`bench/${name}.bench.ts`, args, { hasMaps: false })
