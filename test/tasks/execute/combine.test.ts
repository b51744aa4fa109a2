import { describe, expect, it, onTestFinished } from 'vitest'
import { withCombined } from '../../../src/jobs/shared/combined-groups.ts'
import type { TaskBundle } from '../../../src/tasks/bundle/bundle.ts'
import { runOnOneThread } from '../../../src/tasks/bundle/load-local.ts'
import type { Executor, JobDriver, Outcomes } from '../../../src/tasks/executor.ts'
import { type IndexedPack, packIndexed, slicePack } from '../../../src/tasks/values/pack.ts'
import { decode, encode } from '../../../src/tasks/values/payload.ts'
import fc from '../../properties.ts'
import { worlds } from '../../tier.ts'
import { executorOf, moduleOf } from '../helpers.ts'
import { chunksOf, valuesOf } from '../outcomes.ts'

/** A task whose partials show the order of `combine` calls by their brackets. */
const BRACKETS = `combine: (a, b) => '(' + a + ' ' + b + ')', initial: [], reduce: (all, partial, index) => [...all, [index, partial]]`
const RUN = 'run: chunk => String(chunk)'
/**
 * A clock that advances only when a task calls `pass`. A thread holds the partials of a group back only for a limited time, which real time on a busy machine
 * could exceed.
 */
const TIME_PASSES = 'let now = performance.now(); performance.now = () => now; const pass = ms => { now += ms };'
/** A clock that advances by 0.5 ms with each reading, for tests of `cancel`: a process checks only once a millisecond whether a chunk is cancelled. */
const TIME_CREEPS = 'let now = performance.now(); performance.now = () => (now += 0.5);'
const TASK = moduleOf(`${TIME_PASSES} export default { ${RUN}, ${BRACKETS} }`)

/** The expected combination of these partials, from left to right. */
const bracketed = (from: number, end: number) =>
  Array.from({ length: end - from }, (_, i) => String(from + i)).reduce((a, b) => `(${a} ${b})`)
const range = (from: number, end: number) => Array.from({ length: end - from }, (_, i) => from + i)

interface Ran {
  /** All outcomes in the order of their arrival. */
  outcomes: Outcomes[]
  partials: Map<number, unknown>
  combined: Map<number, unknown>
  failed: number[]
}

async function run(
  executor: Executor,
  { sha256 }: TaskBundle,
  chunks: IndexedPack,
  { combine = true, cancel, chunkTimeout }: { combine?: boolean; cancel?: number; chunkTimeout?: number } = {}
): Promise<Ran> {
  const ran: Ran = { outcomes: [], partials: new Map(), combined: new Map(), failed: [] }
  const batch = executor.runBatch(
    { sha256, chunks, combine, chunkTimeout },
    {
      onOutcomes(outcomes) {
        ran.outcomes.push(outcomes)
        for (const [index, value] of valuesOf(outcomes.partials)) ran.partials.set(index, value)
        if (outcomes.combined !== undefined)
          for (const [index, value] of valuesOf(outcomes.combined)) ran.combined.set(index, value)
        ran.failed.push(...outcomes.failed.map(({ index }) => index))
      }
    }
  )
  if (cancel !== undefined) batch.cancel(cancel)
  await batch
  return ran
}

async function driverOf(executor: Executor, { sha256 }: TaskBundle, input: unknown): Promise<JobDriver> {
  const driver = await executor.openDriver({ sha256, input: encode(input, 'input'), slots: 1 })
  onTestFinished(() => driver.close())
  return driver
}

/** Joins values in one pack, even if the values arrived in several packs. */
function together(values: ReadonlyMap<number, unknown>): IndexedPack {
  return packIndexed([...values].map(([index, value]) => ({ index, bytes: encode(value, 'partial') })))
}

/** Copies a pack into buffers that may be transferred. */
function own({ lengths, bytes }: Pick<IndexedPack, 'lengths' | 'bytes'>) {
  return { lengths: Uint32Array.from(lengths), bytes: Uint8Array.from(bytes) }
}

describe('a thread that runs chunks whose partials can be combined', () => {
  it('a thread reports all partials, and in addition the combined partials of whole groups', async () => {
    const ran = await run(await executorOf([TASK]), TASK, chunksOf(range(8, 50), 8))
    expect([...ran.partials]).toEqual(range(8, 50).map(i => [i, String(i)]))
    expect([...ran.combined]).toEqual([
      [16, bracketed(16, 32)],
      [32, bracketed(32, 48)]
    ])
  })

  it('a thread combines no partials if the batch does not request combined groups', async () => {
    const ran = await run(await executorOf([TASK]), TASK, chunksOf(range(0, 16)), { combine: false })
    expect([ran.partials.size, ran.combined.size]).toEqual([16, 0])
  })

  it('a thread holds partials back until their group is complete, also if the task is asynchronous', async () => {
    // One call of `pass` exceeds FLUSH_AFTER, but the sixteen calls of a group stay below HOLD_GROUP (run-batch.ts).
    const task = moduleOf(`${TIME_PASSES} export default {
      run: chunk => (pass(12), new Promise(resolve => setTimeout(resolve, 0, String(chunk)))),
      combine: async (a, b) => { await null; return '(' + a + ' ' + b + ')' }, initial: 0, reduce: sum => sum
    }`)
    const ran = await run(await executorOf([task]), task, chunksOf(range(0, 32)))
    expect([...ran.combined.values()]).toEqual([bracketed(0, 16), bracketed(16, 32)])
    for (const { partials, combined } of ran.outcomes)
      expect(combined?.indices.every(first => partials.indices.includes(first + 15)) ?? true).toBe(true)
  })

  it('a thread does not wait for the rest of a slow group, and combines no partials that the thread has already sent', async () => {
    const task = moduleOf(`${TIME_PASSES} export default { run: chunk => (pass(20), String(chunk)), ${BRACKETS} }`)
    const ran = await run(await executorOf([task]), task, chunksOf(range(0, 32)))
    expect([...ran.partials.keys()]).toEqual(range(0, 32))
    expect(ran.combined.size).toBe(0)
    // The first partials arrive together, and the later partials arrive one by one.
    expect(ran.outcomes.length).toBeGreaterThan(3)
  })

  it('a thread does not wait for the rest of a group of large partials', async () => {
    const task = moduleOf(`${TIME_PASSES} export default {
      run: chunk => (pass(11), 'x'.repeat(2 ** 17)), combine: a => a, initial: 0, reduce: sum => sum
    }`)
    const ran = await run(await executorOf([task]), task, chunksOf(range(0, 16)))
    expect([ran.partials.size, ran.combined.size]).toEqual([16, 0])
    expect(ran.outcomes.length).toBeGreaterThan(1)
  })

  it.each([
    [
      'a chunk of the group fails',
      `run: chunk => { if (chunk === 3) throw new Error('three'); return String(chunk) }`,
      {},
      [3]
    ],
    ['a chunk of the group is cancelled', RUN, { cancel: 3 }, []],
    [
      'the partial of a chunk in the group cannot be cloned',
      'run: chunk => chunk === 3 ? () => {} : String(chunk)',
      {},
      [3]
    ]
  ])('a thread combines no group if %s', async (_, source, options, failed) => {
    const task = moduleOf(`${TIME_CREEPS} export default { ${source}, ${BRACKETS} }`)
    const ran = await run(await executorOf([task]), task, chunksOf(range(0, 32)), options)
    expect([...ran.combined.keys()]).toEqual([16])
    expect([...ran.partials.keys()]).toEqual(range(0, 32).filter(index => index !== 3))
    expect(ran.failed).toEqual(failed)
  })

  it.each([
    ['throws', `combine () { throw new Error('no') }`],
    ['rejects', `async combine () { throw new Error('no') }`],
    ['returns a value that cannot be cloned', 'combine: () => () => {}']
  ])('a thread reports only the partials if combine %s', async (_, combine) => {
    const task = moduleOf(`export default { ${RUN}, ${combine}, initial: 0, reduce: sum => sum }`)
    const ran = await run(await executorOf([task]), task, chunksOf(range(0, 16)))
    expect([ran.partials.size, ran.combined.size, ran.failed]).toEqual([16, 0, []])
  })

  it.each([
    ['loops', 'combine () { for (;;) {} }'],
    ['never resolves', 'combine: () => new Promise(() => {})'],
    ['ends the thread', 'combine () { process.exit(3) }']
  ])(
    'a thread reports the partials of all chunks, also of the chunks after the group, if combine %s',
    async (_, combine) => {
      const task = moduleOf(`export default { ${RUN}, ${combine}, initial: 0, reduce: sum => sum }`)
      const ran = await run(await executorOf([task]), task, chunksOf(range(0, 20)), { chunkTimeout: 1_000 })
      expect([ran.partials.size, ran.combined.size, ran.failed]).toEqual([20, 0, []])
    }
  )
})

describe('a driver of a task that combines', () => {
  it('a driver folds groups that workers combined, groups that no worker combined, and the incomplete last group', async () => {
    const executor = await executorOf([TASK])
    const driver = await driverOf(executor, TASK, range(0, 40))
    const { chunks, combines, done } = await driver.pull(100)
    expect([chunks.lengths.length, combines, done]).toEqual([40, true, true])
    const { partials, combined } = await run(executor, TASK, chunksOf(range(0, 40)))
    await driver.fold(0, own(withCombined(together(partials), together(new Map([[16, combined.get(16)]])))))
    expect(decode(await driver.finish(), 'result')).toEqual([
      [0, bracketed(0, 16)],
      [16, bracketed(16, 32)],
      [32, bracketed(32, 40)]
    ])
  })

  it('a driver resumes from the checkpoint of another driver, and a driver refuses a fold that begins within a group', async () => {
    const executor = await executorOf([TASK])
    const driver = await driverOf(executor, TASK, range(0, 33))
    await driver.pull(100)
    const { partials } = await run(executor, TASK, chunksOf(range(0, 33)))
    const some = (from: number, end: number) => own(slicePack(together(partials), from, end))
    expect(await driver.fold(0, some(0, 16))).toMatchObject({ next: 16 })
    const resume = (await driver.checkpoint()) as Parameters<typeof executor.openDriver>[0]['resume']
    const input = encode(range(0, 33), 'input')
    const next = await executor.openDriver({ sha256: TASK.sha256, input, slots: 1, resume })
    onTestFinished(() => next.close())
    expect((await next.pull(100)).first).toBe(16)
    await next.fold(16, some(16, 33))
    expect(decode(await next.finish(), 'result')).toEqual([
      [0, bracketed(0, 16)],
      [16, bracketed(16, 32)],
      [32, '32']
    ])
    await driver.fold(16, some(16, 20))
    await expect(driver.fold(20, some(20, 33))).rejects.toThrow('begins no group')
  })

  it('when combine throws, the driver fails with the same error and the index of the chunk', async () => {
    const source = `combine () { throw new RangeError('no two') }, initial: 0, reduce: sum => sum`
    const task = moduleOf(`export default { ${RUN}, ${source} }`)
    const executor = await executorOf([task])
    const driver = await driverOf(executor, task, range(0, 20))
    await driver.pull(100)
    const { partials } = await run(executor, task, chunksOf(range(0, 20)))
    await expect(driver.fold(0, own(together(partials)))).rejects.toMatchObject({
      failure: { function: 'combine', index: 0, name: 'RangeError', message: 'no two' }
    })
  })

  it('a driver gives the same result to the bit whether workers combined all, some or no groups', async () => {
    const task = moduleOf(`export default {
      run: chunk => ({ sum: chunk, zero: chunk === 0 ? -0 : 0 }),
      combine (a, b) { a.sum += b.sum; a.zero += b.zero; return a },
      initial: 0, reduce: (sum, partial) => sum / 3 + partial.sum
    }`)
    const executor = await executorOf([task])
    const numbers = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 100 })
    await fc.assert(
      fc.asyncProperty(numbers, fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }), async (input, who) => {
        const expected = await runOnOneThread(task, input)
        const { partials, combined } = await run(executor, task, chunksOf(input))
        const chosen = new Map([...combined].filter(([first]) => who[first / 16]))
        const driver = await executor.openDriver({ sha256: task.sha256, input: encode(input, 'input'), slots: 1 })
        await driver.pull(100)
        await driver.fold(0, own(withCombined(together(partials), together(chosen))))
        expect(decode(await driver.finish(), 'result')).toBe(expected)
        await driver.close()
      }),
      { numRuns: worlds(50).length }
    )
  })
})
