import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { multiaddr } from '@multiformats/multiaddr'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Lookup, reach } from '../../src/doctor/reach.ts'

let server: Server
let port: number

beforeEach(async () => {
  server = createServer(socket => socket.destroy())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
})

afterEach(async () => {
  if (server.listening) await new Promise(resolve => server.close(resolve))
})

const never = new AbortController().signal
const nobody: Lookup = async () => []

test('a port is `accepted` while a process listens on it, and `refused` otherwise', async () => {
  const address = multiaddr(`/ip4/127.0.0.1/tcp/${port}`)
  expect(await reach(address, never)).toBe('accepted')
  await new Promise(resolve => server.close(resolve))
  expect(await reach(address, never)).toBe('refused')
})

test('a name without an address or with a failed lookup is `no-such-host`', async () => {
  const address = multiaddr(`/dns4/host.example/tcp/${port}`)
  expect(await reach(address, never, nobody)).toBe('no-such-host')
  expect(await reach(address, never, () => Promise.reject(new Error('no DNS')))).toBe('no-such-host')
})

test('a name is `accepted` if one of its addresses in the multiaddr’s IP family answers', async () => {
  const families: number[] = []
  const find: Lookup = async (_, family) => {
    families.push(family)
    return ['127.0.0.2', '127.0.0.1']
  }
  expect(await reach(multiaddr(`/dns4/host.example/tcp/${port}`), never, find)).toBe('accepted')
  expect(await reach(multiaddr(`/dns6/host.example/tcp/${port}`), never, find)).toBe('accepted')
  expect(await reach(multiaddr(`/dns/host.example/tcp/${port}`), never, find)).toBe('accepted')
  expect(families).toEqual([4, 6, 0])
})

test('an aborted reach() rejects with the reason of its signal', async () => {
  const controller = new AbortController()
  const asked = reach(multiaddr('/dns4/host.example/tcp/1'), controller.signal, () => new Promise(() => {}))
  controller.abort(new Error('enough'))
  await expect(asked).rejects.toThrow('enough')
  await expect(reach(multiaddr(`/ip4/127.0.0.1/tcp/${port}`), controller.signal)).rejects.toThrow('enough')
})
