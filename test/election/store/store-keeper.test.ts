import { TypedEventEmitter } from 'main-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CoreEvent } from '../../../src/election/core/events.ts'
import { StoreKeeper } from '../../../src/election/store/store-keeper.ts'
import type { Member } from '../../../src/membership/core/member.ts'
import type { Membership, MembershipEvents } from '../../../src/membership/types.ts'
import { MemoryLease } from './memory-lease.ts'

const LEASE_MS = 1_000
const PATIENCE_MS = 5_000
const RECORD = (id: string): string => JSON.stringify({ id, epoch: 7, holders: [], changes: 0 })

/** A membership whose members the test sets. */
class FakeMembership extends TypedEventEmitter<MembershipEvents> {
  readonly #members = new Map<string, Member>()

  members(): Member[] {
    return [...this.#members.values()]
  }

  set(id: string, state: Member['state']): void {
    const member = { id, state } as Member
    this.#members.set(id, member)
    this.dispatchEvent(new CustomEvent('member', { detail: { member, previous: undefined } }))
  }
}

describe('StoreKeeper', () => {
  let lease: MemoryLease
  let membership: FakeMembership
  let told: CoreEvent[]
  let keeper: StoreKeeper

  beforeEach(() => {
    vi.useFakeTimers()
    lease = new MemoryLease()
    membership = new FakeMembership()
    for (const id of ['self', 'b', 'c', 'd']) membership.set(id, 'alive')
    told = []
    keeper = new StoreKeeper({
      self: 'self',
      opened: { store: lease.client(), id: 'race', leaseTime: LEASE_MS, drift: 0.01 },
      membership: membership as unknown as Membership,
      patience: PATIENCE_MS,
      logger: undefined,
      told: event => told.push(event)
    })
  })

  afterEach(async () => {
    await keeper.stop()
    vi.useRealTimers()
  })

  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  it('the keeper gets the lease with an epoch above the record and above the epoch that is asked for', async () => {
    lease.state.record = RECORD('race')
    keeper.seek(3)
    await pass(0)
    expect(told).toEqual([{ type: 'held', epoch: 8 }])
    expect(keeper.remaining(8)).toBeGreaterThan(0)
    expect(keeper.remaining(7)).toBe(0)
    keeper.release(undefined)
    await pass(0)
    keeper.seek(20)
    await pass(0)
    expect(told.at(-1)).toEqual({ type: 'held', epoch: 21 })
  })

  it('a lease is lost before the store would grant it to another peer', async () => {
    keeper.seek(0)
    await pass(0)
    lease.failure = new Error('no route to the store')
    while (told.every(({ type }) => type !== 'lost')) await pass(10)
    expect(lease.state.holder).toBe('self')
    await pass(LEASE_MS)
    expect(lease.state.holder).toBeUndefined()
  })

  it('a keeper whose lease is taken by another session loses it at once', async () => {
    keeper.seek(0)
    await pass(0)
    lease.change({ session: 'of another', holder: 'b' }, 60_000)
    await pass(LEASE_MS / 4)
    expect(told.at(-1)).toEqual({ type: 'lost', ago: 0 })
  })

  it('the leader names the holders of the journal in the record, and the next leader finds them', async () => {
    keeper.seek(0)
    await pass(0)
    const { holders } = keeper
    expect(holders!.named).toEqual([])
    expect(await holders!.name(['self', 'b'])).toBe(true)
    expect(JSON.parse(lease.state.record!)).toMatchObject({ epoch: 1, holders: ['self', 'b'] })
    expect(await holders!.name(['self', 'c'])).toBe(true)
    keeper.release(undefined)
    await pass(0)
    expect(keeper.holders).toBeUndefined()
    expect(await holders!.name(['self'])).toBe(false)
    keeper.seek(1)
    await pass(0)
    expect(keeper.holders!.named).toEqual(['self', 'c'])
  })

  it('a store that holds the record of another cluster grants nothing', async () => {
    lease.state.record = RECORD('another race')
    keeper.seek(0)
    await pass(5_000)
    expect(told).toEqual([])
    expect(lease.state).toMatchObject({ holder: undefined, record: RECORD('another race') })
  })

  it('the release follows the requests that have not ended', async () => {
    const order: string[] = []
    const client = lease.client()
    await keeper.stop()
    keeper = new StoreKeeper({
      self: 'self',
      opened: {
        store: {
          ...client,
          acquire: request =>
            new Promise((_, reject) => {
              request.signal.addEventListener('abort', () => {
                order.push('acquire ends')
                reject(request.signal.reason)
              })
            }),
          release: async () => void order.push('release')
        },
        id: 'race',
        leaseTime: LEASE_MS,
        drift: 0.01
      },
      membership: membership as unknown as Membership,
      patience: PATIENCE_MS,
      logger: undefined,
      told: event => told.push(event)
    })
    keeper.seek(0)
    keeper.release(undefined)
    await keeper.flush()
    expect(order).toEqual(['acquire ends', 'release'])
  })

  it('a leader that reaches fewer than half of its members for the whole patience loses the lease, and rests for one lease time', async () => {
    keeper.seek(0)
    await pass(0)
    for (const id of ['b', 'c', 'd']) membership.set(id, 'suspect')
    await pass(PATIENCE_MS - 100)
    membership.set('c', 'alive')
    await pass(PATIENCE_MS)
    // It reaches itself and c, which is half of the four members.
    expect(told.map(({ type }) => type)).toEqual(['held'])
    for (const id of ['b', 'c', 'd']) membership.set(id, 'dead')
    await pass(PATIENCE_MS + LEASE_MS)
    expect(told.map(({ type }) => type)).toEqual(['held', 'lost'])
    keeper.seek(1)
    await pass(LEASE_MS / 2)
    expect(lease.state.holder).toBeUndefined()
    await pass(LEASE_MS)
    expect(told.map(({ type }) => type)).toEqual(['held', 'lost', 'held'])
    // The new leadership begins with the members that are live then.
    await pass(2 * PATIENCE_MS)
    expect(told).toHaveLength(3)
  })
})
