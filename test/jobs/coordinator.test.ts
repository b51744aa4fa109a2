import { describe, expect, it } from 'vitest'
import { Coordinator } from '../../src/jobs/coordinator.ts'
import type { CoordinatorEffect, CoordinatorEvent, CoordinatorSettings } from '../../src/jobs/coordinator-types.ts'

type Effect = CoordinatorEffect<string>
type OfType<T extends Effect['type']> = Extract<Effect, { type: T }>

/** Drives a coordinator by hand; pulls and folds are answered at once unless a test holds them. */
class Hand {
  readonly coordinator: Coordinator<string>
  readonly effects: Effect[] = []
  readonly totals: Record<string, number> = {}
  readonly pulled: Record<string, number> = {}
  readonly held: Record<string, number[]> = {}
  chunkBytes = 10
  folding = true

  constructor(settings: Partial<CoordinatorSettings> = {}) {
    this.coordinator = new Coordinator<string>(settings)
  }

  /** Handles an event and what follows from it; returns the effects of a type. */
  do<T extends Effect['type']>(event: CoordinatorEvent<string>, type?: T): OfType<T>[] {
    const from = this.effects.length
    const events = [event]
    for (let next = events.shift(); next !== undefined; next = events.shift()) {
      for (const effect of this.coordinator.handle(next, 0)) {
        this.effects.push(effect)
        const answer = this.#answer(effect)
        if (answer !== undefined) events.push(answer)
      }
    }
    return this.effects.slice(from).filter((effect): effect is OfType<T> => effect.type === type)
  }

  submit(job: string, chunks: number, retries = 0): OfType<'dispatch'>[] {
    this.totals[job] = chunks
    return this.do({ type: 'submitted', job, retries }, 'dispatch')
  }

  join(worker: string, slots = 1): OfType<'dispatch'>[] {
    return this.do({ type: 'worker-joined', worker, slots }, 'dispatch')
  }

  /** The worker returns chunks. */
  done(worker: string, job: string, indices: number[], ms = 1_000, bytes = 10): OfType<'dispatch'>[] {
    return this.do(outcomes(worker, job, indices, [], ms * indices.length, bytes), 'dispatch')
  }

  fail(worker: string, job: string, indices: number[]): OfType<'dispatch'>[] {
    return this.do(outcomes(worker, job, [], indices, 1_000), 'dispatch')
  }

  all<T extends Effect['type']>(type: T): OfType<T>[] {
    return this.effects.filter((effect): effect is OfType<T> => effect.type === type)
  }

  states(): string[] {
    return this.all('state').map(({ state }) => state)
  }

  #answer(effect: Effect): CoordinatorEvent<string> | undefined {
    if (effect.type === 'pull') {
      const { job } = effect
      const first = this.pulled[job] ?? 0
      const count = Math.min(effect.max, this.totals[job]! - first)
      this.pulled[job] = first + count
      const sizes = new Array<number>(count).fill(this.chunkBytes)
      return { type: 'pulled', job, first, sizes, done: first + count === this.totals[job] }
    }
    if (effect.type === 'fold' && this.folding) {
      return { type: 'folded', job: effect.job, first: effect.first, count: effect.count }
    }
    return effect.type === 'finish' ? { type: 'finished', job: effect.job } : undefined
  }
}

function outcomes(
  worker: string,
  job: string,
  indices: number[],
  failed: number[],
  busyMs: number,
  bytes = 10
): CoordinatorEvent<string> {
  return {
    type: 'outcomes',
    worker,
    job,
    indices,
    sizes: indices.map(() => bytes),
    failed: failed.map(index => ({ index, failure: `chunk ${index} threw` })),
    busyMs
  }
}

function indicesOf(dispatches: { indices: number[] }[]): number[] {
  return dispatches.flatMap(({ indices }) => indices)
}

describe('dispatch', () => {
  it('begins with one chunk for each slot: nothing is known of how long they take', () => {
    const hand = new Hand()
    hand.join('a', 2)
    hand.join('b', 3)
    expect(hand.submit('j', 100).map(({ worker, indices }) => [worker, indices.length])).toEqual(
      expect.arrayContaining([
        ['a', 2],
        ['b', 3]
      ])
    )
    expect(indicesOf(hand.all('dispatch')).sort()).toEqual([0, 1, 2, 3, 4])
  })

  it('lets one long chunk wait at each worker, and no more', () => {
    const hand = new Hand()
    hand.join('a', 2)
    hand.submit('j', 100)
    expect(hand.done('a', 'j', [0])).toMatchObject([{ worker: 'a', indices: [2, 3] }])
    expect(hand.coordinator.outstanding('a')).toBe(3)
  })

  it('lets none wait near the end, so that a free slot elsewhere gets it', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 3)
    hand.done('a', 'j', [0])
    expect(hand.coordinator.outstanding('a')).toBe(1)
  })

  it('gives more and more tiny chunks, up to 4,096', () => {
    const hand = new Hand()
    hand.join('a', 4)
    hand.submit('j', 1_000_000)
    let most = 0
    for (let i = 0; i < 40; i++) {
      const before = hand.coordinator.outstanding('a')!
      const waiting = hand.held.j ?? indicesOf(hand.all('dispatch'))
      hand.held.j = indicesOf(hand.done('a', 'j', waiting, 0.002))
      const now = hand.coordinator.outstanding('a')!
      expect(now).toBeLessThanOrEqual(2 * before + 8)
      most = Math.max(most, now)
    }
    expect(most).toBe(4_096)
  })

  it('goes lowest index first, also for chunks that came back', () => {
    const hand = new Hand()
    hand.join('a')
    hand.join('b')
    hand.submit('j', 10)
    const first = hand.all('dispatch').find(({ indices }) => indices.includes(0))!.worker
    const other = first === 'a' ? 'b' : 'a'
    hand.do({ type: 'worker-gone', worker: first })
    expect(hand.done(other, 'j', [1])[0]?.indices[0]).toBe(0)
  })

  it('takes turns between jobs', () => {
    const hand = new Hand()
    hand.submit('x', 100)
    hand.submit('y', 100)
    const jobs = hand.join('a', 8).map(({ job, indices }) => [job, indices.length])
    expect(jobs).toEqual(
      expect.arrayContaining([
        ['x', 4],
        ['y', 4]
      ])
    )
  })

  it('does not let a job of tiny chunks starve one of long chunks', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('tiny', 1_000_000)
    let waiting = indicesOf(hand.all('dispatch'))
    for (let i = 0; i < 12; i++) waiting = indicesOf(hand.done('a', 'tiny', waiting, 0.01))
    hand.submit('long', 10)
    // Only a little credit is free at a time, less than a long chunk costs.
    for (let i = 0; i < 3; i++) hand.done('a', 'tiny', waiting.splice(0, 5), 0.01)
    expect(hand.all('dispatch').some(({ job }) => job === 'long')).toBe(true)
  })

  it('goes to whoever has least to do', () => {
    const hand = new Hand()
    hand.join('a', 4)
    hand.submit('j', 3)
    hand.join('b', 4)
    hand.submit('k', 3)
    expect(hand.all('dispatch').filter(({ job }) => job === 'k')).toMatchObject([{ worker: 'b', indices: [0, 1, 2] }])
  })

  it('gives nothing more to a worker whose slots went to 0, and takes what it still returns', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 2)
    hand.do({ type: 'worker-slots', worker: 'a', slots: 0 })
    expect(hand.done('a', 'j', [0])).toEqual([])
    expect(hand.do({ type: 'worker-slots', worker: 'a', slots: 1 }, 'dispatch')).toMatchObject([{ indices: [1] }])
  })
})

describe('window and budget', () => {
  it('hold back what is too far above the lowest chunk that is not folded', () => {
    const hand = new Hand({ window: 3 })
    hand.join('a', 8)
    hand.submit('j', 100)
    expect(indicesOf(hand.all('dispatch'))).toEqual([0, 1, 2])
    expect(hand.done('a', 'j', [1, 2])).toEqual([])
    expect(indicesOf(hand.done('a', 'j', [0]))).toEqual([3, 4, 5])
  })

  it('hold back all but the lowest when partials fill the memory', () => {
    const hand = new Hand({ partialBudget: 100 })
    hand.join('a', 2)
    hand.join('b', 2)
    hand.submit('j', 100)
    const holder = hand.all('dispatch').find(({ indices }) => indices.includes(0))!.worker
    const own = hand
      .all('dispatch')
      .find(({ worker }) => worker === holder)!
      .indices.filter(index => index !== 0)
    hand.done(holder, 'j', own, 1_000, 1_000)
    const before = hand.all('dispatch').length
    hand.do({ type: 'worker-gone', worker: holder })
    // Chunk 0 came back: it is dispatched whatever the budget says, and nothing else is.
    const other = holder === 'a' ? 'b' : 'a'
    const theirs = hand.all('dispatch').find(({ worker }) => worker === other)!.indices
    hand.done(other, 'j', theirs, 1_000, 1_000)
    expect(indicesOf(hand.all('dispatch').slice(before))).toEqual([0])
  })

  it('pull chunks only as they are needed', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 1_000_000)
    expect(hand.pulled.j).toBeLessThan(100)
  })

  it('pull no chunks beyond the memory for them, but always the lowest', () => {
    const hand = new Hand({ chunkBudget: 1_000 })
    hand.chunkBytes = 900
    hand.join('a')
    hand.submit('j', 100)
    const pulled = hand.pulled.j!
    hand.done('a', 'j', [0])
    expect(hand.pulled.j).toBe(pulled)
    for (let i = 1; i < 100; i++) hand.done('a', 'j', [i])
    expect(hand.states().at(-1)).toBe('completed')
  })
})

describe('fold', () => {
  it('goes in chunk order, each index once, one fold at a time', () => {
    const hand = new Hand()
    hand.folding = false
    hand.join('a', 4)
    hand.submit('j', 4)
    hand.done('a', 'j', [2])
    expect(hand.all('fold')).toEqual([])
    hand.done('a', 'j', [0, 1])
    expect(hand.all('fold')).toEqual([{ type: 'fold', job: 'j', first: 0, count: 3 }])
    hand.done('a', 'j', [3])
    expect(hand.all('fold')).toHaveLength(1)
    hand.do({ type: 'folded', job: 'j', first: 0, count: 3 })
    expect(hand.all('fold').at(-1)).toEqual({ type: 'fold', job: 'j', first: 3, count: 1 })
  })

  it('ignores outcomes that come twice, late, or from whoever does not have the chunk', () => {
    const hand = new Hand()
    hand.join('a')
    hand.join('b')
    hand.submit('j', 2)
    const [first, second] = hand.all('dispatch')
    hand.do(outcomes(second!.worker, 'j', first!.indices, [], 1))
    hand.do(outcomes('stranger', 'j', first!.indices, [], 1))
    expect(hand.all('keep')).toEqual([])
    hand.done(first!.worker, 'j', first!.indices)
    hand.done(first!.worker, 'j', first!.indices)
    expect(hand.all('keep')).toHaveLength(1)
    hand.do({ type: 'worker-gone', worker: second!.worker })
    hand.done(second!.worker, 'j', second!.indices)
    expect(hand.all('keep')).toHaveLength(1)
  })

  it('ends a job without chunks at once', () => {
    const hand = new Hand()
    hand.submit('j', 0)
    expect(hand.states()).toEqual(['accepted', 'running', 'completed'])
  })

  it('counts folded chunks by peer, and what was started again', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 2)
    hand.do({ type: 'worker-gone', worker: 'a' })
    hand.join('b', 2)
    hand.done('b', 'j', [0, 1])
    expect(hand.all('state').at(-1)).toMatchObject({
      state: 'completed',
      stats: { chunks: 2, retries: 1, perPeer: { b: 2 } }
    })
  })
})

describe('failures', () => {
  it('fail the job with the lowest of the chunks that are known to have failed', () => {
    const hand = new Hand()
    hand.join('a', 4)
    hand.submit('j', 10)
    hand.fail('a', 'j', [3, 1, 2])
    expect(hand.all('state').at(-1)).toMatchObject({ state: 'failed', failure: 'chunk 1 threw' })
    expect(hand.all('release')).toEqual([{ type: 'release', worker: 'a', job: 'j' }])
    expect(hand.all('drop')).toHaveLength(1)
  })

  it('are tried again as often as the job allows', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 1, 2)
    expect(indicesOf(hand.fail('a', 'j', [0]))).toEqual([0])
    expect(indicesOf(hand.fail('a', 'j', [0]))).toEqual([0])
    hand.fail('a', 'j', [0])
    expect(hand.all('state').at(-1)).toMatchObject({ state: 'failed', stats: { retries: 2 } })
  })

  it('are tried again at another worker, however busy that is, as long as there is one', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 2, 5)
    hand.join('b')
    expect(hand.fail('a', 'j', [0])).toEqual([])
    expect(hand.done('b', 'j', [1])).toMatchObject([{ worker: 'b', indices: [0] }])
  })

  it('are tried again at the same worker once it is the only one', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 2, 5)
    hand.join('b')
    hand.fail('a', 'j', [0])
    expect(indicesOf(hand.do({ type: 'worker-gone', worker: 'b' }, 'dispatch'))).toEqual([0])
  })

  it('are tried again anywhere once the worker where they happened is gone', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 2, 5)
    hand.join('b')
    hand.fail('a', 'j', [0])
    hand.do({ type: 'worker-gone', worker: 'a' })
    expect(indicesOf(hand.join('a'))).toEqual([0])
  })

  it('of copies that somebody else holds now are ignored', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 1)
    hand.do({ type: 'worker-gone', worker: 'a' })
    hand.join('b')
    hand.fail('a', 'j', [0])
    expect(hand.states()).toEqual(['accepted', 'running'])
  })

  it('of split, reduce and finish end the job', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 5)
    hand.do({ type: 'driver-failed', job: 'j', failure: 'split threw' })
    expect(hand.all('state').at(-1)).toMatchObject({ state: 'failed', failure: 'split threw' })
  })
})

describe('jobs', () => {
  it('run once however often they are submitted under their id', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 5)
    hand.submit('j', 5)
    expect(hand.states()).toEqual(['accepted', 'running'])
  })

  it('are forgotten when cancelled: workers are released, payloads dropped, late outcomes ignored', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 5)
    hand.do({ type: 'cancelled', job: 'j' })
    expect(hand.states().at(-1)).toBe('cancelled')
    expect(hand.all('release')).toHaveLength(1)
    expect(hand.all('drop')).toHaveLength(1)
    hand.done('a', 'j', [0])
    expect(hand.all('keep')).toEqual([])
    expect(hand.coordinator.outstanding('a')).toBe(0)
  })

  it('tell their progress at a pace', () => {
    const hand = new Hand({ progressInterval: 100 })
    hand.join('a')
    hand.submit('j', 5)
    hand.done('a', 'j', [0])
    expect(hand.all('timer')).toEqual([{ type: 'timer', name: 'progress', delay: 100 }])
    expect(hand.all('progress')).toEqual([])
    hand.do({ type: 'timer', name: 'progress' })
    expect(hand.all('progress')).toMatchObject([
      { progress: { state: 'running', done: 1, total: 5, peers: 1, retries: 0 } }
    ])
  })

  it('of a million chunks are never held in memory', () => {
    const hand = new Hand()
    hand.join('a', 4)
    hand.submit('j', 1_000_000)
    let waiting = indicesOf(hand.all('dispatch'))
    while (waiting.length > 0) {
      expect(hand.pulled.j! - hand.coordinator.progress('j')!.done).toBeLessThan(40_000)
      hand.effects.length = 0
      waiting = indicesOf(hand.done('a', 'j', waiting, 0.002))
    }
    expect(hand.all('state').at(-1)).toMatchObject({ state: 'completed', stats: { chunks: 1_000_000 } })
  })
})
