// Runs several peers in one process, because fifty processes would overload two cores. Arguments: the number of peers, and a bootstrap address.
import { join } from '../../dist/index.js'

const [count, bootstrap] = process.argv.slice(2)
const peers = await Promise.all(
  Array.from({ length: Number(count) }, () =>
    join({
      cluster: process.env.P2P_WORKER_CLUSTER,
      key: process.env.P2P_WORKER_KEY,
      listen: ['/ip4/127.0.0.1/tcp/0'],
      bootstrap: [bootstrap],
      mdns: false,
      slots: 1,
      role: 'worker'
    })
  )
)
process.send({ ids: peers.map(({ id }) => id) })
// The benchmark has ended.
process.once('disconnect', () => process.exit(0))
