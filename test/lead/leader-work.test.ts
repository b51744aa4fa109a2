import { once } from 'node:events'
import { TypedEventEmitter } from 'main-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { InvalidOptionError, LeadershipLostError, StoppedError } from '../../src/common/errors.ts'
import { silent } from '../../src/common/logger.ts'
import { compareRanks } from '../../src/election/core/rank.ts'
import type { LeadershipStats } from '../../src/election/leadership-stats.ts'
import { type LeaseTerms, RENEWALS, validity } from '../../src/election/quorum/lease.ts'
import type { Election, ElectionEvents, HandOff, Leadership } from '../../src/election/types.ts'
import { type LeadContext, LeaderWork } from '../../src/lead/leader-work.ts'
import type { Histogram } from '../../src/lib/histogram.ts'
import type { Role } from '../../src/membership/core/member.ts'

const SELF = 'self'

/** An election whose leader and lease the test sets. */
class FakeElection extends TypedEventEmitter<ElectionEvents> implements Election {
  leader: Leadership | undefined
  /** The time (by `performance.now()`) at which the lease ends; undefined without a quorum. */
  endsAt: number | undefined
  readonly handOffs: HandOff[] = []
  takes: (() => number) | undefined
  readonly storeNumber = undefined
  readonly holders = undefined
  voters: readonly string[] | undefined
  readonly order = compareRanks

  setMargin(): void {}

  history(): [] {
    return []
  }

  stats(): LeadershipStats {
    return { changes: 0, leaderless: 0 }
  }

  durations(): Histogram {
    return { bounds: [], counts: [0], sum: 0 }
  }

  get remaining(): number {
    if (this.leader?.id !== SELF) return 0
    return this.endsAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, this.endsAt - performance.now())
  }

  get isLeader(): boolean {
    return this.remaining > 0
  }

  lead(id: string | undefined, epoch = 1): void {
    const previous = this.leader
    this.leader = id === undefined ? undefined : { id, epoch, rank: { id, priority: 0 } }
    this.dispatchEvent(new CustomEvent('leader', { detail: { leader: this.leader, previous } }))
  }

  accepts(): boolean {
    return true
  }

  onHandOff(handOff: HandOff, takes: () => number): () => void {
    this.handOffs.push(handOff)
    this.takes = takes
    return () => {}
  }

  async leave(): Promise<void> {}
  async stop(): Promise<void> {}
}

const terms: LeaseTerms = { voters: [SELF, 'b', 'c'], leaseTime: 1_000, drift: 0.01 }
const endProcess = vi.fn()
let election = new FakeElection()
const create = (terms?: LeaseTerms, role: Role = 'auto'): LeaderWork => {
  election.voters = terms?.voters
  return new LeaderWork({ self: SELF, role, election, leaseTime: terms, logger: silent, endProcess })
}

afterEach(() => {
  vi.useRealTimers()
  election = new FakeElection()
  endProcess.mockReset()
})

const aborted = async ({ signal }: LeadContext): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort')
}

describe('work of the leader', () => {
  test('the work begins with the epoch of the leadership when its peer leads, and lead() resolves to the return value of the work', async () => {
    const result = create().lead(({ epoch }) => `done in ${epoch}`)
    election.lead('another', 6)
    election.lead(SELF, 7)
    expect(await result).toBe('done in 7')
  })

  test('the signal of the work aborts when the leadership ends, and the work begins again with the next leadership of its peer', async () => {
    const epochs: number[] = []
    const reasons: unknown[] = []
    const result = create().lead(async context => {
      epochs.push(context.epoch)
      if (epochs.length === 2) return 'the second time'
      setImmediate(() => election.lead('another', 2))
      await aborted(context)
      reasons.push(context.signal.reason)
      setImmediate(() => election.lead(SELF, 3))
      return 'stopped'
    })
    election.lead(SELF, 1)
    expect(await result).toBe('the second time')
    expect(epochs).toEqual([1, 3])
    expect(reasons).toEqual([expect.any(LeadershipLostError)])
  })

  test('the work stops before its peer hands over the leadership', async () => {
    let stopped = 0
    const controller = new AbortController()
    const result = create().lead(
      async context => {
        await aborted(context)
        await new Promise(resolve => setImmediate(resolve))
        stopped += 1
      },
      { signal: controller.signal }
    )
    election.lead(SELF)
    const [handOff] = election.handOffs
    await new Promise(resolve => setImmediate(resolve))
    await handOff!('another', new AbortController().signal)
    expect(stopped).toBe(1)
    election.lead('another', 2)
    controller.abort(new Error('enough'))
    await expect(result).rejects.toThrow('enough')
    expect(stopped, 'it was not begun again').toBe(1)
  })

  test('LeaderWork reports to the election how long the stop of the work may delay a hand-off', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const work = create()
    const results = [30_000, 60_000].map(grace => work.lead(aborted, { grace, signal }))
    expect(election.takes!(), 'none is at work').toBe(0)
    election.lead(SELF)
    await new Promise(resolve => setImmediate(resolve))
    expect(election.takes!()).toBeGreaterThan(60_000)
    controller.abort(new Error('enough'))
    for (const result of results) await expect(result).rejects.toThrow('enough')
  })

  test('the work does not begin if its peer becomes the leader and hands over in the same turn of the event loop', async () => {
    const begun = vi.fn()
    const controller = new AbortController()
    const result = create().lead(begun, { signal: controller.signal })
    election.lead(SELF)
    await election.handOffs[0]!('another', new AbortController().signal)
    await new Promise(resolve => setImmediate(resolve))
    expect(begun).not.toHaveBeenCalled()
    controller.abort(new Error('enough'))
    await expect(result).rejects.toThrow('enough')
  })

  test('the work begins again when the hand-off that stopped the work fails', async () => {
    let times = 0
    const result = create().lead(async context => {
      times += 1
      if (times === 2) return 'again'
      await aborted(context)
      return 'stopped'
    })
    election.lead(SELF)
    await new Promise(resolve => setImmediate(resolve))
    const handOff = new AbortController()
    await election.handOffs[0]!('another', handOff.signal)
    await new Promise(resolve => setImmediate(resolve))
    expect(times, 'not while the hand-off may succeed').toBe(1)
    handOff.abort()
    expect(await result).toBe('again')
  })

  test('lead() rejects with an error that the work throws, unless the signal of the work aborted before the error', async () => {
    let times = 0
    const result = create().lead(async context => {
      times += 1
      if (times === 2) throw new Error('of its own')
      setImmediate(() => election.lead(undefined))
      await aborted(context)
      setImmediate(() => election.lead(SELF, 2))
      throw context.signal.reason
    })
    election.lead(SELF)
    await expect(result).rejects.toThrow('of its own')
  })

  test('lead() rejects when the signal of its caller aborts, and when its peer leaves', async () => {
    const work = create()
    const controller = new AbortController()
    const waiting = work.lead(aborted, { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    election.lead(SELF)
    const running = work.lead(aborted)
    const late = expect(running).rejects.toThrow(StoppedError)
    await work.stop()
    await late
    await expect(work.lead(aborted)).rejects.toThrow(StoppedError)
    expect(endProcess).not.toHaveBeenCalled()
  })

  test('the signal of the work aborts so early that the whole grace fits before the end of the lease', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const endsAt = performance.now() + 400
    election.endsAt = endsAt
    const controller = new AbortController()
    let left = 0
    const result = create(terms).lead(
      async context => {
        await aborted(context)
        left = endsAt - performance.now()
      },
      { grace: 200, signal: controller.signal }
    )
    election.lead(SELF)
    await vi.advanceTimersByTimeAsync(390)
    expect(left).toBeGreaterThan(200)
    expect(left).toBeLessThanOrEqual(200 + 50)
    controller.abort(new Error('enough'))
    await expect(result).rejects.toThrow('enough')
  })

  test('the process ends at once when the lease ends during a suspend of the machine while the work is being stopped', async () => {
    election.endsAt = performance.now() + 60_000
    const result = create({ ...terms, leaseTime: 60_000 }).lead(() => new Promise(() => {}), { grace: 10_000 })
    election.lead(SELF)
    await new Promise(resolve => setImmediate(resolve))
    void election.handOffs[0]!('another', new AbortController().signal)
    expect(endProcess).not.toHaveBeenCalled()
    // Moves the end of the lease to the present before any timer runs: a suspend of the machine has the same effect.
    const noticed = performance.now()
    election.endsAt = noticed
    await vi.waitFor(() => expect(endProcess).toHaveBeenCalled(), 10_000)
    // The process ended because of the lease, not because the grace of 10 s was over.
    expect(performance.now() - noticed).toBeLessThan(10_000)
    void result.catch(() => {})
  })

  test('work with the longest grace continues while only every second renewal of the lease succeeds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
    // The time for which a renewed lease is valid, less some ms for the round trip of the renewal.
    const renewed = validity(terms) - 40
    const renew = (): void => {
      election.endsAt = performance.now() + renewed
    }
    renew()
    const renewing = setInterval(renew, (2 * terms.leaseTime) / RENEWALS)
    let stopping: AbortSignal | undefined
    const result = create(terms).lead(({ signal }) => {
      stopping = signal
      return new Promise(() => {})
    })
    void result.catch(() => {})
    election.lead(SELF)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(stopping?.aborted).toBe(false)
    clearInterval(renewing)
    await vi.advanceTimersByTimeAsync(2 * terms.leaseTime)
    expect(stopping?.aborted).toBe(true)
    // LeaderWork reads pending messages before it ends the process.
    for (let i = 0; i < 3; i++) await new Promise(resolve => setImmediate(resolve))
    expect(endProcess).toHaveBeenCalled()
  })

  test('work begins when its peer leads again after a hand-off', async () => {
    const work = create()
    election.lead(SELF)
    await election.handOffs[0]!('another', new AbortController().signal)
    election.lead('another', 2)
    election.lead(SELF, 3)
    expect(await work.lead(({ epoch }) => epoch)).toBe(3)
  })

  test('the process ends without a grace if the lease has already ended when LeaderWork notices the end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    election.endsAt = performance.now() + 10_000
    let remaining = (): number => Number.NaN
    const result = create(terms).lead(context => {
      ;({ remaining } = context)
      return new Promise(() => {})
    })
    election.lead(SELF)
    await new Promise(resolve => setImmediate(resolve))
    // The leadership is lost without a warning: the same happens after a suspend of the machine.
    election.lead(undefined)
    expect(remaining()).toBe(0)
    // LeaderWork reads pending messages before it ends the process. The fake clock does not advance.
    for (let i = 0; i < 3; i++) await new Promise(resolve => setImmediate(resolve))
    expect(endProcess).toHaveBeenCalledTimes(1)
    void result.catch(() => {})
  })

  test('work that finished while its peer was paused does not end the process, even if the lease ended during the pause', async () => {
    election.endsAt = performance.now() + 10_000
    let finish = (): void => {}
    const result = create(terms).lead(context => {
      if (context.epoch === 2) return 'again'
      return new Promise<string>(resolve => (finish = () => resolve('stopped')))
    })
    election.lead(SELF)
    await new Promise(resolve => setImmediate(resolve))
    // LeaderWork hears twice that the leadership is lost before it reads the result of the work.
    election.lead(undefined)
    election.lead('another', 1)
    setImmediate(finish)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(endProcess).not.toHaveBeenCalled()
    election.lead(SELF, 2)
    expect(await result).toBe('again')
  })

  test('work that was being stopped and finished while its peer was paused does not end the process', async () => {
    election.endsAt = performance.now() + 10_000
    let finish = (): void => {}
    const result = create(terms).lead(({ epoch }) => {
      if (epoch === 2) return 'again'
      return new Promise<string>(resolve => (finish = () => resolve('stopped')))
    })
    election.lead(SELF)
    await new Promise(resolve => setImmediate(resolve))
    const handOff = new AbortController()
    const handedOff = election.handOffs[0]!('another', handOff.signal)
    election.lead(undefined)
    setImmediate(finish)
    await handedOff
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(endProcess).not.toHaveBeenCalled()
    election.lead(SELF, 2)
    expect(await result).toBe('again')
  })

  test('work that finishes just before its peer leaves does not end the process', async () => {
    const work = create()
    const result = work.lead(() => 'done', { grace: 0 })
    void result.then(() => work.stop())
    election.lead(SELF)
    expect(await result).toBe('done')
    await new Promise(resolve => setTimeout(resolve, 1_100))
    expect(endProcess).not.toHaveBeenCalled()
  })

  test('LeaderWork calls the `kill` function of work that does not stop in time, and does not end the process', async () => {
    const kill = vi.fn(() => true)
    const result = create().lead(() => new Promise(() => {}), { grace: 0, kill })
    election.lead(SELF)
    await new Promise(resolve => setImmediate(resolve))
    election.lead('another', 2)
    await vi.waitFor(() => expect(kill).toHaveBeenCalled(), 10_000)
    expect(endProcess).not.toHaveBeenCalled()
    void result.catch(() => {})
  })

  test('lead() rejects at a peer that can never become the leader', async () => {
    await expect(create({ ...terms, voters: ['a', 'b', 'c'] }).lead(aborted)).rejects.toThrow(InvalidOptionError)
    await expect(create(undefined, 'worker').lead(aborted)).rejects.toThrow(InvalidOptionError)
  })

  test('work that does not stop within its grace ends the process', async () => {
    let finish = (): void => {}
    const result = create().lead(() => new Promise<void>(resolve => (finish = resolve)), { grace: 20 })
    election.lead(SELF)
    await new Promise(resolve => setImmediate(resolve))
    election.lead('another', 2)
    await vi.waitFor(() => expect(endProcess).toHaveBeenCalledTimes(1), 10_000)
    void result.catch(() => {})
    finish()
  })
})
