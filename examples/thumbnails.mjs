// P2P_WORKER_KEY=… node examples/thumbnails.mjs photos thumbnails
//
// Makes thumbnails of all JPEGs and PNGs of a folder, on all peers of a cluster. This program reads the pictures on this machine, runs
// examples/thumbnail.ts at the peers, and writes each thumbnail when the thumbnail arrives. `join` prints where it stores the cluster's key. The
// third argument is the longer side of a thumbnail in pixels. Default: 256.
//
// This program sends the bytes of a picture, not the path, because peers on other machines do not have the folder. Sending a photograph takes much
// less time than decoding and shrinking it. `map` reads only about ten megabytes of files before the peers need them, so the folder may be larger
// than the memory. If a peer is killed, each thumbnail still arrives exactly once.

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
// mDNS finds peers of the local network. Other networks need an address.
const client = await connect({ cluster, key, bootstrap: addresses?.split(/[\s,]+/), mdns: addresses === undefined })
try {
  const task = new URL('thumbnail.ts', import.meta.url)
  // The results are unordered, so that a large picture does not delay other thumbnails.
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
