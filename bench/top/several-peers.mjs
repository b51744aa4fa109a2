// Several peers in one process: fifty processes would leave two cores nothing to measure with. Arguments: how many, the address of one that is there.
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
// Whoever started them is gone, or has measured all.
process.once('disconnect', () => process.exit(0))
