/** What every `LeaseStore` must do: the same tests for each store. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AcquireRequest, LeaseState, LeaseStore } from '../../../src/election/store/lease-store.ts'

export interface StoreUnderTest {
  /** Opens one more client of the same store. */
  open(): LeaseStore
  /** Removes the store. Its clients are closed. */
  remove(): Promise<void>
}

/** A long lease time, in ms: no lease of this time ends during a test. */
const LONG = 60_000

/** Tests a store. `create` makes a store in which no lease was ever held. */
export function describeLeaseStore(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`the store ${name}`, () => {
    const { signal } = new AbortController()
    const opened: LeaseStore[] = []
    let store: StoreUnderTest
    let a: LeaseStore
    let b: LeaseStore

    const open = (): LeaseStore => {
      const client = store.open()
      opened.push(client)
      return client
    }
    const acquire = (client: LeaseStore, session: string, request: Partial<AcquireRequest> = {}) =>
      client.acquire({
        holder: `peer-of-${session}`,
        session,
        leaseTime: LONG,
        record: () => session,
        signal,
        ...request
      })
    const state = (client: LeaseStore, is: (state: LeaseState) => boolean = () => true) => nextState(client, is)
    const shortest = (): number => a.leastLeaseTime ?? 500

    beforeEach(async () => {
      store = await create()
      a = open()
      b = open()
    })

    afterEach(async () => {
      for (const client of opened.splice(0)) await client.close?.()
      await store.remove()
    })

    it('a new store has no holder and no record', async () => {
      expect(await state(a)).toMatchObject({ holder: undefined, heir: undefined, record: undefined })
    })

    it('the store grants the lease to one session, and shows its holder', async () => {
      expect(await acquire(a, 's1')).toMatchObject({ record: 's1' })
      expect(await acquire(b, 's2')).toBeUndefined()
      expect(await state(b)).toMatchObject({ holder: 'peer-of-s1', heir: undefined, record: 's1' })
    })

    it('the store grants a lease again to the session that holds it', async () => {
      await acquire(a, 's1')
      const again = await acquire(a, 's1', { record: recorded => `${recorded}, again` })
      expect(again).toMatchObject({ record: 's1, again' })
    })

    it('of twelve requests at once the store grants one', async () => {
      const clients = Array.from({ length: 12 }, open)
      const granted = await Promise.all(clients.map((client, i) => acquire(client, `s${i}`)))
      const winners = granted.filter(lease => lease !== undefined)
      expect(winners).toHaveLength(1)
      expect((await state(a)).record).toBe(winners[0]!.record)
    })

    it('the record outlives the lease, and the next holder goes on from it', async () => {
      await acquire(a, 's1', { record: () => '1' })
      await a.release({ session: 's1', signal })
      expect(await state(b)).toMatchObject({ holder: undefined, record: '1' })
      const next = await acquire(b, 's2', { record: recorded => String(Number(recorded) + 1) })
      expect(next).toMatchObject({ record: '2' })
    })

    it('no change of the record is lost, whoever makes it', async () => {
      const clients = Array.from({ length: 4 }, open)
      await Promise.all(
        clients.map(async (client, i) => {
          for (let done = 0; done < 5; ) {
            const session = `s${i}-${done}`
            const lease = await acquire(client, session, { record: recorded => String(Number(recorded ?? 0) + 1) })
            if (lease === undefined) await state(client, ({ holder }) => holder === undefined)
            else {
              await client.release({ session, signal })
              done += 1
            }
          }
        })
      )
      expect((await state(a)).record).toBe('20')
    })

    it('only the session that holds the lease can renew it, and change the record', async () => {
      await acquire(a, 's1')
      expect(await b.renew({ session: 's2', leaseTime: LONG, record: () => 'of s2', signal })).toBe(false)
      expect(await a.renew({ session: 's1', leaseTime: LONG, signal })).toBe(true)
      expect(await state(b)).toMatchObject({ holder: 'peer-of-s1', record: 's1' })
      expect(
        await a.renew({ session: 's1', leaseTime: LONG, record: recorded => `${recorded}, renewed`, signal })
      ).toBe(true)
      expect(await state(b)).toMatchObject({ record: 's1, renewed' })
    })

    it('a lease that is not renewed ends, and its session cannot renew it when another has taken it', async () => {
      await acquire(a, 's1', { leaseTime: shortest() })
      expect(await state(b, ({ holder }) => holder === undefined)).toMatchObject({ record: 's1' })
      expect(await acquire(b, 's2')).toMatchObject({ record: 's2' })
      expect(await a.renew({ session: 's1', leaseTime: LONG, record: () => 'late', signal })).toBe(false)
      expect(await state(a)).toMatchObject({ holder: 'peer-of-s2', record: 's2' })
    })

    it('a renewed lease lasts for the time of its renewal', async () => {
      const leaseTime = 3 * shortest()
      await acquire(a, 's1', { leaseTime: shortest() })
      const began = performance.now()
      expect(await a.renew({ session: 's1', leaseTime, signal })).toBe(true)
      await state(b, ({ holder }) => holder === undefined)
      // Less the rounding of the store's clock.
      expect(performance.now() - began).toBeGreaterThan(leaseTime - 10)
    })

    it('renewals at the same time all succeed, and the lease goes on', async () => {
      await acquire(a, 's1')
      const renewals = Array.from({ length: 6 }, (_, i) => {
        const record = i % 2 === 0 ? undefined : (recorded: string) => `${recorded}+`
        return a.renew({ session: 's1', leaseTime: LONG, record, signal })
      })
      expect(await Promise.all(renewals)).toEqual([true, true, true, true, true, true])
      expect(await state(b)).toMatchObject({ holder: 'peer-of-s1', record: 's1+++' })
    })

    it('a transferred lease goes to the heir only', async () => {
      await acquire(a, 's1')
      await a.transfer({ session: 's1', heir: 'peer-of-s3', leaseTime: LONG, signal })
      expect(await state(a)).toMatchObject({ holder: undefined, heir: 'peer-of-s3', record: 's1' })
      expect(await acquire(b, 's2')).toBeUndefined()
      expect(await a.renew({ session: 's1', leaseTime: LONG, signal })).toBe(false)
      expect(await acquire(b, 's3')).toMatchObject({ record: 's3' })
    })

    it('a reservation for an heir that does not come ends', async () => {
      await acquire(a, 's1')
      await a.transfer({ session: 's1', heir: 'gone', leaseTime: shortest(), signal })
      await state(b, ({ heir }) => heir === undefined)
      expect(await acquire(b, 's2')).toMatchObject({ record: 's2' })
    })

    it('a session that does not hold the lease cannot release or transfer it', async () => {
      await acquire(a, 's1')
      await b.release({ session: 's2', signal })
      await b.transfer({ session: 's2', heir: 'peer-of-s2', leaseTime: LONG, signal })
      expect(await state(b)).toMatchObject({ holder: 'peer-of-s1', heir: undefined })
    })

    it('a watch yields the present state, and then each change', async () => {
      const seen: (string | undefined)[] = []
      const over = new AbortController()
      for await (const { holder, heir } of b.watch({ signal: over.signal })) {
        const now = heir === undefined ? holder : `for ${heir}`
        if (seen.length === 0 || seen.at(-1) !== now) seen.push(now)
        if (seen.length === 1) await acquire(a, 's1')
        else if (seen.length === 2) await a.transfer({ session: 's1', heir: 'peer-of-s2', leaseTime: LONG, signal })
        else if (seen.length === 3) await acquire(a, 's2')
        else if (seen.length === 4) await a.release({ session: 's2', signal })
        else over.abort()
      }
      expect(seen).toEqual([undefined, 'peer-of-s1', 'for peer-of-s2', 'peer-of-s2', undefined])
    })

    it('a request whose signal has aborted rejects', async () => {
      const aborted = AbortSignal.abort(new Error('no longer wanted'))
      await expect(acquire(a, 's1', { signal: aborted })).rejects.toThrow()
      await expect(a.renew({ session: 's1', leaseTime: LONG, signal: aborted })).rejects.toThrow()
    })
  })
}

/** Resolves with the next state that `is` accepts. */
async function nextState(client: LeaseStore, is: (state: LeaseState) => boolean): Promise<LeaseState> {
  const over = new AbortController()
  try {
    for await (const state of client.watch({ signal: over.signal })) if (is(state)) return state
  } finally {
    over.abort()
  }
  throw new Error('the watch has ended')
}
