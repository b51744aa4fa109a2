// Increments the number in a file, each time under a lock: node increment.mjs BOOTSTRAP FILE TIMES. Reading and writing are two steps.
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from '../../dist/index.js'

const [bootstrap, file, times] = process.argv.slice(2)
const client = await connect({
  cluster: process.env.P2P_WORKER_CLUSTER,
  key: process.env.P2P_WORKER_KEY,
  mdns: false,
  bootstrap: bootstrap.split(',')
})
for (let i = 0; i < Number(times); i++) {
  const lock = await client.lock('counter', { ttl: 2_000 })
  const before = Number(await readFile(file, 'utf8'))
  await writeFile(file, String(before + 1))
  await lock.release()
}
await client.close()
