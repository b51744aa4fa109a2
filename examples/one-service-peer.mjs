// The service of one-service.mjs in a program that is a peer itself: whichever of them leads, serves.
//
//   P2P_WORKER_KEY=… node examples/one-service-peer.mjs 8080   # on each of several machines
//
// Peers of the local network are found by mDNS; of others, P2P_WORKER_BOOTSTRAP says an address.
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
  // May lead, and computes nothing for others.
  role: 'leader',
  signal: stop.signal
})
console.log(`peer ${peer.id} has joined`)
try {
  // The function runs while this peer leads. Its signal is aborted when the leadership ends, or when this program is told to end.
  await peer.lead(({ epoch, signal }) => serve({ epoch, port, signal }), { signal: stop.signal })
} catch (error) {
  if (!stop.signal.aborted) throw error
} finally {
  await peer.leave()
}
