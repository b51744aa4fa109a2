// A peer whose cluster elects by a lease in a shared folder (file-lease.mjs), in place of an election among the peers:
//
//   P2P_WORKER_KEY=… node examples/file-lease-peer.mjs /shared/lease   # several times
//
// Whichever peer gets the lease leads, and says so. At most one peer leads at any moment, even while the network is cut. mDNS finds peers of the
// local network. For other networks set P2P_WORKER_BOOTSTRAP to the address of a peer.
import { once } from 'node:events'
import { join, mutex } from 'p2p-worker'
import { fileLease } from './file-lease.mjs'

const folder = process.argv[2] ?? 'lease'
const { P2P_WORKER_CLUSTER: cluster, P2P_WORKER_KEY: key, P2P_WORKER_BOOTSTRAP: addresses } = process.env
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())

const peer = await join({
  cluster,
  key,
  bootstrap: addresses?.split(/[\s,]+/),
  mdns: addresses === undefined,
  election: mutex(fileLease({ folder })),
  leaseTime: 1_000,
  signal: stop.signal
})
console.log(`peer ${peer.id} has joined at ${peer.addresses()[0]}`)
try {
  await peer.lead(
    async ({ epoch, signal }) => {
      console.log(`leads with epoch ${epoch}`)
      if (!signal.aborted) await once(signal, 'abort')
      console.log(`leads no more with epoch ${epoch}`)
    },
    { signal: stop.signal }
  )
} catch (error) {
  if (!stop.signal.aborted) throw error
} finally {
  await peer.leave()
}
