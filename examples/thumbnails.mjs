// P2P_WORKER_KEY=… node examples/thumbnails.mjs photos thumbnails
//
// Makes thumbnails of all JPEGs and PNGs of a folder, on all peers of a cluster. It reads the pictures here, runs examples/thumbnail.ts at the
// peers, and writes each thumbnail as it arrives. `join` prints where it keeps the cluster's key. The third argument is the longer side in
// pixels; 256 unless set.
//
// A picture travels as its bytes, not as its path, because peers on other machines do not have the folder. That pays: to decode and shrink a
// photograph takes many times as long as to send it. `map` reads files as fast as peers take them, some ten megabytes ahead, so the folder may
// be larger than any memory. Kill any peer: each thumbnail still arrives once.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'p2p-worker'

const [folder = 'photos', target = 'thumbnails', longerSide = '256'] = process.argv.slice(2)
if (!(Number(longerSide) >= 1)) throw new RangeError(`${longerSide} is no number of pixels`)
const { P2P_WORKER_CLUSTER: cluster, P2P_WORKER_KEY: key, P2P_WORKER_BOOTSTRAP: addresses } = process.env

async function* pictures() {
  for (const name of (await readdir(folder)).sort()) {
    if (!/\.(jpe?g|png)$/i.test(name)) continue
    yield { name, bytes: new Uint8Array(await readFile(join(folder, name))), longerSide: Number(longerSide) }
  }
}

await mkdir(target, { recursive: true })
// mDNS finds peers of the local network; other networks need an address.
const client = await connect({ cluster, key, bootstrap: addresses?.split(/[\s,]+/), mdns: addresses === undefined })
try {
  const task = new URL('thumbnail.ts', import.meta.url)
  // Unordered, so that a large picture does not delay others.
  for await (const { name, bytes, width, height, problem } of client.map(pictures(), task, { ordered: false })) {
    if (problem === undefined) {
      await writeFile(join(target, name), bytes)
      console.log(`${name}: ${width}x${height}`)
    } else {
      console.error(`${name} is left out: ${problem}`)
      process.exitCode = 1
    }
  }
} finally {
  await client.close()
}
