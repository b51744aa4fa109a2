// The service of one-service.mjs in a program that is itself a peer. Only the peer that leads runs the service.
//
//   P2P_WORKER_KEY=… node examples/one-service-peer.mjs 8080   # on each of several machines
//
// mDNS finds peers of the local network. For other networks set P2P_WORKER_BOOTSTRAP to the address of a peer.
import { join } from 'p2p-worker'
import { serve } from './one-service.mjs'

const port = Number(process.argv[2] ?? 8080)
const { P2P_WORKER_CLUSTER: cluster, P2P_WORKER_KEY: key, P2P_WORKER_BOOTSTRAP: addresses } = process.env
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())

const peer = await join({
  cluster,
  key,
  bootstrap: addresses?.split(/[\s,]+/),
  mdns: addresses === undefined,
  // This peer may lead, but runs no chunks.
  role: 'leader',
  signal: stop.signal
})
console.log(`peer ${peer.id} has joined`)
try {
  // The function runs while this peer leads. `signal` aborts when the leadership ends, or when this program receives SIGINT or SIGTERM.
  await peer.lead(({ epoch, signal }) => serve({ epoch, port, signal }), { signal: stop.signal })
} catch (error) {
  if (!stop.signal.aborted) throw error
} finally {
  await peer.leave()
}
