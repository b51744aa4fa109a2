/** A thread cannot unload a module, so the executor replaces a thread before the heap is full. */
import { describe, expect, it } from 'vitest'
import { executorOf, moduleOf, runValues } from '../helpers.ts'

describe('the executor with hundreds of tasks', () => {
  it('the executor replaces a thread before its modules use up the heap', async () => {
    const bundles = Array.from({ length: 300 }, (_, n) =>
      moduleOf(`const text = '${String(n).padEnd(200_000, 'x')}'; export default { run: chunk => chunk + text.length }`)
    )
    const executor = await executorOf(bundles, { maxHeapMb: 48 })
    for (const bundle of bundles) {
      const { partials, errors } = await runValues(executor, bundle, [1, 2])
      expect([...errors.values()]).toEqual([])
      expect([...partials.values()]).toEqual([200_001, 200_002])
    }
  }, 120_000)

  it('the executor replaces a thread before the data of its modules uses up the heap', async () => {
    const bundles = Array.from({ length: 60 }, (_, n) =>
      moduleOf(
        `const data = Array.from({ length: 200_000 }, (_, i) => i + ${n} + 0.5); export default { run: i => data[i] }`
      )
    )
    const executor = await executorOf(bundles, { maxHeapMb: 48 })
    for (const [n, bundle] of bundles.entries()) {
      const { partials, errors } = await runValues(executor, bundle, [1])
      expect([...errors.values()]).toEqual([])
      expect(partials.get(0)).toBe(n + 1.5)
    }
  }, 120_000)

  it.each([
    ['heap', 'Array.from({ length: 450_000 }, (_, i) => [i, i + 0.5])'],
    ['memory outside of the heap', 'Buffer.alloc(64 * 2 ** 20)']
  ])(
    'the executor keeps a thread that alternates between a module with much %s and a small module',
    async (_, data) => {
      const source = (kept: string) =>
        moduleOf(
          `import { threadId } from 'node:worker_threads'; const data = ${kept}; export default { run: i => [threadId, data[i]] }`
        )
      const [large, small] = [source(data), source('[]')]
      const executor = await executorOf([large, small], { maxHeapMb: 48 })
      const threads = new Set<unknown>()
      for (let turn = 0; turn < 5; turn++) {
        for (const bundle of [large, small]) {
          const [thread] = (await runValues(executor, bundle, [turn])).partials.get(0) as number[]
          threads.add(thread)
        }
      }
      expect(threads.size).toBe(1)
    }
  )

  it('the executor replaces no thread that has fewer than a hundred modules or that runs a chunk', async () => {
    const source = (n: number) =>
      `import { threadId } from 'node:worker_threads'; export default { run: () => [threadId, ${n}] }`
    const bundles = Array.from({ length: 250 }, (_, n) => moduleOf(source(n)))
    const long = moduleOf(`import { threadId } from 'node:worker_threads'
      export default { async run(_, { signal }) { await new Promise(resolve => signal.addEventListener('abort', resolve)); return threadId } }`)
    const executor = await executorOf([...bundles, long], { slots: 2 })
    const enough = new AbortController()
    const ends: unknown[] = []
    const running = runValues(executor, long, [0], { signal: enough.signal }).catch(error => ends.push(error))
    const threads = new Set<unknown>()
    for (const [n, bundle] of bundles.entries()) {
      const [thread, value] = (await runValues(executor, bundle, [0])).partials.get(0) as number[]
      expect(value).toBe(n)
      threads.add(thread)
    }
    expect(threads.size).toBe(3)
    expect(ends).toEqual([])
    const reason = new Error('enough')
    enough.abort(reason)
    await running
    expect(ends).toEqual([reason])
  }, 120_000)
})
