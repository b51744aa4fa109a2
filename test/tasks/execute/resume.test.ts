import { createHash } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TaskBundle } from '../../../src/tasks/bundle/bundle.ts'
import { TaskFailureError } from '../../../src/tasks/execute/failure.ts'
import type { Checkpoint, DriverResume, Executor, JobDriver, LogLine } from '../../../src/tasks/executor.ts'
import { digestOf } from '../../../src/tasks/values/canonical.ts'
import { pack, unpack } from '../../../src/tasks/values/pack.ts'
import { decode, encode } from '../../../src/tasks/values/payload.ts'
import { executorOf, moduleOf } from '../helpers.ts'

interface Opening {
  input?: unknown
  resume?: DriverResume
  onLog?: (line: LogLine) => void
}

async function open(executor: Executor, { sha256 }: TaskBundle, { input = [], ...options }: Opening = {}) {
  const driver = await executor.openDriver({ sha256, input: encode(input, 'input'), slots: 1, ...options })
  onTestFinished(() => driver.close())
  return driver
}

/** Pulls all chunks that are left. */
async function pullAll(driver: JobDriver): Promise<unknown[]> {
  const chunks: unknown[] = []
  for (;;) {
    const pulled = await driver.pull(100)
    for (const bytes of unpack(pulled.chunks)) chunks.push(decode(bytes, 'chunk'))
    if (pulled.done) return chunks
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
/** The rolling digest of the chunks 0 to `count` - 1, computed from its definition. */
const digestAfter = (count: number) =>
  createHash('sha256')
    .update(Buffer.concat(numbers(count).map(digestOf)))
    .digest()
const encoded = (...partials: unknown[]) => pack(partials.map(partial => encode(partial, 'partial')))

async function resultOf(driver: JobDriver): Promise<unknown> {
  return decode(await driver.finish(), 'result')
}

async function foldedOf(driver: JobDriver): Promise<Extract<Checkpoint, { kind: 'folded' }>> {
  const checkpoint = await driver.checkpoint()
  if (checkpoint?.kind !== 'folded') throw new Error('no checkpoint')
  return checkpoint
}

/** Folds the partials 0 to `count` - 1. At each index in `changes`, another driver continues from a checkpoint, if one is available. */
async function foldWithChanges(source: string, count: number, changes: readonly number[]) {
  const bundle = moduleOf(`export default { ${source} run: chunk => chunk }`)
  const executor = await executorOf([bundle])
  const input = numbers(count)
  let driver = await open(executor, bundle, { input })
  await pullAll(driver)
  const resumedAt: number[] = []
  const seen = new Set<number>()
  for (let index = 0; index < count; index++) {
    if (changes.includes(index) && !seen.has(index)) {
      seen.add(index)
      const resume = await driver.checkpoint()
      if (resume?.kind === 'folded') {
        resumedAt.push(resume.next)
        driver = await open(executor, bundle, { input, resume })
        expect(await pullAll(driver)).toEqual(input.slice(resume.next))
        index = resume.next
      }
    }
    await driver.fold(index, encoded(index))
  }
  return { result: await resultOf(driver), resumedAt }
}

describe('a driver that resumes from a checkpoint', () => {
  it.each<[string, string]>([
    ['a number', 'initial: 0, reduce: (sum, n, i) => sum * 3 + n + i,'],
    ['a small object', "initial: { all: '' }, reduce (a, n) { a.all += n; return a },"],
    ['a small instance', 'initial: 0, reduce: (a, n) => new (class Sum { n = (a.n ?? 0) + n })(),'],
    [
      'an instance whose class the task reads',
      'initial: { names: [] }, reduce: (a, n) => Object.assign(new (class A {})(), { names: [...a.names, a.constructor.name] }),'
    ],
    ['a large Map', 'initial: () => new Map(), reduce: (a, n) => a.set(n, String(n).repeat(100)),'],
    ['an array that grows', 'initial: [], reduce (a, n) { a.push({ n }); return a },'],
    ['typed arrays', 'initial: () => new Float64Array(1000), reduce (a, n) { a[n] = n / 3; return a },']
  ])(
    'a driver with %s as accumulator gives the same result, whatever folds the checkpoints are taken after',
    async (_, source) => {
      const plain = await foldWithChanges(source, 40, [])
      const changes = [0, 1, 5, 16, 31]
      const resumed = await foldWithChanges(source, 40, changes)
      expect(resumed.result).toEqual(plain.result)
      expect(resumed.resumedAt).toEqual(changes)
    }
  )

  // A clone after folds 1, 2, 4, 8, … turns instances into plain objects. A driver that resumes must clone after the same folds.
  it('a driver with class instances in a large accumulator gives the same result after it resumes', async () => {
    const source = `
      initial: () => ({ pad: 'x'.repeat(5000), items: [] }),
      reduce (a, n) { a.items.push(new (class Item { n = n })()); return a },
      finish: a => a.items.map(item => item.constructor.name),`
    const plain = await foldWithChanges(source, 12, [])
    expect(plain.result).toEqual(expect.arrayContaining(['Object']))
    const resumed = await foldWithChanges(source, 12, [3, 8, 11])
    expect(resumed).toEqual({ result: plain.result, resumedAt: [2, 8] })
  })

  it('a driver gives the same result after it resumes with an accumulator that has shrunk', async () => {
    const source = `
      initial: () => ({ pad: 'x'.repeat(5000), was: [] }),
      reduce (a, n) {
        a.was.push(a.it?.constructor.name)
        if (n === 4) a.pad = ''
        if (n >= 5) a.it = new (class Own { x = 1 })()
        return a
      },
      finish: a => a.was,`
    const plain = await foldWithChanges(source, 10, [])
    expect((await foldWithChanges(source, 10, [5])).result).toEqual(plain.result)
    expect(plain.result).toContain('Own')
  })

  it('a checkpoint contains only the folds before the checkpoint, while the first driver continues to fold', async () => {
    const bundle = moduleOf("export default { run: c => c, initial: '', reduce: (a, b) => a + b }")
    const executor = await executorOf([bundle])
    const driver = await open(executor, bundle, { input: numbers(3) })
    await driver.pull(3)
    const folded = driver.fold(0, encoded('a', 'b'))
    const checkpoint = await foldedOf(driver)
    await folded
    await driver.fold(2, encoded('c'))
    expect(checkpoint.next).toBe(2)
    expect(await resultOf(await open(executor, bundle, { resume: checkpoint }))).toBe('ab')
    expect(await resultOf(await open(executor, bundle, { resume: await foldedOf(driver) }))).toBe('abc')
    expect(await resultOf(driver)).toBe('abc')
    const fresh = await open(executor, bundle)
    expect(await resultOf(await open(executor, bundle, { resume: await foldedOf(fresh) }))).toBe('')
  })

  it('a driver refuses a partial whose index is not the next index to fold', async () => {
    const bundle = moduleOf('export default { run: c => c, initial: 0, reduce: (a, b) => a + b }')
    const executor = await executorOf([bundle])
    const driver = await open(executor, bundle, { input: [0, 1] })
    await driver.pull(2)
    await driver.fold(0, encoded(1, 2))
    const resumed = await open(executor, bundle, { resume: await foldedOf(driver) })
    await expect(resumed.fold(0, encoded(1))).rejects.toThrow(TaskFailureError)
  })

  it('a driver of a task without reduce resumes with the earlier partials that its caller passes', async () => {
    const bundle = moduleOf('export default { run: c => c, finish: all => all.join() }')
    const executor = await executorOf([bundle])
    const driver = await open(executor, bundle, { input: numbers(3) })
    await driver.pull(3)
    expect(await driver.kind()).toBe('appended')
    const partials = unpack(encoded('a', 'b', 'c'))
    const bytes = partials.reduce((sum, each) => sum + each.byteLength, 0)
    expect(await driver.fold(0, encoded('a', 'b', 'c'))).toEqual({ kind: 'appended', next: 3, bytes })
    const checkpoint = await driver.checkpoint()
    if (checkpoint?.kind !== 'appended') throw new Error('no checkpoint')
    expect(checkpoint.next).toBe(3)
    const resumed = await open(executor, bundle, { input: numbers(4), resume: { ...checkpoint, partials } })
    expect(await pullAll(resumed)).toEqual([3])
    await resumed.fold(3, encoded('d'))
    expect(await resultOf(resumed)).toBe('a,b,c,d')
    expect(partials[0]?.byteLength).toBeGreaterThan(0)
  })

  it('a driver estimates the size of a checkpoint within a factor of two', async () => {
    const bundle = moduleOf('export default { run: c => c, initial: [], reduce (a, b) { a.push(b); return a } }')
    const executor = await executorOf([bundle])
    const driver = await open(executor, bundle, { input: numbers(64) })
    await pullAll(driver)
    expect(await driver.kind()).toBe('folded')
    const { bytes } = await driver.fold(0, encoded(...Array.from({ length: 64 }, () => 'x'.repeat(1000))))
    const checkpoint = await foldedOf(driver)
    expect(checkpoint.accumulator.byteLength).toBeGreaterThan(64_000)
    expect(bytes / checkpoint.accumulator.byteLength).toBeGreaterThan(0.5)
    expect(bytes / checkpoint.accumulator.byteLength).toBeLessThan(2)
  })
})

describe('a split that resumes', () => {
  const COUNT = `export default {
    *split (n) { for (let i = 0; i < n; i++) { console.log(i); yield i } },
    run: c => c, initial: 0, reduce: (a, b) => a + b
  }`
  const at = (next: number, digest = digestAfter(next)): DriverResume => {
    return { kind: 'folded', next, digest, accumulator: Buffer.of(0, ...encode(7, 'a')) }
  }

  it('a resumed split runs from the start, but returns only the chunks from index `next` on', async () => {
    const bundle = moduleOf(COUNT)
    const lines: string[] = []
    const driver = await open(await executorOf([bundle]), bundle, {
      input: 6,
      resume: at(4),
      onLog: ({ line }) => lines.push(line)
    })
    const chunks: unknown[] = []
    for (let done = false; !done; ) {
      const pulled = await driver.pull(10)
      expect(pulled.first).toBe(4 + chunks.length)
      chunks.push(...unpack(pulled.chunks).map(bytes => decode(bytes, 'chunk')))
      done = pulled.done
    }
    expect(chunks).toEqual([4, 5])
    expect(lines).toEqual(['0', '1', '2', '3', '4', '5'])
    await driver.fold(4, encoded(4, 5))
    expect(await resultOf(driver)).toBe(16)
  })

  it('a resumed split is done if no chunk is left', async () => {
    const bundle = moduleOf(COUNT)
    const driver = await open(await executorOf([bundle]), bundle, { input: 4, resume: at(4) })
    expect(await driver.pull(10)).toMatchObject({ first: 4, chunks: { lengths: { length: 0 } }, done: true })
  })

  it('a resumed split fails when it gives fewer chunks than before', async () => {
    const bundle = moduleOf(COUNT)
    const driver = await open(await executorOf([bundle]), bundle, { input: 3, resume: at(4) })
    const error: unknown = await driver.pull(10).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(TaskFailureError)
    expect((error as TaskFailureError).failure).toMatchObject({ function: 'split', name: 'SplitChangedError' })
  })

  it('a resumed split fails when it gives other chunks than before', async () => {
    const bundle = moduleOf(COUNT)
    const driver = await open(await executorOf([bundle]), bundle, { input: 6, resume: at(4, digestAfter(3)) })
    const error: unknown = await driver.pull(10).catch((error: unknown) => error)
    expect((error as TaskFailureError).failure).toMatchObject({ function: 'split', name: 'SplitChangedError' })
    expect((error as TaskFailureError).failure.message).toContain('the first 4 chunks')
  })

  it('a split reports the same digests of chunks for pulls of any size, also after a resume', async () => {
    const bundle = moduleOf(COUNT)
    const executor = await executorOf([bundle])
    for (const [max, resume] of [
      [1, undefined],
      [100, undefined],
      [2, at(3)]
    ] as const) {
      const driver = await open(executor, bundle, { input: 8, ...(resume === undefined ? {} : { resume }) })
      for (let done = false; !done; ) {
        const pulled = await driver.pull(max)
        const values = [...pulled.chunks.lengths.keys()].map(i => pulled.first + i)
        expect(Buffer.from(pulled.digests)).toEqual(Buffer.concat(values.map(digestOf)))
        expect(Buffer.from(pulled.digest)).toEqual(digestAfter(pulled.first + values.length))
        done = pulled.done
      }
    }
  })

  it('a checkpoint has the digest of exactly the folded chunks', async () => {
    const bundle = moduleOf(COUNT)
    const executor = await executorOf([bundle])
    const driver = await open(executor, bundle, { input: 8 })
    await pullAll(driver)
    for (const next of [0, 2, 5]) {
      if (next > 0) await driver.fold(next === 2 ? 0 : 2, encoded(...numbers(next === 2 ? 2 : 3)))
      const checkpoint = await foldedOf(driver)
      expect([checkpoint.next, Buffer.from(checkpoint.digest)]).toEqual([next, digestAfter(next)])
      // A driver that resumes has the same checkpoint before it has split any chunk.
      const resumed = await open(executor, bundle, { input: 8, resume: checkpoint })
      expect(await resumed.checkpoint()).toEqual(checkpoint)
    }
  })

  it('a resumed split does not delay the folds while it skips earlier chunks', async () => {
    const bundle = moduleOf(`export default {
      *split () { for (;;) yield 0 }, run: c => c, initial: 0, reduce: (a, b) => a + b
    }`)
    const driver = await open(await executorOf([bundle]), bundle, { resume: at(1e12, digestAfter(0)) })
    const pull = driver.pull(1)
    pull.catch(() => {})
    await driver.fold(1e12, encoded(5))
    expect(await resultOf(driver)).toBe(12)
  })
})
