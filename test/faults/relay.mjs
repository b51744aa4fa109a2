// A TCP proxy: relay.mjs LISTEN_HOST PORT TARGET_HOST. When the proxy is killed, the kernel resets its connections.
import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'

const [host, port, target] = process.argv.slice(2)
const server = createServer(inbound => {
  const outbound = connect(Number(port), target)
  pipeline(inbound, outbound, inbound, () => {})
})
server.listen(Number(port), host, () => console.log('up'))
