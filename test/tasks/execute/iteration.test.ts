import { describe, expect, it, onTestFinished } from 'vitest'
import { runOnOneThread } from '../../../src/tasks/bundle/load-local.ts'
import { type TaskFailure, TaskFailureError } from '../../../src/tasks/execute/failure.ts'
import type { Executor, JobDriver } from '../../../src/tasks/executor.ts'
import { pack, unpack } from '../../../src/tasks/values/pack.ts'
import { decode, encode } from '../../../src/tasks/values/payload.ts'
import { type ShardRound, shardRoundOf, withValues } from '../../../src/tasks/values/shard-round.ts'
import { executorOf, moduleOf } from '../helpers.ts'

/** An iteration whose sums depend on the order of additions, and on state, round and shard. */
const SUMS = `
  split: numbers => numbers.map(number => [number]),
  start: numbers => ({ sum: numbers.length / 10 }),
  run: ([number], { state, round, index }) => number * state.sum + round / (index + 3),
  initial: () => ({ total: 0 }),
  reduce: (sum, partial) => ({ total: sum.total + partial }),
  next: ({ sum }, { total }, { round }) => ({ sum: Math.sin(sum + total) + round / 7 }),
  until: (_, { round }) => round === 5,`
const NUMBERS = [0.1, 0.7, -1.3, 2.2]

/** Computes the result of {@link SUMS} in one loop. */
function sums(numbers: number[]): { sum: number } {
  let sum = numbers.length / 10
  for (let round = 0; round < 5; round++) {
    let total = 0
    for (const [index, number] of numbers.entries()) total += number * sum + round / (index + 3)
    sum = Math.sin(sum + total) + round / 7
  }
  return { sum }
}

async function open(source: string, input: unknown = NUMBERS, from: { executor?: Executor; resume?: Resume } = {}) {
  const bundle = moduleOf(`export default { ${source} }`)
  const executor = from.executor ?? (await executorOf([bundle]))
  const { sha256 } = bundle
  const driver = await executor.openDriver({ sha256, input: encode(input, 'input'), slots: 1, resume: from.resume })
  onTestFinished(() => driver.close())
  return new Loop(driver, executor, sha256)
}

type Resume = NonNullable<Awaited<ReturnType<JobDriver['checkpoint']>>> & { kind: 'folded' }

/** A driver and an executor that do the work of a leader and its workers. */
class Loop {
  readonly driver: JobDriver
  readonly executor: Executor
  readonly sha256: string
  /** The values that the driver sent, by the SHA-256 of each value. */
  readonly values = new Map<string, Uint8Array>()
  readonly given: string[] = []
  readonly references: ShardRound[] = []
  readonly digests: string[] = []

  constructor(driver: JobDriver, executor: Executor, sha256: string) {
    this.driver = driver
    this.executor = executor
    this.sha256 = sha256
  }

  /** Resolves with the next chunks, and the index of the first of these chunks. */
  async pull(max = 100): Promise<{ first: number; chunks: ShardRound[]; done: boolean }> {
    const { first, chunks, digests, values, done } = await this.driver.pull(max)
    if (values !== undefined) {
      for (const [i, bytes] of unpack(values).entries()) this.values.set(values.ids[i]!, bytes)
      this.given.push(...values.ids)
    }
    const references = unpack(chunks).map(bytes => shardRoundOf(bytes)!)
    for (const i of references.keys())
      this.digests.push(Buffer.from(digests.subarray(16 * i, 16 * i + 16)).toString('hex'))
    this.references.push(...references)
    return { first, chunks: references, done }
  }

  /** Resolves with the encoded partials of these chunks. */
  async run(first: number, chunks: readonly ShardRound[]): Promise<Uint8Array[]> {
    const whole = chunks.map(each => withValues(each, this.values.get(each.state)!, this.values.get(each.data)!))
    const partials: Uint8Array[] = []
    const failures: TaskFailure[] = []
    await this.executor.runBatch(
      { sha256: this.sha256, chunks: { indices: chunks.map((_, i) => first + i), ...pack(whole) } },
      {
        onOutcomes({ partials: some, failed }) {
          failures.push(...failed.map(({ failure }) => failure))
          partials.push(...unpack(some).map(bytes => bytes.slice()))
        }
      }
    )
    for (const failure of failures) throw new TaskFailureError(failure)
    return partials
  }

  /** Pulls, runs and folds one chunk at a time up to the chunk before `end`; resolves with whether the iteration is done. */
  async go(end = Number.POSITIVE_INFINITY): Promise<boolean> {
    for (;;) {
      const { first, chunks, done } = await this.pull(1)
      if (done) return true
      await this.driver.fold(first, pack(await this.run(first, chunks)))
      if (first + 1 === end) return false
    }
  }

  async checkpoint(): Promise<Resume> {
    const checkpoint = await this.driver.checkpoint()
    if (checkpoint?.kind !== 'folded') throw new Error('no checkpoint')
    return checkpoint
  }

  async result(): Promise<unknown> {
    return decode(await this.driver.finish(), 'result')
  }
}

async function failureOf(work: Promise<unknown>): Promise<TaskFailure> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error
  )
  expect(error).toBeInstanceOf(TaskFailureError)
  return (error as TaskFailureError).failure
}

describe('an iteration', () => {
  it('the result of an iteration equals the result of one loop to the bit', async () => {
    const loop = await open(SUMS)
    await loop.go()
    expect(await loop.result()).toEqual(sums(NUMBERS))
    expect(await runOnOneThread(moduleOf(`export default { ${SUMS} }`), NUMBERS)).toEqual(sums(NUMBERS))
  })

  it('the chunks of an iteration are the shards of each round', async () => {
    const loop = await open(SUMS)
    await loop.go()
    const expected = Array.from({ length: 20 }, (_, i) => ({ round: Math.floor(i / 4), shard: i % 4 }))
    expect(loop.references.map(({ round, shard }) => ({ round, shard }))).toEqual(expected)
  })

  it('an iteration sends each shard and each state only once', async () => {
    const loop = await open(SUMS)
    await loop.go()
    expect(loop.given).toHaveLength(4 + 5)
    expect(new Set(loop.given).size).toBe(9)
  })

  it('an iteration starts a round only when all partials of the previous round are folded, even if a pull waits', async () => {
    const loop = await open(SUMS)
    const { chunks } = await loop.pull()
    expect(chunks).toHaveLength(4)
    const partials = await loop.run(0, chunks)
    let pulled = false
    const second = loop.pull().finally(() => {
      pulled = true
    })
    await loop.driver.fold(0, pack(partials.slice(0, 3)))
    // The checkpoint is answered although a pull waits.
    expect(await loop.checkpoint()).toMatchObject({ next: 3 })
    expect(pulled).toBe(false)
    await loop.driver.fold(3, pack(partials.slice(3)))
    expect((await second).first).toBe(4)
  })

  it('an iteration has the same result whether the partials of a round are folded together or one by one', async () => {
    const loop = await open(SUMS)
    for (let first = 0; ; ) {
      const { chunks, done } = await loop.pull()
      if (done) break
      await loop.driver.fold(first, pack(await loop.run(first, chunks)))
      first += chunks.length
    }
    expect(await loop.result()).toEqual(sums(NUMBERS))
  })

  it('an iteration can be closed while a pull waits for the end of a round', async () => {
    const loop = await open(SUMS)
    await loop.pull()
    const waits = loop.pull()
    waits.catch(() => {})
    await loop.driver.close()
    await expect(waits).rejects.toThrow('the driver was closed')
  })

  it('an iteration passes the partials in shard order to `next` without `reduce`, and the last state to `finish`', async () => {
    const loop = await open(
      `start: () => [], run: (letter, { round }) => letter + round, next: (state, partials) => [...state, partials.join('')],
       until: state => state.length === 2, finish: state => state.join(' ')`,
      ['a', 'b', 'c']
    )
    await loop.go()
    expect(await loop.result()).toBe('a0b0c0 a1b1c1')
  })

  it('an iteration may be done before the first round', async () => {
    const loop = await open(`start: n => n, run: () => 0, next: n => n, until: () => true, split: n => [n]`, 7)
    expect(await loop.pull()).toMatchObject({ first: 0, chunks: [], done: true })
    expect(await loop.result()).toBe(7)
  })

  it('an iteration passes copies of shard and state to each `run`, so changes to them have no effect', async () => {
    const loop = await open(
      `start: () => ({ runs: 0 }), run: (shard, { state }) => [++shard.runs, ++state.runs], next: (state, all) => ({ ...state, all }),
       until: (_, { round }) => round === 2`,
      [{ runs: 0 }, { runs: 0 }]
    )
    await loop.go()
    expect(await loop.result()).toEqual({
      runs: 0,
      all: [
        [1, 1],
        [1, 1]
      ]
    })
  })

  it('all functions of an iteration may be asynchronous', async () => {
    const loop = await open(
      `async *split(n) { yield n; yield n + 1 }, start: async () => 1, run: async (n, { state }) => n * state, initial: async () => 0,
       reduce: async (a, b) => a + b, next: async (state, sum) => state + sum, until: async (_, { round }) => round === 2,
       finish: async state => -state`.replace('async () => 0', '0'),
      3
    )
    await loop.go()
    expect(await loop.result()).toBe(-64)
  })
})

describe('an iteration that resumes from a checkpoint', () => {
  it.each([1, 3, 4, 6, 7, 8, 19, 20])(
    'an iteration that resumes after %i chunks ends with the same state to the bit',
    async end => {
      const first = await open(SUMS)
      await first.go(end)
      const resume = await first.checkpoint()
      expect(resume.next).toBe(end)
      const second = await open(SUMS, NUMBERS, { executor: first.executor, resume })
      await second.go()
      expect(await second.result()).toEqual(sums(NUMBERS))
      // The second driver gives no chunk of an earlier round and no chunk that is already folded.
      expect(second.references).toHaveLength(20 - end)
    }
  )

  it('a resumed iteration has the same chunk digests, and sends each shard that the remaining chunks need only once', async () => {
    const first = await open(SUMS)
    await first.go(6)
    const resume = await first.checkpoint()
    await first.go()
    const second = await open(SUMS, NUMBERS, { executor: first.executor, resume })
    await second.go()
    expect(second.digests).toEqual(first.digests.slice(6))
    expect(second.given).toHaveLength(new Set(second.given).size)
  })

  it('a resumed iteration has a checkpoint before it folds any partial', async () => {
    const first = await open(SUMS)
    await first.go(6)
    const second = await open(SUMS, NUMBERS, { executor: first.executor, resume: await first.checkpoint() })
    await second.pull()
    const third = await open(SUMS, NUMBERS, { executor: first.executor, resume: await second.checkpoint() })
    await third.go()
    expect(await third.result()).toEqual(sums(NUMBERS))
  })

  it('a resumed iteration fails if split gives other shards than before', async () => {
    const source = `split: () => [process.hrtime.bigint()], start: () => 0, run: () => 1, next: n => n, until: () => false`
    const first = await open(source, null)
    await first.go(3)
    const second = await open(source, null, { executor: first.executor, resume: await first.checkpoint() })
    expect(await failureOf(second.pull())).toMatchObject({ function: 'split', name: 'SplitChangedError' })
  })

  it('a resumed iteration fails if split gives more shards than before', async () => {
    const source = (more: number) =>
      `split: n => Array.from({ length: n }), start: () => 0, run: () => 1, next: n => n, until: () => false, more: ${more}`
    const first = await open(source(0), 2)
    await first.go(3)
    const second = await open(source(0), 3, { executor: first.executor, resume: await first.checkpoint() })
    expect(await failureOf(second.pull())).toMatchObject({ function: 'split', name: 'SplitChangedError' })
  })
})

describe('an iteration that fails', () => {
  const task = (part: string) =>
    `start: () => 0, run: n => n, initial: 0, reduce: (a, b) => a + b, next: n => n + 1, until: () => false, ${part}`

  it('an iteration fails if split gives no shards', async () => {
    const loop = await open(task(''), [])
    expect(await failureOf(loop.pull())).toMatchObject({
      function: 'split',
      message: expect.stringMatching(/no shards/)
    })
  })

  it.each(['start', 'until'])('when `%s` throws, the error of the iteration names that function', async fn => {
    const loop = await open(task(`${fn}() { throw new RangeError('too bad') }`), [1])
    const failure = await failureOf(loop.pull())
    expect(failure).toMatchObject({ function: fn, name: 'RangeError' })
    expect(failure.message).toBe(fn === 'start' ? 'too bad' : 'too bad (in round 0)')
  })

  it('when `next` throws, the error of the iteration names `next` and the round', async () => {
    const loop = await open(task(`next(n) { if (n === 2) throw new RangeError('too bad'); return n + 1 }`), [1, 2])
    expect(await failureOf(loop.go())).toMatchObject({
      function: 'next',
      name: 'RangeError',
      message: 'too bad (in round 2)'
    })
  })

  it('when `reduce` throws, the error names the index of the chunk, counted over all rounds', async () => {
    const loop = await open(
      task(
        `next: n => n + 1, reduce(a, b, i) { if (b > 9) throw new Error('too much'); return a + b }, run: (n, { round }) => n + 5 * round`
      ),
      [1, 2]
    )
    expect(await failureOf(loop.go())).toMatchObject({ function: 'reduce', index: 4, message: 'too much' })
  })

  it('the error of an iteration names the part of a state that cannot be cloned', async () => {
    const loop = await open(task('next: () => ({ f: [() => 1] })'), [1])
    expect(await failureOf(loop.go())).toMatchObject({
      function: 'next',
      message: expect.stringMatching(/^state\.f\[0\] cannot be carried .*\(in round 0\)$/)
    })
  })

  it('when `run` throws, the error names the index of the chunk, counted over all rounds', async () => {
    const loop = await open(task(`run(n, { round }) { if (round === 1) throw new Error('no') ; return n }`), [1, 2])
    expect(await failureOf(loop.go())).toMatchObject({ function: 'run', index: 2, message: 'no' })
  })
})

describe('an incomplete iteration', () => {
  it.each([
    ['next: s => s, until: () => true', /`next` makes it an iteration, which needs `start`/],
    ['start: () => 0, until: () => true', /`start` makes it an iteration, which needs `next`/],
    ['start: () => 0, next: s => s', /`start` makes it an iteration, which needs `until`/],
    ['start: () => 0, next: 5, until: () => true', /`next` is a number, not a function/]
  ])('a module with only a part of an iteration is refused: %s', async (part, message) => {
    const loop = await open(`run: n => n, ${part}`, [1])
    expect(await failureOf(loop.driver.pull(1))).toMatchObject({
      function: 'load',
      message: expect.stringMatching(message)
    })
  })
})
