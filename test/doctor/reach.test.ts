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

test('reach tells a port on which a process listens from one on which none does', async () => {
  const address = multiaddr(`/ip4/127.0.0.1/tcp/${port}`)
  expect(await reach(address, never)).toBe('accepted')
  await new Promise(resolve => server.close(resolve))
  expect(await reach(address, never)).toBe('refused')
})

test('a name without an address, or whose lookup fails, is no-such-host', async () => {
  const address = multiaddr(`/dns4/host.example/tcp/${port}`)
  expect(await reach(address, never, nobody)).toBe('no-such-host')
  expect(await reach(address, never, () => Promise.reject(new Error('no DNS')))).toBe('no-such-host')
})

test('one answering address of a name is enough, and only the family of the multiaddr is looked up', async () => {
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

test('an aborted check throws the signal’s reason', async () => {
  const controller = new AbortController()
  const asked = reach(multiaddr('/dns4/host.example/tcp/1'), controller.signal, () => new Promise(() => {}))
  controller.abort(new Error('enough'))
  await expect(asked).rejects.toThrow('enough')
  await expect(reach(multiaddr(`/ip4/127.0.0.1/tcp/${port}`), controller.signal)).rejects.toThrow('enough')
})
