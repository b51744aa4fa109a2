import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const built = new URL('../../dist/network/network.js', import.meta.url)

/** Starts two peers, uses every feature of a network, stops them, and prints what would keep the process alive. */
const script = `
import { createHook } from 'node:async_hooks'
const timers = []
createHook({ init(id, type, trigger, resource) { if (type === 'Timeout') timers.push(resource) } }).enable()
// Gossipsub never clears the timer of its next heartbeat, which fires within 1 s. A stopped network must clear every other timer.
const isHeartbeat = timer => timer._onTimeout?.name === 'runHeartbeat'
const running = () => timers.filter(timer => !timer._destroyed && timer.hasRef() && !isHeartbeat(timer))
const { createNetwork } = await import(${JSON.stringify(built.href)})
const options = { cluster: 'stop', listen: ['/ip4/127.0.0.1/tcp/0'], mdns: true, topics: ['t'] }
const a = await createNetwork({ ...options, bootstrap: ['/ip4/127.0.0.1/tcp/9'] })
const b = await createNetwork({ ...options, bootstrap: a.addresses() })
const spec = { name: 'x', codec: { encode: bytes => bytes, decode: bytes => bytes }, maxMessageBytes: 1e7 }
const got = new Promise(resolve => a.register(spec, { onMessage: resolve }))
const protocol = b.register(spec, { onMessage () {} })
a.subscribe('t', () => {}, () => {})
b.subscribe('t', () => {}, () => {}).publish(new Uint8Array(3))
a.learn(b.self, b.addresses(), undefined)
if (!b.isConnected(a.self)) await new Promise(resolve => b.addEventListener('connected', resolve))
// When both peers dial each other at once, libp2p closes one of the two connections. Data in transit on the closed connection is lost.
for (let there = false; !there; ) {
  const channel = await protocol.channel(a.self)
  const lost = new Promise(resolve => channel.closed.addEventListener('abort', () => resolve(false)))
  await channel.send(new Uint8Array(1e6)).catch(() => {})
  there = await Promise.race([got.then(() => true), channel.closed.aborted ? false : lost])
}
// libp2p announces its listeners with a timer of 1 s, and a stop within that second does not clear the timer.
while (running().some(timer => timer._idleTimeout === 1000 && !timer._repeat)) await new Promise(resolve => setImmediate(resolve))
await Promise.all([a.stop(), b.stop()])
await b.stop()
// Node lists a closed socket as active until the handle of the socket is released.
for (let turn = 0; turn < 100; turn++) await new Promise(resolve => setImmediate(resolve))
const handles = process.getActiveResourcesInfo().filter(kind => !['PipeWrap', 'Immediate', 'Timeout'].includes(kind))
const ours = running().map(timer => timer._idleTimeout)
process.stdout.write(JSON.stringify([...handles, ...ours]))
`

test('a stopped network leaves no handle or timer that keeps the process alive', async () => {
  expect(existsSync(fileURLToPath(built)), 'built JavaScript: npm run build').toBe(true)
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { timeout: 60_000 })
  const { stdout, stderr } = await run
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual([])
})
