/** The baseline for `map`: items take the same hops (client, relay, two echoes, and back) with the same encryption, but no peer stores them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { root } from '../../test/cluster/processes.ts'
import { end } from './children.ts'
import { frames } from './relay-frames.mjs'

const { createNetwork } = (await import(
  pathToFileURL(`${root}/dist/network/network.js`).href
)) as typeof import('../../src/network/network.ts')
const { generateClusterKey, parseClusterKey } = (await import(
  pathToFileURL(`${root}/dist/network/cluster-key.js`).href
)) as typeof import('../../src/network/cluster-key.ts')

/** The number of frames in flight. */
const AT_ONCE = 16
/** The number of bytes of the index at the beginning of each frame. */
const HEAD = 4

/** Calls `use` with a function that sends items through the relay. That function passes the echoed items to `take`, in order. */
export async function withRelay<T>(
  use: (send: (items: Iterable<Uint8Array>, take: (item: Uint8Array) => void) => Promise<void>) => Promise<T>
): Promise<T> {
  const key = generateClusterKey()
  const children: ChildProcess[] = []
  const start = async (role: string, ...addresses: string[]): Promise<string> => {
    const child = spawn(process.execPath, [`${root}/bench/throughput/relay-peer.mjs`, key, role, ...addresses], {
      stdio: ['pipe', 'pipe', 'inherit']
    })
    children.push(child)
    const [address] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
    return address
  }
  const echoes = [await start('echo'), await start('echo')]
  const relay = await start('relay', ...echoes)
  const network = await createNetwork({
    cluster: 'relay',
    key: parseClusterKey(key),
    listen: [],
    bootstrap: [relay],
    mdns: false
  })
  let onFrame: (frame: Uint8Array) => void = () => {}
  const protocol = network.register<Uint8Array>(frames, { onMessage: frame => onFrame(frame) })
  try {
    const peer = relay.split('/p2p/')[1]!
    while (!network.isConnected(peer)) await once(network, 'connected')
    return await use(async (items, take) => {
      const waiting = new Map<number, Uint8Array>()
      let [sent, taken] = [0, 0]
      let wake = (): void => {}
      onFrame = frame => {
        waiting.set(new DataView(frame.buffer, frame.byteOffset).getUint32(0), frame.subarray(HEAD))
        for (let item = waiting.get(taken); item !== undefined; item = waiting.get(taken)) {
          waiting.delete(taken++)
          take(item)
        }
        wake()
      }
      for (const item of items) {
        while (sent - taken >= AT_ONCE)
          await new Promise<void>(resolve => {
            wake = resolve
          })
        const frame = new Uint8Array(HEAD + item.byteLength)
        new DataView(frame.buffer).setUint32(0, sent++)
        frame.set(item, HEAD)
        await protocol.send(peer, frame)
      }
      while (taken < sent)
        await new Promise<void>(resolve => {
          wake = resolve
        })
    })
  } finally {
    await network.stop()
    await Promise.all(children.map(child => end(child)))
  }
}
