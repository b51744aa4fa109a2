import { describe, expect, it, onTestFinished } from 'vitest'
import { StoppedError } from '../../../src/common/errors.ts'
import type { TaskBundle } from '../../../src/tasks/bundle/bundle.ts'
import { type TaskFailure, TaskFailureError } from '../../../src/tasks/execute/failure.ts'
import type { JobDriver, LogLine } from '../../../src/tasks/executor.ts'
import { type Pack, pack, unpack } from '../../../src/tasks/values/pack.ts'
import { decode, encode } from '../../../src/tasks/values/payload.ts'
import { ENDED, executorOf, moduleOf, pullAll, withPatience } from '../helpers.ts'

async function driverOf(
  source: string,
  input: unknown,
  options: { signal?: AbortSignal; scheduledFor?: number; onLog?: (line: LogLine) => void } = {}
): Promise<{ driver: JobDriver; bundle: TaskBundle }> {
  const bundle = moduleOf(source)
  const executor = await executorOf([bundle])
  const driver = await executor.openDriver({
    sha256: bundle.sha256,
    input: encode(input, 'input'),
    slots: 3,
    ...options
  })
  onTestFinished(() => driver.close())
  return { driver, bundle }
}

const values = (chunks: Pack) => unpack(chunks).map(bytes => decode(bytes, 'chunk'))
const encoded = (...partials: unknown[]) => pack(partials.map(partial => encode(partial, 'partial')))

async function failureOf(promise: Promise<unknown>): Promise<TaskFailure> {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error
  )
  expect(error).toBeInstanceOf(TaskFailureError)
  return (error as TaskFailureError).failure
}

const RUN = 'run: chunk => chunk'

describe('splitting', () => {
  it.each<[string, string, unknown, unknown[]]>([
    ['a generator', '*split (n, { slots }) { for (let i = 0; i < n; i++) yield i * slots },', 4, [0, 3, 6, 9]],
    ['an async generator', 'async *split (n) { for (let i = 0; i < n; i++) { await null; yield i } },', 3, [0, 1, 2]],
    ['an array', 'split: n => [n, n],', 3, [3, 3]],
    ['a promise of an array', 'split: async n => [n, n],', 3, [3, 3]],
    ['no chunks', 'split: () => [],', 3, []],
    ['the elements of an array, without split', '', ['a', 'b'], ['a', 'b']],
    ['the entries of a Map, without split', '', new Map([[1, 2]]), [[1, 2]]],
    ['the characters of a string, without split', '', 'hey', ['h', 'e', 'y']]
  ])('a pull returns the chunks of split: %s', async (_, split, input, expected) => {
    const { driver } = await driverOf(`export default { ${split} ${RUN} }`, input)
    expect(await pullAll(driver, 2)).toEqual(expected)
    expect(await driver.pull(5)).toMatchObject({
      first: expected.length,
      chunks: { lengths: { length: 0 } },
      done: true
    })
  })

  it('split gets the due time of its job as a Date, and none if the job has none', async () => {
    const due = Date.UTC(2026, 10, 28, 3)
    const split = '*split (_, context) { yield Object.keys(context); yield context.scheduledFor },'
    const { driver } = await driverOf(`export default { ${split} ${RUN} }`, null, { scheduledFor: due })
    expect(await pullAll(driver, 2)).toEqual([['slots', 'scheduledFor'], new Date(due)])
    const { driver: other } = await driverOf(`export default { ${split} ${RUN} }`, null)
    expect(await pullAll(other, 2)).toEqual([['slots'], undefined])
  })

  it('split of an iteration gets the due time of its job', async () => {
    const due = Date.UTC(2026, 10, 28, 3)
    const source = `export default {
      split: (_, { scheduledFor }) => [scheduledFor.getTime()], start: () => 0,
      run: (_, shard) => shard, initial: 0, reduce: (a, b) => a + b, next: (_, sum) => sum, until: () => true
    }`
    const { driver } = await driverOf(source, null, { scheduledFor: due })
    await driver.pull(5)
    await driver.fold(0, encoded(due))
    await driver.pull(5)
    expect(decode(await driver.finish(), 'result')).toBe(due)
  })

  it('split computes no more chunks than requested', async () => {
    const lines: string[] = []
    const { driver } = await driverOf(
      `export default { *split () { for (let i = 0; ; i++) { console.log(i); yield i } }, ${RUN} }`,
      null,
      { onLog: ({ line }) => lines.push(line) }
    )
    // The number of chunks in one pull depends on time: see splitter.test.ts.
    for (let pulled = 0; pulled < 5; ) pulled += (await driver.pull(5 - pulled)).chunks.lengths.length
    expect(lines).toEqual(['0', '1', '2', '3', '4'])
  })

  it('a pull returns the chunks that split has already given when the next chunk never comes', async () => {
    const { driver } = await driverOf(
      `export default { async *split () { yield 0; await new Promise(() => {}) }, ${RUN} }`,
      null
    )
    expect(values((await driver.pull(10)).chunks)).toEqual([0])
  })

  it('a pull that waits does not delay the folds', async () => {
    const { driver } = await driverOf(
      `export default { async *split () { yield 1; await new Promise(() => {}) }, ${RUN}, initial: 0, reduce: (a, b) => a + b }`,
      null
    )
    await driver.pull(1)
    const waiting = driver.pull(1)
    await driver.fold(0, encoded(5))
    expect(decode(await driver.finish(), 'result')).toBe(5)
    const closed = driver.close()
    await expect(waiting).rejects.toThrow(StoppedError)
    await closed
  })

  it.each<[string, string, unknown, Partial<TaskFailure>]>([
    ['throws', "split () { throw new Error('no') },", 1, { function: 'split', message: 'no', index: undefined }],
    ['throws midway', "*split () { yield 1; throw new Error('no') },", 1, { function: 'split', index: 1 }],
    [
      'does not return an iterable',
      'split: () => 5,',
      1,
      { message: expect.stringContaining('must return an iterable') }
    ],
    ['is missing and the input is a number', '', 5, { message: expect.stringContaining('the input is no iterable') }],
    [
      'gives a chunk that cannot be cloned',
      'split: () => [1, { f () {} }],',
      1,
      { function: 'split', index: 1, name: 'NotCloneableError', message: expect.stringContaining('chunk.f ') }
    ],
    ['ends the thread', 'split () { process.exit(2) },', 1, { function: 'split', name: ENDED }]
  ])('the failure of a driver names the function split when split %s', async (_, split, input, expected) => {
    const { driver } = await driverOf(`export default { ${split} ${RUN} }`, input)
    expect(await failureOf(pullAll(driver, 1))).toMatchObject(expected)
  })
})

describe('folding', () => {
  const fold = async (source: string, ...partials: unknown[]) => {
    const { driver } = await driverOf(`export default { ${source} ${RUN} }`, [])
    for (const [index, partial] of partials.entries()) await driver.fold(index, encoded(partial))
    return decode(await driver.finish(), 'result')
  }

  it('a driver calls reduce in the order of the chunks, with the index of each chunk', async () => {
    expect(await fold("initial: '', reduce: (all, partial, index) => all + index + partial,", 'a', 'b', 'c')).toBe(
      '0a1b2c'
    )
  })

  it('a driver without reduce collects the partials in order, and finish gets the array of partials', async () => {
    expect(await fold('', 1, -0, 3n)).toEqual([1, -0, 3n])
    expect(await fold('finish: async all => all.length,', 1, 2)).toBe(2)
    expect(await fold('')).toEqual([])
  })

  it('the accumulator of a job starts as a copy of the initial value, or as the result of the factory', async () => {
    const source = 'initial: { seen: [] }, reduce (a, b) { a.seen.push(b); return a }, finish: a => a.seen,'
    const bundle = moduleOf(`export default { ${source} ${RUN} }`)
    const executor = await executorOf([bundle])
    for (let job = 0; job < 2; job++) {
      const driver = await executor.openDriver({ sha256: bundle.sha256, input: encode([], 'input'), slots: 1 })
      await driver.fold(0, encoded(job))
      expect(decode(await driver.finish(), 'result')).toEqual([job])
      await driver.close()
    }
    expect(await fold('initial: () => new Set([0]), reduce: (set, n) => set.add(n),', 1, 2)).toEqual(new Set([0, 1, 2]))
    expect(await fold('initial: 7, reduce: (a, b) => a + b,')).toBe(7)
  })

  it('a driver passes the accumulator through structured clone from the first fold on', async () => {
    const source = `
      initial: () => ({ kinds: [], it: undefined }),
      reduce (acc) {
        acc.kinds.push(acc.it === undefined ? 'none' : acc.it instanceof Date ? 'Date' : acc.it.constructor.name)
        acc.it = new (class Own { x = 1 })()
        return acc
      },
      finish: acc => acc.kinds,`
    expect(await fold(source, 1, 2, 3)).toEqual(['none', 'Object', 'Object'])
  })

  it('a driver folds 50,000 partials into a large accumulator within five seconds', async () => {
    const { driver } = await driverOf(
      `export default { ${RUN}, initial: () => [], reduce (a, b) { a.push(b); return a }, finish: a => a.length }`,
      []
    )
    const count = 50_000
    const started = performance.now()
    await driver.fold(0, encoded(...Array.from({ length: count }, (_, i) => `partial ${i}`)))
    expect(decode(await driver.finish(), 'result')).toBe(count)
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it.each<[string, string, Partial<TaskFailure>]>([
    [
      'reduce throws',
      "initial: 0, reduce (a, b, i) { if (i === 1) throw new Error('no'); return a },",
      { function: 'reduce', index: 1, message: 'no' }
    ],
    ['a factory throws', "initial () { throw new Error('no') }, reduce: a => a,", { function: 'initial' }],
    [
      'the initial value cannot be cloned',
      'initial: { a: [() => 1] }, reduce: a => a,',
      { function: 'initial', message: expect.stringContaining('initial.a[0] ') }
    ],
    [
      'the accumulator cannot be cloned',
      'initial: 0, reduce: () => ({ f () {} }),',
      { function: 'reduce', index: 0, message: expect.stringContaining('accumulator.f ') }
    ],
    ['finish throws', "finish () { throw new Error('no') },", { function: 'finish', message: 'no' }],
    [
      'the result cannot be cloned',
      'finish: () => ({ f () {} }),',
      { function: 'finish', message: expect.stringContaining('result.f ') }
    ],
    ['finish ends the thread', 'finish () { process.exit(1) },', { function: 'finish', name: ENDED }]
  ])('the failure of a driver names the function that failed when %s', async (_, source, expected) => {
    expect(await failureOf(fold(source, 1, 2))).toMatchObject(expected)
  })
})

describe('closing a driver', () => {
  it("closing a driver lets the user's generator clean up, and later calls reject", async () => {
    const lines: string[] = []
    const { driver } = await driverOf(
      `export default { *split () { try { yield 1; yield 2 } finally { console.log('cleaned') } }, ${RUN} }`,
      null,
      { onLog: ({ line }) => lines.push(line) }
    )
    await driver.pull(1)
    await withPatience(() => driver.close())
    await driver.close()
    expect(lines).toEqual(['cleaned'])
    await expect(driver.pull(1)).rejects.toThrow(StoppedError)
  })

  it('closing a driver ends a thread that loops for ever', async () => {
    const { driver } = await driverOf(`export default { *split () { for (;;) {} }, ${RUN} }`, null)
    const pull = driver.pull(1)
    pull.catch(() => {})
    await driver.close()
    await expect(pull).rejects.toThrow(StoppedError)
  })

  it('when the signal of a driver aborts, all calls reject at once with the reason', async () => {
    const controller = new AbortController()
    const { driver } = await driverOf(`export default { *split () { for (;;) {} }, ${RUN} }`, null, {
      signal: controller.signal
    })
    const pull = driver.pull(1)
    controller.abort(new Error('enough'))
    await expect(pull).rejects.toThrow('enough')
    await expect(driver.fold(0, encoded())).rejects.toThrow('enough')
    await driver.close()
  })
})
