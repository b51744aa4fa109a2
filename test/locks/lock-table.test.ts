import { describe, expect, it } from 'vitest'
import type { LockRecord } from '../../src/journal/record.ts'
import type { LockEffect, LockEvent } from '../../src/locks/core/events.ts'
import { LockTable, type LockTableInit, SETTLE_MS } from '../../src/locks/core/lock-table.ts'
import { type LockKind, TTL } from '../../src/locks/core/types.ts'

const LIMITS = { locks: 100, lockSessions: 100, lockSessionsPerClient: 10 }

/** Drives the locks of a leader. A session `a1` belongs to the client `a`, whose connection is `a`. */
class Driver {
  now = 0
  wall = 1_000
  lasts = true
  stored = true
  tickets = 0
  readonly written: { key: string; record: LockRecord }[] = []
  readonly table: LockTable<string>
  #log: string[] = []
  #sequence = 0
  #timers = new Map<string, number>()

  constructor(init: Partial<LockTableInit> = {}) {
    this.table = new LockTable({
      epoch: 1,
      nextTicket: () => ++this.tickets,
      wall: () => this.wall,
      lasts: () => this.lasts,
      isStored: () => this.stored,
      limits: LIMITS,
      ...init
    })
  }

  /** Makes the leader ready. `age`: how long ago its peers started. */
  ready(age: number = TTL.most): this {
    return this.do({ type: 'ready', age })
  }

  keep(
    session: string,
    lock = 'night',
    more: {
      limit?: number
      ttl?: number
      ticket?: { epoch: number; number: number }
      isHeld?: boolean
      kind?: LockKind
    } = {}
  ): this {
    const { limit = 1, ttl = 10_000, ticket, isHeld = false, kind = 'lock' } = more
    const request = {
      type: 'keep',
      kind,
      name: lock,
      session,
      sequence: ++this.#sequence,
      limit,
      ttl,
      owner: 'test',
      ticket,
      isHeld
    } as const
    return this.do({ type: 'request', from: session[0]!, client: session[0]!, request })
  }

  release(session: string, lock = 'night', kind: LockKind = 'lock'): this {
    return this.do({
      type: 'request',
      from: session[0]!,
      client: session[0]!,
      request: { type: 'release', kind, name: lock, session }
    })
  }

  /** Reports that the newest entry of a lock is replicated. */
  store(key = 'lock/night'): this {
    return this.do({ type: 'replicated', key })
  }

  do(event: LockEvent<string>): this {
    for (const effect of this.table.handle(event, this.now)) this.#log.push(this.#play(effect))
    return this
  }

  /** Advances the time, with the timers that are due. */
  after(ms: number): this {
    const until = this.now + ms
    for (;;) {
      const [name, at] = [...this.#timers].sort((a, b) => a[1] - b[1])[0] ?? ['', Number.POSITIVE_INFINITY]
      if (at > until) break
      this.now = at
      this.#timers.delete(name)
      this.do({ type: 'timer', name })
    }
    this.now = until
    return this
  }

  log(): string[] {
    const log = this.#log.filter(line => line !== '')
    this.#log = []
    return log
  }

  #play(effect: LockEffect<string>): string {
    switch (effect.type) {
      case 'timer':
        if (effect.delay === undefined) this.#timers.delete(effect.name)
        else this.#timers.set(effect.name, this.now + effect.delay)
        return ''
      case 'write':
        this.written.push(effect)
        return `write ${effect.key}: ${effect.record.holders.map(({ session, token }) => `${session} ${token}`).join(', ') || 'nobody'}`
      case 'forget':
        return `forget ${effect.key}`
      case 'send': {
        const { answer } = effect
        if (answer.type === 'held') return `${answer.session} holds ${answer.token}`
        if (answer.type === 'queued') return `${answer.session} waits behind ${answer.ahead}`
        return answer.type === 'refused'
          ? `${answer.session} refused: ${answer.reason}`
          : `${answer.session} ${answer.type}`
      }
    }
  }
}

const inherited = (session: string, more: Partial<LockRecord> = {}): LockRecord => ({
  limit: 1,
  token: 2_000,
  holders: [{ session, client: session[0]!, owner: 'test', token: 2_000, ttl: 10_000, since: 0 }],
  ...more
})

describe('a leader', () => {
  it('tells a grant only when enough peers store it', () => {
    const leader = new Driver().ready().keep('a1')
    expect(leader.log()).toEqual(['write lock/night: a1 1000'])
    expect(leader.keep('a1').log()).toEqual([])
    expect(leader.store().log()).toEqual(['a1 holds 1000'])
  })

  it('serves those who wait in the order in which they came', () => {
    const leader = new Driver().ready().keep('a1').store().keep('b1').keep('c1')
    expect(leader.log().slice(2)).toEqual(['b1 waits behind 0', 'c1 waits behind 1'])
    expect(leader.release('a1').log()).toEqual(['write lock/night: b1 1001'])
    expect(leader.store().log()).toEqual(['b1 holds 1001', 'a1 released'])
    expect(leader.release('b1').store().log()).toEqual(['write lock/night: c1 1002', 'c1 holds 1002', 'b1 released'])
  })

  it('keeps the place of a client whose connection has broken, and gives the lock to the next one meanwhile', () => {
    const leader = new Driver().ready().keep('a1').store().keep('b1').keep('c1').do({ type: 'closed', from: 'b' })
    leader.log()
    expect(leader.release('a1').store().log()).toContain('c1 holds 1001')
    expect(leader.keep('b1').log()).toEqual(['b1 waits behind 0'])
    expect(leader.release('c1').store().log()).toContain('b1 holds 1002')
  })

  it('frees a lock at the end of its ttl, and not because the connection of its holder has broken', () => {
    const leader = new Driver().ready().keep('a1').store().keep('b1')
    leader.do({ type: 'closed', from: 'a' }).after(9_000).keep('b1').log()
    expect(leader.after(999).log()).toEqual([])
    expect(leader.after(1).store().log()).toEqual(['write lock/night: b1 1001', 'b1 holds 1001'])
    expect(leader.keep('a1', 'night', { isHeld: true }).log()).toEqual(['a1 lost'])
  })

  it('lets a holder keep the lock as long as it renews it', () => {
    const leader = new Driver().ready().keep('a1').store().keep('b1')
    leader.log()
    for (let i = 0; i < 5; i++) leader.after(9_000).keep('a1').keep('b1')
    expect(leader.log().filter(line => line.startsWith('b1 holds'))).toEqual([])
    expect(leader.keep('a1').log()).toEqual(['a1 holds 1000'])
  })

  it('answers no renewal when its leadership may be over, or too few peers store the grant', () => {
    const leader = new Driver().ready().keep('a1').store()
    leader.log()
    leader.lasts = false
    expect(leader.keep('a1').log()).toEqual([])
    leader.lasts = true
    leader.stored = false
    expect(leader.keep('a1').log()).toEqual([])
    leader.stored = true
    expect(leader.keep('a1').log()).toEqual(['a1 holds 1000'])
  })

  it('grants a semaphore to as many as its limit, and refuses another limit as long as it is used', () => {
    const leader = new Driver().ready()
    for (const session of ['a1', 'b1', 'c1']) leader.keep(session, 'night', { limit: 2 })
    expect(leader.store().store().log()).toEqual([
      'write lock/night: a1 1000',
      'c1 waits behind 0',
      'a1 holds 1000',
      'write lock/night: a1 1000, b1 1001',
      'b1 holds 1001'
    ])
    expect(leader.keep('d1', 'night', { limit: 3 }).log()).toEqual([
      'd1 refused: the lock "night" has the limit 2, not 3: give all its clients the same limit'
    ])
    for (const session of ['a1', 'b1', 'c1']) leader.release(session).store()
    leader.store().log()
    expect(leader.keep('d1', 'night', { limit: 3 }).store().log()).toContain('d1 holds 1003')
  })

  it('gives larger tokens, even if its wall clock is set back', () => {
    const leader = new Driver().ready().keep('a1').store().release('a1').store()
    leader.wall = 10
    expect(leader.keep('b1').store().log().at(-1)).toBe('b1 holds 1001')
    leader.wall = 5_000.7
    expect(leader.release('b1').store().keep('c1').store().log().at(-1)).toBe('c1 holds 5000')
  })

  it('refuses more sessions of one client, and more sessions and locks in all, than the limits allow', () => {
    const few = new Driver({ limits: { locks: 2, lockSessions: 3, lockSessionsPerClient: 2 } }).ready()
    few.keep('a1', 'one').keep('a2', 'two').log()
    expect(few.keep('a3', 'one').log()[0]).toMatch(/a3 refused: this client holds and waits for 2 locks/)
    expect(few.keep('b1', 'three').log()[0]).toMatch(/b1 refused: 2 locks are in use/)
    expect(few.keep('b1', 'one').keep('c1', 'one').log().at(-1)).toMatch(
      /c1 refused: all clients hold and wait for 3 locks/
    )
  })

  it('remembers that no token was larger when it forgets locks that nobody uses', () => {
    const leader = new Driver({ limits: { ...LIMITS, locks: 10_000 } }).ready()
    for (let i = 0; i <= 1_000; i++) {
      leader.wall = i === 3 ? 9_000_000 : 1_000
      leader.keep('a1', `job ${i}`).store(`lock/job ${i}`).release('a1', `job ${i}`).store(`lock/job ${i}`)
    }
    expect(leader.log().at(-1)).toBe('write lock/: nobody')
    expect(leader.written.at(-1)!.record.token).toBe(9_000_000)
    expect(leader.store('lock/').log()).toHaveLength(500)
    expect(leader.keep('b1', 'job 3').store('lock/job 3').log().at(-1)).toBe('b1 holds 9000001')
  })
})

describe('a new leader', () => {
  it('keeps a lock of an earlier leader for its holder for one ttl', () => {
    const leader = new Driver()
      .do({ type: 'adopted', key: 'lock/night', record: inherited('a1') })
      .ready()
      .keep('b1')
    expect(leader.after(9_000).keep('b1').log()).toEqual(['b1 waits behind 0', 'b1 waits behind 0'])
    expect(leader.after(1_000).store().log()).toEqual(['write lock/night: b1 2001', 'b1 holds 2001'])
  })

  it('renews a lock of an earlier leader', () => {
    const leader = new Driver().do({ type: 'adopted', key: 'lock/night', record: inherited('a1') }).ready()
    expect(leader.keep('a1', 'night', { isHeld: true }).log()).toEqual(['a1 holds 2000'])
    expect(leader.after(9_999).keep('a1', 'night', { isHeld: true }).log()).toEqual(['a1 holds 2000'])
  })

  it('tells a holder that it does not know that its lock is lost', () => {
    expect(new Driver().ready().keep('a1', 'night', { isHeld: true }).log()).toEqual(['a1 lost'])
  })

  it('serves those who waited for an earlier leader in their old order, and before all others', () => {
    const record = inherited('a1', { holders: [] })
    const leader = new Driver({ epoch: 2 }).do({ type: 'adopted', key: 'lock/night', record }).ready()
    leader
      .keep('d1')
      .keep('c1', 'night', { ticket: { epoch: 1, number: 8 } })
      .keep('b1', 'night', { ticket: { epoch: 1, number: 7 } })
    expect(
      leader
        .after(SETTLE_MS - 1)
        .log()
        .filter(line => !line.includes('waits'))
    ).toEqual([])
    expect(leader.after(1).store().log()).toEqual(['write lock/night: b1 2001', 'b1 holds 2001'])
    expect(leader.release('b1').store().log()).toContain('c1 holds 2002')
    expect(leader.release('c1').store().log()).toContain('d1 holds 2003')
  })

  it('grants nothing while the peers that it knows all locks from may have lost some', () => {
    const leader = new Driver().ready(TTL.most - 5_000).keep('a1')
    expect(leader.after(4_999).log()).toEqual(['a1 waits behind 0'])
    expect(leader.after(1).store().log()).toEqual(['write lock/night: a1 1000', 'a1 holds 1000'])
  })

  it('answers requests that came before it knew all locks', () => {
    const leader = new Driver().keep('b1').do({ type: 'adopted', key: 'lock/night', record: inherited('a1') })
    expect(leader.log()).toEqual([])
    expect(leader.ready().log()).toEqual(['b1 waits behind 0'])
  })
})

describe('named leaderships', () => {
  const names = ['n1', 'n2', 'n3', 'n4', 'n5']
  const want = (leader: Driver, client: string): void => {
    for (const name of names) leader.keep(client + name[1], name, { kind: 'leadership' }).store(`leadership/${name}`)
  }
  const leads = (leader: Driver, client: string): number =>
    leader.table.states().filter(({ holders }) => holders.some(holder => holder.client === client)).length

  it('a leadership moves from a peer that leads two more than another one, until the counts differ by less', () => {
    const leader = new Driver().ready()
    want(leader, 'a')
    expect(leads(leader, 'a')).toBe(5)
    leader.log()
    want(leader, 'b')
    const yields = leader.log().filter(line => line.endsWith('yield'))
    expect(yields).toEqual(['a1 yield', 'a2 yield'])
    for (const name of ['n1', 'n2'])
      leader
        .release(`a${name[1]}`, name, 'leadership')
        .store(`leadership/${name}`)
        .keep(`a${name[1]}`, name, { kind: 'leadership' })
    expect([leads(leader, 'a'), leads(leader, 'b')]).toEqual([3, 2])
    expect(leader.log().filter(line => line.endsWith('yield'))).toEqual([])
  })

  it('the names of a peer that is gone are shared evenly by the others', () => {
    const leader = new Driver().ready()
    want(leader, 'a')
    want(leader, 'b')
    want(leader, 'c')
    leader.do({ type: 'closed', from: 'a' }).after(5_000)
    for (const client of ['b', 'c']) want(leader, client)
    leader.after(5_000)
    for (const name of names) leader.store(`leadership/${name}`)
    expect([leads(leader, 'b'), leads(leader, 'c')].sort()).toEqual([2, 3])
  })
})
