import { onTestFinished } from 'vitest'
import { createNetwork } from '../../src/network/network.ts'
import type { NetworkOptions } from '../../src/network/network-options.ts'
import type { Codec, Network, NetworkEvents } from '../../src/network/types.ts'

/** Starts a network on loopback. The network stops when the test ends. */
export async function start(options: Partial<NetworkOptions> = {}): Promise<Network> {
  const network = await createNetwork({
    cluster: 'test',
    listen: ['/ip4/127.0.0.1/tcp/0'],
    bootstrap: [],
    mdns: false,
    topics: ['news', 'members', 'leader'],
    ...options
  })
  onTestFinished(() => network.stop())
  return network
}

/** Starts two networks. The second network has the first network as its bootstrap address, and both are connected. */
export async function pair(options: Partial<NetworkOptions> = {}): Promise<[Network, Network]> {
  const a = await start(options)
  const b = await start({ ...options, bootstrap: [address(a)] })
  await Promise.all([connected(a, b), connected(b, a)])
  return [a, b]
}

/** Returns the first address of a network, with its PeerId. */
export function address(network: Network): string {
  const [first] = network.addresses()
  if (first === undefined) throw new Error('it listens nowhere')
  return first
}

/** Returns the port of a network that listens on one address. */
export function port(network: Network): string {
  return address(network).split('/')[4] ?? ''
}

/** Resolves with the next event of `type` that `matches`. */
export function event<K extends keyof NetworkEvents>(
  network: Network,
  type: K,
  matches: (detail: NetworkEvents[K]['detail']) => boolean = () => true
): Promise<NetworkEvents[K]['detail']> {
  return new Promise(resolve => {
    const listener = (event: NetworkEvents[K]) => {
      if (!matches(event.detail)) return
      network.removeEventListener(type, listener)
      resolve(event.detail)
    }
    network.addEventListener(type, listener)
  })
}

/** Resolves when `network` is connected to `other`. */
export async function connected(network: Network, other: Network): Promise<void> {
  if (!network.isConnected(other.self)) await event(network, 'connected', ({ peer }) => peer === other.self)
}

export { until } from './until.ts'

/** A promise and its resolver. */
export function deferred<T>(): { promise: Promise<T>; resolve(value: T): void } {
  let resolve!: (value: T) => void
  const promise = new Promise<T>(onResolve => {
    resolve = onResolve
  })
  return { promise, resolve }
}

export const bytesCodec: Codec<Uint8Array> = { encode: message => message, decode: bytes => bytes }

export const textCodec: Codec<string> = {
  encode: message => new TextEncoder().encode(message),
  decode: bytes => new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}
