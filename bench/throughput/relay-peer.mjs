// A peer of the bare relay (relay.ts), which passes frames on unchanged over the shipped network code.
//     node relay-peer.mjs KEY echo
//     node relay-peer.mjs KEY relay ECHO_ADDRESS…
// The peer prints its address, which ends with its PeerId. A line on stdin ends the peer.
import { parseClusterKey } from '../../dist/network/cluster-key.js'
import { createNetwork } from '../../dist/network/network.js'
import { frames } from './relay-frames.mjs'

const [key, role, ...bootstrap] = process.argv.slice(2)
const listen = ['/ip4/127.0.0.1/tcp/0']
const network = await createNetwork({ cluster: 'relay', key: parseClusterKey(key), listen, bootstrap, mdns: false })
const echoes = []
let next = 0
const protocol = network.register(frames, {
  // Awaiting each send slows down a sender that is too fast.
  async onMessage(frame, from) {
    if (role === 'echo') await from.send(frame)
    else if (echoes.includes(from.remote)) await client.send(frame)
    else {
      client = from
      await protocol.send(echoes[next++ % echoes.length], frame)
    }
  }
})
let client
for (const address of bootstrap) echoes.push(address.split('/p2p/')[1])
for (const echo of echoes) while (!network.isConnected(echo)) await new Promise(resolve => setTimeout(resolve, 20))
console.log(network.addresses()[0])
process.stdin.once('data', () => network.stop().then(() => process.exit()))
process.stdin.once('end', () => process.exit())
