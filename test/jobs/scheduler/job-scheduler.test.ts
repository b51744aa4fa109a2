import { describe, expect, it } from 'vitest'
import {
  JobScheduler,
  type JobTerms,
  type SchedulerEffect,
  type SchedulerEvent,
  type SchedulerSettings,
  type WorkerTraits
} from '../../../src/jobs/scheduler/index.ts'

type Effect = SchedulerEffect<string>
type OfType<T extends Effect['type']> = Extract<Effect, { type: T }>

const TERMS: JobTerms = { retries: 0, speculate: true, requires: {}, priority: 0 }

/** Drives a scheduler. Answers pulls and folds at once. A test can turn the answers to folds off with `folding`. */
class Hand {
  readonly coordinator: JobScheduler<string>
  readonly effects: Effect[] = []
  readonly totals: Record<string, number> = {}
  readonly pulled: Record<string, number> = {}
  readonly held: Record<string, number[]> = {}
  /** Chunks that {@link done} returned. */
  readonly returned: number[] = []
  chunkBytes = 10
  /** The time of `split` for each chunk, in ms. */
  msEach: number | undefined
  combines = false
  folding = true
  /** The current time of the scheduler, in ms. */
  now = 0

  constructor(settings: Partial<SchedulerSettings> = {}) {
    this.coordinator = new JobScheduler<string>(settings)
  }

  /** Handles an event and the events that answer its effects. Returns the effects of type `type`. */
  do<T extends Effect['type']>(event: SchedulerEvent<string>, type?: T): OfType<T>[] {
    const from = this.effects.length
    const events = [event]
    for (let next = events.shift(); next !== undefined; next = events.shift()) {
      for (const effect of this.coordinator.handle(next, this.now)) {
        this.effects.push(effect)
        const answer = this.#answer(effect)
        if (answer !== undefined) events.push(answer)
      }
    }
    return this.effects.slice(from).filter((effect): effect is OfType<T> => effect.type === type)
  }

  submit(job: string, chunks: number, terms: Partial<JobTerms> = {}): OfType<'dispatch'>[] {
    this.totals[job] = chunks
    return this.do({ type: 'submitted', job, terms: { ...TERMS, ...terms } }, 'dispatch')
  }

  /** Moves the time forward. The scheduler looks for slow chunks every quarter of a second. */
  pass(ms: number): OfType<'dispatch'>[] {
    const from = this.effects.length
    for (const end = this.now + ms; this.now < end; ) {
      this.now += 250
      this.do({ type: 'timer', name: 'look' })
    }
    return this.effects.slice(from).filter(effect => effect.type === 'dispatch')
  }

  join(worker: string, slots = 1, traits: Partial<WorkerTraits> = {}): OfType<'dispatch'>[] {
    return this.do({ type: 'worker-joined', worker, slots, tags: {}, spared: false, ...traits }, 'dispatch')
  }

  change(worker: string, traits: Partial<WorkerTraits>): OfType<'dispatch'>[] {
    return this.do({ type: 'worker-changed', worker, ...traits }, 'dispatch')
  }

  /** Reports that `worker` has completed chunks. Returns the dispatches that follow. */
  done(worker: string, job: string, indices: number[], ms = 1_000, bytes = 10): OfType<'dispatch'>[] {
    this.returned.push(...indices)
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

  #answer(effect: Effect): SchedulerEvent<string> | undefined {
    if (effect.type === 'pull') {
      const { job } = effect
      const first = this.pulled[job] ?? 0
      const count = Math.min(effect.max, this.totals[job]! - first)
      this.pulled[job] = first + count
      const sizes = new Array<number>(count).fill(this.chunkBytes)
      return {
        type: 'pulled',
        job,
        first,
        sizes,
        done: first + count === this.totals[job],
        combines: this.combines,
        msEach: this.msEach
      }
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
): SchedulerEvent<string> {
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
  it('the scheduler begins with one chunk for each slot, while durations are unknown', () => {
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

  it('the scheduler lets at most one long chunk wait at each worker', () => {
    const hand = new Hand()
    hand.join('a', 2)
    hand.submit('j', 100)
    expect(hand.done('a', 'j', [0])).toMatchObject([{ worker: 'a', indices: [2, 3] }])
    expect(hand.coordinator.outstanding('a')).toBe(3)
  })

  it('near the end of a job the scheduler lets no chunk wait at a worker', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 3)
    hand.done('a', 'j', [0])
    expect(hand.coordinator.outstanding('a')).toBe(1)
  })

  it('the scheduler increases the outstanding chunks of a worker with tiny chunks up to 32,768', () => {
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
    expect(most).toBe(32_768)
  })

  it('the scheduler dispatches the chunk with the lowest index first, even if that chunk was dispatched before', () => {
    const hand = new Hand()
    hand.join('a')
    hand.join('b')
    hand.submit('j', 10)
    const first = hand.all('dispatch').find(({ indices }) => indices.includes(0))!.worker
    const other = first === 'a' ? 'b' : 'a'
    hand.do({ type: 'worker-gone', worker: first, why: 'died' })
    expect(hand.done(other, 'j', [1])[0]?.indices[0]).toBe(0)
  })

  it('the scheduler divides the slots of a new worker evenly between two jobs', () => {
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

  it('a job of tiny chunks does not starve a job of long chunks', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('tiny', 1_000_000)
    let waiting = indicesOf(hand.all('dispatch'))
    for (let i = 0; i < 12; i++) waiting = indicesOf(hand.done('a', 'tiny', waiting, 0.01))
    hand.submit('long', 10)
    // Each of these reports frees only a little credit, less than a long chunk costs.
    for (let i = 0; i < 3; i++) hand.done('a', 'tiny', waiting.splice(0, 5), 0.01)
    expect(hand.all('dispatch').some(({ job }) => job === 'long')).toBe(true)
  })

  it('the scheduler prefers the least loaded worker', () => {
    const hand = new Hand()
    hand.join('a', 4)
    hand.submit('j', 3)
    hand.join('b', 4)
    hand.submit('k', 3)
    expect(hand.all('dispatch').filter(({ job }) => job === 'k')).toMatchObject([{ worker: 'b', indices: [0, 1, 2] }])
  })

  it('the scheduler gives no chunk to a worker with 0 slots, and gives chunks again when the worker has a slot', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 2)
    hand.change('a', { slots: 0 })
    expect(hand.done('a', 'j', [0])).toEqual([])
    expect(hand.change('a', { slots: 1 })).toMatchObject([{ indices: [1] }])
  })
})

describe('a task that the leader knows from an earlier job', () => {
  /** Completes a first job whose chunks take `ms` ms each. Then submits a second job of the same task, and returns the dispatched chunks. */
  function secondJob(chunks: number, { ms, task }: { ms: number; task: string | undefined }): number[][] {
    const hand = new Hand()
    hand.join('a')
    hand.join('b')
    hand.submit('first', 2, { task })
    hand.done('a', 'first', [0], ms)
    hand.done('b', 'first', [1], ms)
    expect(hand.states().at(-1)).toBe('completed')
    return hand.submit('second', chunks, { task }).map(({ indices }) => indices)
  }

  it('all chunks of a small job are dispatched at once and evenly if earlier chunks of the same task were short', () => {
    const given = secondJob(10, { ms: 1, task: 'same' })
    expect(given.flat().sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(given.map(({ length }) => length)).toEqual([5, 5])
  })

  it('only a few chunks of a large job are dispatched before a chunk has ended, although earlier chunks of the same task were short', () => {
    expect(secondJob(1_000, { ms: 0.01, task: 'same' }).flat().length).toBeLessThanOrEqual(2 * 17)
  })

  it.each([
    ['the earlier chunks were long', { ms: 50, task: 'same' }],
    ['the two jobs have no common task', { ms: 1, task: undefined }]
  ])('one chunk of a second job is dispatched for each slot if %s', (_, first) => {
    expect(secondJob(10, first)).toEqual([[0], [1]])
  })
})

describe('offers from earlier leaderships', () => {
  it('a resumed job waits for offers for one second, or until all expected workers have joined', () => {
    const hand = new Hand()
    hand.do({ type: 'expected', workers: ['a', 'b'] })
    expect(hand.all('timer')).toEqual([])
    Object.assign(hand.totals, { j: 10, k: 10 })
    hand.do({ type: 'submitted', job: 'j', terms: TERMS, resumed: true })
    hand.do({ type: 'submitted', job: 'k', terms: TERMS, resumed: true })
    expect(hand.all('timer').filter(({ name }) => name === 'offers')).toEqual([
      { type: 'timer', name: 'offers', delay: 1_000 }
    ])
    expect(hand.join('a', 2)).toEqual([])
    expect(indicesOf(hand.do({ type: 'timer', name: 'offers' }, 'dispatch')).length).toBe(2)

    const other = new Hand()
    other.do({ type: 'expected', workers: ['a', 'b'] })
    Object.assign(other.totals, { j: 10 })
    other.do({ type: 'submitted', job: 'j', terms: TERMS, resumed: true })
    expect(other.join('a')).toEqual([])
    expect(indicesOf(other.join('b'))).toEqual([0, 1])
  })

  it('a job that waits for workers to come back gives out no chunk', () => {
    const hand = new Hand()
    Object.assign(hand.totals, { j: 10 })
    hand.do({ type: 'submitted', job: 'j', terms: TERMS, resumed: true })
    hand.do({ type: 'awaits-return', job: 'j', isAwaiting: true })
    expect(hand.join('a', 2)).toEqual([])
    expect(indicesOf(hand.do({ type: 'awaits-return', job: 'j', isAwaiting: false }, 'dispatch'))).toEqual([0, 1])
  })

  it('a new job does not wait for offers', () => {
    const hand = new Hand()
    hand.do({ type: 'expected', workers: ['a', 'b'] })
    hand.join('a')
    expect(indicesOf(hand.submit('j', 10))).toEqual([0])
  })
})

describe('window and budget', () => {
  it('the window blocks chunks that are too far above the lowest unfolded chunk', () => {
    const hand = new Hand({ window: 3 })
    hand.join('a', 8)
    hand.submit('j', 100)
    expect(indicesOf(hand.all('dispatch'))).toEqual([0, 1, 2])
    expect(hand.done('a', 'j', [1, 2])).toEqual([])
    expect(indicesOf(hand.done('a', 'j', [0]))).toEqual([3, 4, 5])
  })

  it('when unfolded partials fill the budget, the scheduler dispatches no chunk except the lowest chunk', () => {
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
    hand.do({ type: 'worker-gone', worker: holder, why: 'died' })
    // Chunk 0 has returned to the queue. The scheduler dispatches chunk 0 regardless of the budget, but no other chunk.
    const other = holder === 'a' ? 'b' : 'a'
    const theirs = hand.all('dispatch').find(({ worker }) => worker === other)!.indices
    hand.done(other, 'j', theirs, 1_000, 1_000)
    expect(indicesOf(hand.all('dispatch').slice(before))).toEqual([0])
  })

  it('the scheduler pulls only about as many chunks as the workers need', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 1_000_000)
    expect(hand.pulled.j).toBeLessThan(100)
  })

  it('the scheduler knows the total of a job with a cheap split after the first chunk has ended', () => {
    const hand = new Hand()
    hand.msEach = 0.05
    hand.join('a', 2)
    hand.submit('j', 400)
    hand.done('a', 'j', [0], 80)
    expect(hand.coordinator.progress('j')).toMatchObject({ done: 1, total: 400 })
  })

  it('the scheduler does not read ahead if split is slow or the time of split is unknown', () => {
    const pulled = (msEach: number | undefined): number => {
      const hand = new Hand()
      hand.msEach = msEach
      hand.join('a', 2)
      hand.submit('j', 400)
      hand.done('a', 'j', [0], 80)
      return hand.pulled.j!
    }
    expect(pulled(0.1)).toBe(pulled(undefined))
    expect(pulled(0.1)).toBeLessThan(100)
  })

  it('the scheduler bounds the chunks and the bytes that it reads ahead from a cheap split', () => {
    const hand = new Hand()
    hand.msEach = 0.001
    hand.join('a')
    hand.submit('small', 1_000_000)
    expect(hand.pulled.small).toBeGreaterThan(65_536)
    expect(hand.pulled.small).toBeLessThan(65_536 + 100)
    hand.chunkBytes = 64 * 2 ** 10
    hand.submit('large', 1_000_000)
    expect(hand.pulled.large).toBeLessThanOrEqual(64)
  })

  it('the scheduler pulls from a cheap split again only after half of the chunks read ahead are dispatched', () => {
    const hand = new Hand({ maxReady: 1_000 })
    hand.msEach = 0.001
    hand.join('a')
    hand.submit('j', 1_000_000)
    const pulls = hand.all('pull').length
    for (let i = 0; i < 400; i++) hand.done('a', 'j', [i])
    expect(hand.all('pull')).toHaveLength(pulls)
    for (let i = 400; i < 1_000; i++) hand.done('a', 'j', [i])
    expect(hand.all('pull').length).toBeGreaterThan(pulls)
    expect(hand.all('pull').length).toBeLessThan(pulls + 5)
  })

  it('the scheduler pulls no chunk beyond the chunk budget, except the lowest chunk', () => {
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
  it('the scheduler folds chunks in order, each index once, one fold at a time', () => {
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

  it('the scheduler ignores an outcome that is repeated, comes from a dead worker, or comes from a worker without the chunk', () => {
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
    hand.do({ type: 'worker-gone', worker: second!.worker, why: 'died' })
    hand.done(second!.worker, 'j', second!.indices)
    expect(hand.all('keep')).toHaveLength(1)
  })

  it('the scheduler ends a job without chunks at once', () => {
    const hand = new Hand()
    hand.submit('j', 0)
    expect(hand.states()).toEqual(['accepted', 'running', 'completed'])
  })

  it('the scheduler counts the folded chunks of each peer, and counts the retries', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 2)
    hand.do({ type: 'worker-gone', worker: 'a', why: 'died' })
    hand.join('b', 2)
    hand.done('b', 'j', [0, 1])
    expect(hand.all('state').at(-1)).toMatchObject({
      state: 'completed',
      stats: { chunks: 2, retries: 1, speculated: 0, perPeer: { b: 2 } }
    })
  })
})

describe('failures', () => {
  it('a job fails with the failure of its lowest failed chunk', () => {
    const hand = new Hand()
    hand.join('a', 4)
    hand.submit('j', 10)
    hand.fail('a', 'j', [3, 1, 2])
    expect(hand.all('state').at(-1)).toMatchObject({ state: 'failed', failure: 'chunk 1 threw' })
    expect(hand.all('release')).toEqual([{ type: 'release', job: 'j', completed: false }])
  })

  it('the scheduler retries a failed chunk up to the retry limit of the job', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 1, { retries: 2 })
    expect(indicesOf(hand.fail('a', 'j', [0]))).toEqual([0])
    expect(indicesOf(hand.fail('a', 'j', [0]))).toEqual([0])
    hand.fail('a', 'j', [0])
    expect(hand.all('state').at(-1)).toMatchObject({ state: 'failed', stats: { retries: 2 } })
  })

  it('the scheduler retries a failed chunk at another worker, even if the other worker is busy', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 2, { retries: 5 })
    hand.join('b')
    expect(hand.fail('a', 'j', [0])).toEqual([])
    expect(hand.done('b', 'j', [1])).toMatchObject([{ worker: 'b', indices: [0] }])
  })

  it('the scheduler retries a failed chunk at the same worker if no other worker is left', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 2, { retries: 5 })
    hand.join('b')
    hand.fail('a', 'j', [0])
    expect(indicesOf(hand.do({ type: 'worker-gone', worker: 'b', why: 'died' }, 'dispatch'))).toEqual([0])
  })

  it('a worker that has died and rejoined may get the chunk that failed at that worker before', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 2, { retries: 5 })
    hand.join('b')
    hand.fail('a', 'j', [0])
    hand.do({ type: 'worker-gone', worker: 'a', why: 'died' })
    expect(indicesOf(hand.join('a'))).toEqual([0])
  })

  it('the scheduler ignores the failure of a chunk that another worker has now', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 1)
    hand.do({ type: 'worker-gone', worker: 'a', why: 'died' })
    hand.join('b')
    hand.fail('a', 'j', [0])
    expect(hand.states()).toEqual(['accepted', 'running'])
  })

  it('a job fails when its driver reports a failure', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 5)
    hand.do({ type: 'driver-failed', job: 'j', failure: 'split threw' })
    expect(hand.all('state').at(-1)).toMatchObject({ state: 'failed', failure: 'split threw' })
  })
})

describe('slow chunks', () => {
  /** Runs a job of six chunks at the workers a, b and c. Five chunks end after one second each. Returns the sixth chunk and its worker `holder`. */
  function almostDone(terms: Partial<JobTerms> = {}, slots = 1): { hand: Hand; holder: string; index: number } {
    const hand = new Hand()
    for (const worker of ['a', 'b', 'c']) hand.join(worker, slots)
    hand.submit('j', 6, terms)
    const { worker: holder, indices } = hand.all('dispatch')[0]!
    const index = indices[0]!
    for (let next = others(hand); next.length > 0; next = others(hand)) {
      hand.now += 100
      for (const { worker, index } of next) hand.done(worker, 'j', [index])
    }
    return { hand, holder, index }

    function others(hand: Hand): { worker: string; index: number }[] {
      const kept = new Set(hand.returned)
      return hand
        .all('dispatch')
        .flatMap(({ worker, indices }) => indices.map(index => ({ worker, index })))
        .filter(chunk => chunk.index !== index && !kept.has(chunk.index))
    }
  }

  it('a slow chunk starts exactly one more time, at another worker, after three times the usual duration', () => {
    const { hand, holder, index } = almostDone()
    expect(hand.pass(2_500)).toEqual([])
    const copies = hand.pass(1_000)
    expect(copies).toMatchObject([{ job: 'j', indices: [index] }])
    expect(copies[0]!.worker).not.toBe(holder)
    expect(hand.pass(20_000)).toEqual([])
    expect(hand.coordinator.progress('j')).toMatchObject({ speculated: 1, retries: 0 })
  })

  it('when the second copy of a slow chunk ends first, that copy counts and the first copy is cancelled', () => {
    const { hand, holder, index } = almostDone()
    const [copy] = hand.pass(4_000)
    hand.done(copy!.worker, 'j', [index])
    expect(hand.all('cancel-chunks')).toEqual([{ type: 'cancel-chunks', worker: holder, job: 'j', indices: [index] }])
    expect(hand.states().at(-1)).toBe('completed')
    expect(hand.all('state').at(-1)!.stats).toMatchObject({ chunks: 6, speculated: 1 })
  })

  it('when the first copy of a slow chunk ends first, that copy counts and the second copy is cancelled', () => {
    const { hand, holder, index } = almostDone()
    const [copy] = hand.pass(4_000)
    hand.folding = false
    hand.done(holder, 'j', [index])
    expect(hand.all('cancel-chunks')).toMatchObject([{ worker: copy!.worker, indices: [index] }])
    expect(hand.coordinator.outstanding(copy!.worker)).toBe(0)
    const kept = hand.all('keep').length
    hand.done(copy!.worker, 'j', [index])
    hand.fail(copy!.worker, 'j', [index])
    expect(hand.all('keep')).toHaveLength(kept)
    expect(hand.states()).toEqual(['accepted', 'running'])
  })

  it('the scheduler stops its search for slow chunks when one copy of the only slow chunk has ended', () => {
    const { hand, holder, index } = almostDone()
    hand.pass(4_000)
    hand.folding = false
    hand.done(holder, 'j', [index])
    const looks = (): number => hand.all('timer').filter(({ name }) => name === 'look').length
    const before = looks()
    hand.do({ type: 'timer', name: 'look' })
    expect(looks()).toBe(before)
  })

  it('a slow chunk does not return to the queue when one of its two workers is gone', () => {
    const { hand, holder, index } = almostDone()
    const [copy] = hand.pass(4_000)
    expect(hand.do({ type: 'worker-gone', worker: holder, why: 'died' }, 'dispatch')).toEqual([])
    expect(hand.coordinator.progress('j')).toMatchObject({ retries: 0 })
    hand.done(copy!.worker, 'j', [index])
    expect(hand.states().at(-1)).toBe('completed')
  })

  it('a slow chunk returns to the queue when both of its workers are gone', () => {
    const { hand, holder, index } = almostDone()
    const [copy] = hand.pass(4_000)
    hand.do({ type: 'worker-gone', worker: holder, why: 'died' })
    expect(hand.do({ type: 'worker-gone', worker: copy!.worker, why: 'died' }, 'dispatch')).toMatchObject([
      { indices: [index] }
    ])
  })

  it('the scheduler copies a slow chunk again when one of its two workers has left and the remaining copy is slow', () => {
    const { hand, holder, index } = almostDone()
    const [copy] = hand.pass(4_000)
    hand.do({ type: 'worker-gone', worker: holder, why: 'left' })
    expect(hand.pass(4_000)).toMatchObject([{ indices: [index] }])
    expect(hand.all('dispatch').at(-1)!.worker).not.toBe(copy!.worker)
  })

  it('a job without retries fails when one copy of a slow chunk throws before the other copy has ended', () => {
    const { hand, index } = almostDone()
    const [copy] = hand.pass(4_000)
    hand.fail(copy!.worker, 'j', [index])
    expect(hand.all('state').at(-1)).toMatchObject({ state: 'failed', failure: `chunk ${index} threw` })
  })

  it('when one copy of a slow chunk throws and a retry is left, the scheduler waits for the other copy', () => {
    const { hand, holder, index } = almostDone({ retries: 1 })
    const [copy] = hand.pass(4_000)
    expect(hand.fail(copy!.worker, 'j', [index])).toEqual([])
    // The worker where the chunk threw must not get the chunk again.
    expect(hand.pass(4_000).map(({ worker }) => worker)).not.toContain(copy!.worker)
    hand.done(holder, 'j', [index])
    expect(hand.states().at(-1)).toBe('completed')
  })

  it('the scheduler copies no slow chunk of a job without speculation', () => {
    const { hand } = almostDone({ speculate: false })
    expect(hand.pass(60_000)).toEqual([])
    expect(hand.all('timer').some(({ name }) => name === 'look')).toBe(false)
  })

  it('the scheduler copies no slow chunk while every slot is busy', () => {
    const { hand } = almostDone()
    hand.submit('k', 50)
    hand.pass(60_000)
    expect(hand.coordinator.progress('j')).toMatchObject({ speculated: 0 })
  })

  it('a leader that was paused copies no chunk at first, because the leader has not read the outcomes that arrived during the pause', () => {
    const { hand } = almostDone()
    hand.pass(500)
    hand.now += 60_000
    expect(hand.do({ type: 'timer', name: 'look' }, 'dispatch')).toEqual([])
    expect(hand.pass(500)).toHaveLength(1)
  })

  it('tiny slow chunks are copied in batches, and the next batch is copied as soon as a batch has ended', () => {
    const hand = new Hand()
    hand.join('a')
    hand.join('b')
    hand.submit('j', 400)
    const stuck = hand.all('dispatch')[0]!.worker
    const quick = stuck === 'a' ? 'b' : 'a'
    // The worker `stuck` stops when it has more than 50 outstanding chunks. The worker `quick` computes the other chunks.
    const pending = hand.all('dispatch')
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      if (next.worker === stuck && hand.coordinator.outstanding(stuck)! > 50) continue
      pending.push(...hand.done(next.worker, 'j', next.indices, 1))
    }
    expect(hand.coordinator.outstanding(quick)).toBe(0)
    let copies = hand.pass(1_500)
    expect(copies).toHaveLength(1)
    expect(copies[0]!.indices.length).toBeGreaterThan(1)
    while (copies.length > 0) copies = hand.done(quick, 'j', copies[0]!.indices, 1)
    expect(hand.states().at(-1)).toBe('completed')
  })

  it('no chunk counts as slow until as many chunks have ended as are running', () => {
    const hand = new Hand()
    for (const worker of ['a', 'b', 'c', 'd']) hand.join(worker)
    hand.submit('j', 3)
    const [first] = hand.all('dispatch')
    hand.done(first!.worker, 'j', first!.indices, 1)
    expect(hand.pass(60_000)).toEqual([])
  })

  it('no chunk counts as slow if other chunks of the same job took as long', () => {
    const hand = new Hand()
    hand.join('a', 2)
    hand.join('b', 2)
    hand.submit('j', 40)
    for (let next = 0; next < 39; next++) {
      const { worker } = hand.all('dispatch').find(({ indices }) => indices.includes(next))!
      hand.done(worker, 'j', [next], next % 10 === 0 ? 20_000 : 100)
    }
    expect(hand.pass(20_000)).toEqual([])
  })
})

describe('priorities of jobs', () => {
  it('the chunks of a job with higher priority are dispatched first', () => {
    const hand = new Hand()
    hand.submit('low', 100, { priority: -1 })
    hand.submit('normal', 100)
    hand.submit('high', 3, { priority: 7 })
    const dispatches = hand.join('a', 5)
    expect(dispatches.map(({ job, indices }) => [job, indices])).toEqual([
      ['high', [0, 1, 2]],
      ['normal', [0, 1]]
    ])
  })

  it('a job with lower priority gets no slot while a job with higher priority has chunks to dispatch', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('low', 100)
    hand.submit('high', 10, { priority: 1 })
    hand.done('a', 'low', [0])
    for (let next = 0; next < 10; next++) hand.done('a', 'high', [next])
    const jobs = hand.all('dispatch').flatMap(({ job, indices }) => indices.map(() => job))
    // The job `low` continues when the last chunk of the job `high` is dispatched.
    expect(jobs.slice(1, 11)).toEqual(new Array(10).fill('high'))
    expect(jobs.slice(11)).toContain('low')
  })

  it('no chunk of a job with lower priority waits at a worker while a job with higher priority has chunks to dispatch', () => {
    const hand = new Hand()
    hand.join('a', 1)
    hand.submit('high', 3, { priority: 1 })
    hand.done('a', 'high', [0])
    hand.submit('low', 100)
    // Chunk 2 of `high` is its last chunk and waits at the leader. If a chunk of `low` waited at the worker, it would run before chunk 2.
    expect(hand.all('dispatch').map(({ job }) => job)).toEqual(['high', 'high'])
    expect(hand.done('a', 'high', [1])[0]).toMatchObject({ job: 'high', indices: [2] })
  })

  it('a job with higher priority never preempts running chunks', () => {
    const hand = new Hand()
    hand.join('a', 2)
    hand.submit('low', 10)
    hand.submit('high', 10, { priority: 100 })
    expect(hand.all('cancel-chunks')).toEqual([])
    hand.done('a', 'low', [0])
    expect(hand.all('keep')).toHaveLength(1)
  })

  it('a job with lower priority gets the workers that the job with higher priority may not use', () => {
    const hand = new Hand()
    hand.join('a', 1, { tags: { gpu: 'a100' } })
    hand.join('b', 1)
    hand.submit('high', 10, { priority: 1, requires: { gpu: 'a100' } })
    hand.submit('low', 10)
    expect(hand.all('dispatch').map(({ worker, job }) => [worker, job])).toEqual([
      ['a', 'high'],
      ['b', 'low']
    ])
  })
})

describe('jobs of one priority', () => {
  /** Runs chunks for `ms` ms on one slot in the order of their dispatch. Returns the slot time of each job. */
  function share(
    durations: Record<string, number>,
    ms: number,
    meanwhile: (hand: Hand) => OfType<'dispatch'>[] = () => []
  ): Record<string, number> {
    const hand = new Hand()
    hand.join('a', 1)
    for (const job of Object.keys(durations)) hand.submit(job, 100_000)
    const had: Record<string, number> = {}
    const queue = hand.all('dispatch')
    while (hand.now < ms) {
      const { job, indices } = queue.shift()!
      const duration = durations[job] ?? 1_000
      for (const index of indices) {
        hand.now += duration
        had[job] = (had[job] ?? 0) + duration
        queue.push(...hand.done('a', job, [index], duration))
      }
      queue.push(...meanwhile(hand))
      hand.effects.length = 0
    }
    return had
  }

  it.each([
    [1_000, 8_000],
    [300, 300],
    [5, 2_000]
  ])('two jobs of one priority get equal slot time, with chunks of %i ms and of %i ms', (one, other) => {
    const had = share({ one, other }, 200_000)
    expect(had.one! / had.other!).toBeGreaterThan(0.8)
    expect(had.one! / had.other!).toBeLessThan(1.25)
  })

  it('a job that begins later gets half of the slot time after it has begun, and no compensation for the time before', () => {
    let begun: number | undefined
    const had = share({ early: 1_000 }, 200_000, hand => {
      if (hand.now < 100_000 || begun !== undefined) return []
      begun = hand.now
      return hand.submit('late', 100_000)
    })
    expect(begun).toBe(100_000)
    expect(had.late! / 100_000).toBeGreaterThan(0.4)
    expect(had.late! / 100_000).toBeLessThan(0.6)
  })
})

describe('tags', () => {
  const gpu = { gpu: 'a100' }

  it('the scheduler gives no chunk to a worker that lacks a required tag or has another value for the tag', () => {
    const hand = new Hand()
    hand.join('a', 4)
    hand.join('b', 4, { tags: { gpu: 'h100', zone: 'eu' } })
    hand.join('c', 1, { tags: { gpu: 'a100' } })
    hand.join('d', 2, { tags: { gpu: 'a100', zone: 'eu' } })
    hand.submit('j', 20, { requires: { gpu: 'a100', zone: 'eu' } })
    for (let next = 0; next < 20; next++) hand.done('d', 'j', [next])
    expect(new Set(hand.all('dispatch').map(({ worker }) => worker))).toEqual(new Set(['d']))
    expect(hand.states().at(-1)).toBe('completed')
  })

  it('a job without required tags also gets the workers that another job may not use', () => {
    const hand = new Hand()
    hand.join('a', 2)
    hand.join('b', 2, { tags: gpu })
    hand.submit('picky', 1, { requires: gpu })
    hand.submit('any', 3)
    expect(hand.all('dispatch').flatMap(({ worker, job }) => (job === 'picky' ? [worker] : []))).toEqual(['b'])
    expect(hand.coordinator.outstanding('a')! + hand.coordinator.outstanding('b')!).toBe(4)
  })

  it('a job that no worker may compute is reported as unserved after two seconds, and runs when a worker with the tags joins', () => {
    const hand = new Hand()
    hand.join('a', 4)
    hand.submit('j', 3, { requires: gpu })
    expect(hand.pass(1_750)).toEqual([])
    expect(hand.all('unserved')).toEqual([])
    hand.pass(500)
    expect(hand.all('unserved')).toEqual([{ type: 'unserved', job: 'j', unserved: true }])
    expect(hand.coordinator.progress('j')).toMatchObject({ state: 'accepted', unserved: true })
    expect(hand.join('b', 1, { tags: gpu })).toMatchObject([{ worker: 'b', job: 'j', indices: [0] }])
    expect(hand.coordinator.progress('j')).toMatchObject({ state: 'running', unserved: false })
    hand.do({ type: 'worker-gone', worker: 'b', why: 'died' })
    hand.pass(3_000)
    expect(hand.all('unserved').map(({ unserved }) => unserved)).toEqual([true, false, true])
  })

  it('a worker that loses a required tag completes its chunk, and gets no further chunk until the worker has the tag again', () => {
    const hand = new Hand()
    hand.join('a', 1, { tags: gpu })
    hand.submit('j', 3, { requires: gpu })
    hand.change('a', { tags: {} })
    expect(hand.done('a', 'j', [0])).toEqual([])
    expect(hand.all('keep')).toHaveLength(1)
    expect(hand.change('a', { tags: gpu })).toMatchObject([{ worker: 'a', indices: [1] }])
  })

  it('the scheduler copies a slow chunk only to a worker with the required tags', () => {
    const hand = new Hand()
    hand.join('a', 1, { tags: gpu })
    hand.join('b', 1)
    hand.join('c', 1, { tags: gpu })
    hand.submit('j', 6, { requires: gpu })
    const [{ worker: holder }] = hand.all('dispatch') as [OfType<'dispatch'>]
    const other = holder === 'a' ? 'c' : 'a'
    for (let next = 1; next < 6; next++) hand.done(other, 'j', [next])
    expect(hand.pass(4_000).map(({ worker }) => worker)).toEqual([other])
  })

  it('the scheduler retries a failed chunk at the same worker if no other worker has the required tags', () => {
    const hand = new Hand()
    hand.join('a', 1, { tags: gpu })
    hand.join('b', 1)
    hand.submit('j', 1, { retries: 1, requires: gpu })
    expect(hand.fail('a', 'j', [0])).toMatchObject([{ worker: 'a', indices: [0] }])
  })

  it('a job uses the spared worker if no other worker has the required tags', () => {
    const hand = new Hand()
    hand.join('leader', 2, { tags: gpu, spared: true })
    hand.join('a', 8)
    hand.submit('any', 50)
    expect(hand.coordinator.outstanding('leader')).toBe(0)
    hand.submit('picky', 2, { requires: gpu })
    expect(hand.coordinator.outstanding('leader')).toBe(2)
  })
})

describe('a job whose partials are combined', () => {
  function start(settings: Partial<SchedulerSettings> = {}): Hand {
    const hand = new Hand(settings)
    hand.combines = true
    return hand
  }
  const folds = (hand: Hand) => hand.all('fold').map(({ first, count }) => [first, count])
  const range = (from: number, end: number) => Array.from({ length: end - from }, (_, i) => from + i)

  it('the scheduler folds a combining job by whole groups, and folds the incomplete last group at the end', () => {
    const hand = start()
    hand.join('a', 40)
    hand.submit('j', 35)
    hand.done('a', 'j', range(1, 31))
    expect(folds(hand)).toEqual([])
    hand.done('a', 'j', [0])
    expect(folds(hand)).toEqual([[0, 16]])
    hand.done('a', 'j', [31, 32, 33])
    hand.done('a', 'j', [34])
    expect(folds(hand)).toEqual([
      [0, 16],
      [16, 16],
      [32, 3]
    ])
    expect(hand.states().at(-1)).toBe('completed')
  })

  it('the scheduler folds several groups of a combining job at a time up to the bounds, and always at least one group', () => {
    const hand = start({ maxFold: 40 })
    hand.join('a', 64)
    hand.submit('j', 64)
    hand.done('a', 'j', range(1, 64))
    hand.done('a', 'j', [0])
    expect(folds(hand)).toEqual([
      [0, 32],
      [32, 32]
    ])
    const small = start({ maxFold: 3, maxFoldBytes: 5 })
    small.join('a', 64)
    small.submit('j', 32)
    small.done('a', 'j', range(0, 32))
    expect(folds(small)).toEqual([
      [0, 16],
      [16, 16]
    ])
  })

  it('the scheduler dispatches a combining job by whole groups only if the chunks of the job are short', () => {
    for (const [ms, ends] of [
      [2, true],
      [100, false]
    ] as const) {
      const hand = start()
      hand.join('a')
      hand.join('b')
      hand.submit('j', 2_000)
      let dispatched = [hand.all('dispatch').flatMap(({ indices }) => indices)]
      for (let turn = 0; turn < 6; turn++) {
        const at = hand.all('dispatch').length
        for (const worker of ['a', 'b']) {
          const own = hand.all('dispatch').flatMap(dispatch => (dispatch.worker === worker ? dispatch.indices : []))
          hand.done(
            worker,
            'j',
            own.filter(index => !hand.returned.includes(index)),
            ms
          )
        }
        dispatched = hand
          .all('dispatch')
          .slice(at)
          .map(({ indices }) => indices)
      }
      expect(dispatched.length).toBeGreaterThan(0)
      expect(dispatched.every(indices => indices.at(-1)! % 16 === 15)).toBe(ends)
    }
  })

  it('the scheduler drops a combined group if another worker has some chunks of the group, and dispatches the other chunks again', () => {
    const hand = start()
    hand.join('a', 8)
    hand.join('b', 8)
    hand.submit('j', 16)
    const own = (worker: string) =>
      indicesOf(hand.all('dispatch').filter(dispatch => dispatch.worker === worker)).toSorted((x, y) => x - y)
    const [ofA, ofB] = [own('a'), own('b')]
    expect([ofA.length, ofB.length]).toEqual([8, 8])
    const event = outcomes('a', 'j', range(0, 16), [], 16) as Extract<SchedulerEvent<string>, { type: 'outcomes' }>
    const again = hand.do({ ...event, sizes: [40, ...new Array<number>(15).fill(0)] }, 'dispatch')
    expect(hand.all('keep')).toEqual([])
    expect(indicesOf(again).toSorted((x, y) => x - y)).toEqual(ofA)
    hand.done('b', 'j', ofB)
    for (const { worker, indices } of again) hand.done(worker, 'j', indices)
    expect(folds(hand)).toEqual([[0, 16]])
    expect(hand.states().at(-1)).toBe('completed')
  })

  it('a combining job completes although the window is smaller than a group', () => {
    const hand = start({ window: 4 })
    hand.join('a', 64)
    hand.submit('j', 40)
    let waiting = indicesOf(hand.all('dispatch'))
    expect(waiting).toEqual(range(0, 16))
    while (waiting.length > 0) waiting = indicesOf(hand.done('a', 'j', waiting))
    expect(hand.states().at(-1)).toBe('completed')
  })
})

describe('jobs', () => {
  it('a job that is submitted twice under one id is accepted only one time', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 5)
    hand.submit('j', 5)
    expect(hand.states()).toEqual(['accepted', 'running'])
  })

  it('the scheduler releases the workers of a cancelled job, and ignores outcomes that arrive after the cancellation', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 5)
    hand.do({ type: 'cancelled', job: 'j' })
    expect(hand.states().at(-1)).toBe('cancelled')
    expect(hand.all('release')).toHaveLength(1)
    hand.done('a', 'j', [0])
    expect(hand.all('keep')).toEqual([])
    expect(hand.coordinator.outstanding('a')).toBe(0)
  })

  it('the scheduler reports the progress of a job after each progress interval', () => {
    const hand = new Hand({ progressInterval: 100 })
    hand.join('a')
    hand.submit('j', 5)
    hand.done('a', 'j', [0])
    expect(hand.all('timer').filter(({ name }) => name === 'progress')).toEqual([
      { type: 'timer', name: 'progress', delay: 100 }
    ])
    expect(hand.all('progress')).toEqual([])
    hand.do({ type: 'timer', name: 'progress' })
    expect(hand.all('progress')).toMatchObject([
      { progress: { state: 'running', done: 1, total: 5, peers: 1, retries: 0, speculated: 0, unserved: false } }
    ])
  })

  it('the progress of a job counts a second peer that has chunks, although no chunk has ended', () => {
    const hand = new Hand()
    hand.join('a')
    hand.submit('j', 5)
    hand.do({ type: 'timer', name: 'progress' })
    hand.join('b')
    hand.do({ type: 'timer', name: 'progress' })
    expect(hand.all('progress').map(({ progress }) => progress.peers)).toEqual([1, 2])
  })

  it('fewer than 100,000 chunks of a job of a million chunks are in memory at any time', () => {
    const hand = new Hand()
    hand.join('a', 4)
    hand.submit('j', 1_000_000)
    let waiting = indicesOf(hand.all('dispatch'))
    while (waiting.length > 0) {
      expect(hand.pulled.j! - hand.coordinator.progress('j')!.done).toBeLessThan(100_000)
      hand.effects.length = 0
      waiting = indicesOf(hand.done('a', 'j', waiting, 0.002))
    }
    expect(hand.all('state').at(-1)).toMatchObject({ state: 'completed', stats: { chunks: 1_000_000 } })
  })
})

describe('the counts of a leadership', () => {
  const dispatched = (hand: Hand): number => indicesOf(hand.all('dispatch')).length

  it('the counts of a leadership include the folded and the dispatched chunks of running and ended jobs', () => {
    const hand = new Hand()
    hand.join('a', 2)
    hand.submit('x', 3)
    for (const index of [0, 1, 2]) hand.done('a', 'x', [index])
    expect(hand.coordinator.progress('x')).toBeUndefined()
    hand.submit('y', 100)
    expect(hand.coordinator.led()).toMatchObject({ folded: 3, dispatched: dispatched(hand), retried: 0, speculated: 0 })
    hand.do({ type: 'cancelled', job: 'y' })
    expect(hand.coordinator.led()).toMatchObject({ folded: 3, dispatched: dispatched(hand) })
    expect(hand.coordinator.load()).toEqual({ unserved: 0, ready: 0, dispatched: 0, unfolded: 0, unfoldedBytes: 0 })
  })

  it('the counts of a leadership include the retries of failed chunks and the retries of chunks of dead workers', () => {
    const hand = new Hand()
    hand.join('a', 1)
    hand.join('b', 1)
    hand.submit('j', 10, { retries: 1 })
    hand.fail('a', 'j', indicesOf(hand.all('dispatch').filter(({ worker }) => worker === 'a')).slice(0, 1))
    expect(hand.coordinator.led().retried).toBe(1)
    const lost = hand.coordinator.outstanding('b')!
    hand.do({ type: 'worker-gone', worker: 'b', why: 'died' })
    expect(hand.coordinator.led()).toMatchObject({ retried: 1 + lost, dispatched: dispatched(hand) })
  })

  it('the counts of a leadership include the second copies of slow chunks', () => {
    const hand = new Hand()
    hand.join('a', 4)
    hand.join('b', 4)
    hand.submit('j', 8)
    const [slow = 0, ...others] = indicesOf(hand.all('dispatch').filter(({ worker }) => worker === 'a'))
    hand.done('a', 'j', others)
    hand.done('b', 'j', indicesOf(hand.all('dispatch').filter(({ worker }) => worker === 'b')))
    expect(hand.pass(10_000)).toMatchObject([{ worker: 'b', indices: [slow] }])
    expect(hand.coordinator.led()).toMatchObject({ speculated: 1, dispatched: dispatched(hand) })
  })

  it('the counts of a leadership include the chunks that are folded again after an earlier leader, but not the folds of that leader', () => {
    const hand = new Hand()
    hand.join('a', 1)
    hand.totals.j = 8
    hand.pulled.j = 5
    hand.do({ type: 'submitted', job: 'j', terms: TERMS, from: { next: 5, perPeer: {} }, resumed: true })
    hand.do({ type: 'seen', job: 'j', folded: 7 })
    for (const index of [5, 6, 7]) hand.done('a', 'j', [index])
    expect(hand.states()).toContain('completed')
    expect(hand.coordinator.led()).toMatchObject({ folded: 3, recomputed: 2 })
  })

  it('of the jobs that no worker may compute only the first are split, and the others when a worker joins', () => {
    const hand = new Hand({ maxUnserved: 2 })
    const jobs = ['i', 'j', 'k', 'l']
    for (const job of jobs) hand.submit(job, 1)
    const split = (): string[] => hand.all('pull').map(({ job }) => job)
    expect(split()).toEqual(['i', 'j'])
    hand.pass(2_500)
    expect(hand.all('unserved').map(({ job }) => job)).toEqual(jobs)
    hand.do({ type: 'cancelled', job: 'i' })
    expect(split()).toEqual(['i', 'j', 'k'])
    const joined = hand.join('a', 4)
    expect(split()).toEqual(jobs)
    expect([...joined, ...hand.all('dispatch')].map(({ job }) => job)).toContain('l')
  })

  it('a job of which an earlier leader has folded chunks goes on, even if no worker may compute it and others wait', () => {
    const hand = new Hand({ maxUnserved: 0 })
    hand.totals.j = 5
    hand.pulled.j = 5
    hand.submit('i', 1)
    hand.do({ type: 'submitted', job: 'j', terms: TERMS, from: { next: 5, perPeer: {} }, resumed: true })
    expect(hand.states()).toContain('completed')
    expect(hand.all('pull').map(({ job }) => job)).toEqual(['j'])
  })

  it('the counts of a leadership include the present load: waiting and dispatched chunks, and unfolded partials', () => {
    const hand = new Hand()
    hand.folding = false
    hand.submit('j', 10)
    expect(hand.coordinator.load()).toEqual({ unserved: 0, ready: 10, dispatched: 0, unfolded: 0, unfoldedBytes: 0 })
    hand.pass(10_000)
    expect(hand.coordinator.load().unserved).toBe(1)
    hand.join('a', 3)
    hand.done('a', 'j', [1], 1_000, 50)
    const outstanding = hand.coordinator.outstanding('a')!
    expect(hand.coordinator.load()).toEqual({
      unserved: 0,
      ready: 9 - outstanding,
      dispatched: outstanding,
      unfolded: 1,
      unfoldedBytes: 50
    })
  })
})
