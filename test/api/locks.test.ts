/** Locks and named leaderships of three peers and a client, in one process. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { connect } from '../../src/api/client.ts'
import { join } from '../../src/api/peer.ts'
import { InvalidOptionError, LockLostError, LockTimeoutError, StoppedError } from '../../src/common/errors.ts'
import type { Client, Lock, Peer } from '../../src/index.ts'

const COMMON = { cluster: 'locks', insecure: true, mdns: false } as const
const SOON = { timeout: 20_000, interval: 10 }

let peers: Peer[]
let clients: Client[]

async function start(): Promise<Peer> {
  const bootstrap = peers[0]?.addresses() ?? []
  const peer = await join({ ...COMMON, bootstrap, listen: ['/ip4/127.0.0.1/tcp/0'], profile: 'local', slots: 1 })
  peers.push(peer)
  return peer
}

/** Connects a client through the first peer. */
async function attach(): Promise<Client> {
  const client = await connect({ ...COMMON, bootstrap: peers[0]!.addresses() })
  clients.push(client)
  return client
}

/** Resolves with the leader that all peers follow. */
async function leaderOf(followers: readonly Peer[]): Promise<Peer> {
  return await vi.waitFor(() => {
    const [first, ...others] = followers
    for (const other of others) expect(other.leader).toEqual(first!.leader)
    const leader = followers.find(({ id }) => id === first!.leader?.id)
    expect(
      followers.every(peer => peer.members().filter(({ state }) => state === 'alive').length === followers.length)
    ).toBe(true)
    expect(leader).toBeDefined()
    return leader!
  }, SOON)
}

/** Resolves as soon as `count` sessions wait for a lock. */
async function waiting(client: Client | Peer, name: string, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const info = (await client.locks()).find(lock => lock.name === name)
    expect(info?.waiters).toHaveLength(count)
  }, SOON)
}

async function startAll(): Promise<void> {
  peers = []
  clients = []
  await start()
  await Promise.all([start(), start()])
  await leaderOf(peers)
}

async function stopAll(): Promise<void> {
  await Promise.all(clients.map(client => client.close()))
  await Promise.all(peers.map(peer => peer.leave()))
}

describe('locks', () => {
  let client: Client

  beforeAll(async () => {
    await startAll()
    client = await attach()
  }, 30_000)
  afterAll(stopAll)

  test('a second client gets a lock when the first one has released it, with a larger token', async () => {
    const [first, other] = [await client.lock('handed'), await attach()]
    const granted = other.lock('handed')
    await waiting(client, 'handed', 1)
    const order: string[] = []
    const second = granted.then(lock => {
      order.push('granted')
      return lock
    })
    order.push('released')
    await first.release()
    expect((await second).token).toBeGreaterThan(first.token)
    expect(order).toEqual(['released', 'granted'])
    expect(first.signal.aborted).toBe(false)
    await (await second).release()
  })

  test('`await using` releases a lock at the end of its block, also when the block throws', async () => {
    const failing = async (): Promise<void> => {
      await using lock = await client.lock('used')
      throw new Error(`token ${lock.token}`)
    }
    await expect(failing()).rejects.toThrow(/token \d+/)
    await using lock = await client.lock('used', { wait: 0 })
    expect(lock.remaining()).toBeGreaterThan(5_000)
  })

  test('those who wait get a lock in the order in which they came', async () => {
    const held = await client.lock('ordered')
    const order: number[] = []
    const all: Promise<void>[] = []
    for (const number of [1, 2, 3, 4]) {
      const from = number % 2 === 0 ? client : peers[number % 3]!
      all.push(
        from.lock('ordered').then(async lock => {
          order.push(number)
          await lock.release()
        })
      )
      await waiting(client, 'ordered', number)
    }
    await held.release()
    await Promise.all(all)
    expect(order).toEqual([1, 2, 3, 4])
  })

  test('a semaphore has as many holders as its limit, and others must give the same limit', async () => {
    const held = [await client.lock('pool', { limit: 2 }), await peers[0]!.lock('pool', { limit: 2 })]
    await expect(client.lock('pool', { limit: 2, wait: 0 })).rejects.toThrow(LockTimeoutError)
    await expect(client.lock('pool')).rejects.toThrow(InvalidOptionError)
    await expect(client.lock('pool')).rejects.toThrow('has the limit 2, not 1: give all its clients the same limit')
    for (const lock of held) await lock.release()
    await (await client.lock('pool')).release()
  })

  test('a client that waits no longer leaves the queue', async () => {
    const held = await client.lock('impatient')
    await expect(client.lock('impatient', { wait: 0 })).rejects.toThrow(
      'the lock "impatient" is held: `p2p-worker locks` shows who'
    )
    await expect(client.lock('impatient', { wait: 50 })).rejects.toThrow('was not granted within 0.05 s')
    const reason = new Error('enough')
    const aborting = new AbortController()
    const aborted = client.lock('impatient', { signal: aborting.signal, onWaiting: () => aborting.abort(reason) })
    await expect(aborted).rejects.toBe(reason)
    await waiting(client, 'impatient', 0)
    await held.release()
  })

  test('an `onWaiting` that throws ends the wait with its error, and no other lock of the client', async () => {
    const other = await attach()
    await using _held = await client.lock('told')
    await using kept = await other.lock('kept')
    const onWaiting = (): never => {
      throw new RangeError('not told')
    }
    await expect(other.lock('told', { onWaiting })).rejects.toThrow(RangeError)
    await waiting(client, 'told', 0)
    expect(kept.signal.aborted).toBe(false)
  })

  test('`locks` lists who holds and who waits', async () => {
    const held = await client.lock('listed', { ttl: 5_000, limit: 1 })
    const next = peers[1]!.lock('listed')
    await waiting(client, 'listed', 1)
    const info = (await peers[2]!.locks()).find(({ name }) => name === 'listed')
    expect(info).toMatchObject({
      kind: 'lock',
      limit: 1,
      token: held.token,
      holders: [{ client: client.id, owner: expect.stringMatching(`:${process.pid}$`), token: held.token, ttl: 5_000 }],
      waiters: [{ client: peers[1]!.id }]
    })
    expect(Math.abs(Date.now() - info!.holders[0]!.since)).toBeLessThan(10_000)
    await held.release()
    await (await next).release()
  })

  test('a client that closes releases its locks, and their signals abort', async () => {
    const closing = await attach()
    const lock = await closing.lock('closing')
    await closing.close()
    expect(lock.signal.reason).toBeInstanceOf(LockLostError)
    await (await client.lock('closing', { wait: 3_000 })).release()
    await expect(closing.lock('closing')).rejects.toThrow(StoppedError)
  })

  test.each([
    ['', {}, 'the name of a lock must have 1 to 200 characters, not 0 characters'],
    ['x'.repeat(201), {}, 'not 201 characters'],
    ['a', { limit: 0 }, 'a whole number from 1 to 1000, not 0'],
    ['a', { limit: 1.5 }, 'a whole number from 1 to 1000, not 1.5'],
    ['a', { ttl: 999 }, 'must be 1000 to 30000 ms, not 999'],
    ['a', { ttl: 30_001 }, 'must be 1000 to 30000 ms, not 30001'],
    ['a', { wait: -1 }, '`wait` must be a number of ms, 0 or more, not -1']
  ])('a lock named %j with %j is refused', async (name, options, message) => {
    await expect(client.lock(name, options)).rejects.toThrow(InvalidOptionError)
    await expect(client.lock(name, options)).rejects.toThrow(message)
  })

  test('a hundred locks are listed, and then the rest of them', async () => {
    const names = Array.from({ length: 130 }, (_, i) => `many ${i}`)
    const held = await Promise.all(names.map(name => client.lock(name)))
    const listed = (await client.locks()).map(({ name }) => name).filter(name => name.startsWith('many'))
    expect(listed.toSorted()).toEqual(names.toSorted())
    await Promise.all(held.map(lock => lock.release()))
  })
})

describe('when the leader leaves', () => {
  beforeEach(startAll, 30_000)
  afterEach(stopAll)

  test('a lock stays with its holder, those who wait keep their order, and tokens go on growing', async () => {
    const leader = await leaderOf(peers)
    const others = peers.filter(peer => peer !== leader)
    const client = await connect({ ...COMMON, bootstrap: others[0]!.addresses() })
    clients.push(client)
    const held = await client.lock('night')
    const order: string[] = []
    const take = async (who: string, from: Client | Peer): Promise<Lock> => {
      const lock = await from.lock('night')
      order.push(who)
      await lock.release()
      return lock
    }
    const first = take('first', others[0]!)
    await waiting(client, 'night', 1)
    const second = take('second', others[1]!)
    await waiting(client, 'night', 2)
    await leader.leave()
    await leaderOf(others)
    await waiting(client, 'night', 2)
    expect(held.signal.aborted).toBe(false)
    await held.release()
    const tokens = [held, await first, await second].map(({ token }) => token)
    expect(order).toEqual(['first', 'second'])
    expect(tokens).toEqual(tokens.toSorted((a, b) => a - b))
  })

  test('the peers that lead names share them evenly, and take over those of a peer that leaves', async () => {
    const names = ['a', 'b', 'c', 'd']
    const led = new Map<string, string>()
    const tokens = new Map<string, number[]>()
    const overlaps: string[] = []
    const stop = new AbortController()
    const work = peers.flatMap(peer =>
      names.map(name =>
        peer.lead(
          async ({ epoch, signal }) => {
            if (led.has(name)) overlaps.push(name)
            led.set(name, peer.id)
            tokens.set(name, [...(tokens.get(name) ?? []), epoch])
            await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
            led.delete(name)
          },
          { name, signal: stop.signal, ttl: 2_000, grace: 100 }
        )
      )
    )
    const ended = Promise.allSettled(work)
    const counts = (): number[] => peers.map(({ id }) => [...led.values()].filter(leader => leader === id).length)
    await vi.waitFor(() => expect(counts().toSorted()).toEqual([1, 1, 2]), SOON)
    const leaving = peers.shift()!
    await leaving.leave()
    await vi.waitFor(() => expect(counts()).toEqual([2, 2]), SOON)
    stop.abort()
    await ended
    expect(overlaps).toEqual([])
    for (const list of tokens.values()) expect(list).toEqual(list.toSorted((a, b) => a - b))
  })

  test('a named leadership refuses a ttl without a name, and a grace that its ttl has no room for', async () => {
    const [peer] = peers
    await expect(peer!.lead(() => {}, { ttl: 2_000 })).rejects.toThrow('`ttl` is an option of named leaderships')
    await expect(peer!.lead(() => {}, { name: '' })).rejects.toThrow('1 to 200 characters')
    await expect(peer!.lead(() => {}, { name: 'a', ttl: 1_000, grace: 900 })).rejects.toThrow(
      /a grace of 900 ms is too long for a ttl of 1000 ms, which has room for \d+ ms: give it a ttl of at least \d+ ms/
    )
  })
})
