import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { InvalidOptionError, P2pWorkerError, StoppedError } from '../../src/common/errors.ts'
import { FOLDER_PREFIX } from '../../src/persistence/temporary-folder.ts'
import { CodeStore } from '../../src/tasks/execute/code-store.ts'
import { Executor, type Outcomes } from '../../src/tasks/executor.ts'
import { NOTHING_PACKED } from '../../src/tasks/values/pack.ts'
import { encode } from '../../src/tasks/values/payload.ts'
import { executorOf, moduleOf, runValues, withPatience } from './helpers.ts'
import { chunksOf } from './outcomes.ts'

const LOOP = `export default {
  run(chunk, { signal }) {
    if (chunk === 'loop') for (;;) {}
    if (chunk === 'look') { while (!signal.aborted) {} signal.throwIfAborted() }
    if (chunk === 'wait') {
      return new Promise((_, reject) => {
        const stop = () => reject(signal.reason)
        if (signal.aborted) stop()
        else signal.addEventListener('abort', stop)
      })
    }
    return chunk
  }
}`

/** Starts a batch, aborts the batch when its first chunk runs, and resolves with the time from the abort to the end of the batch, in ms. */
async function abortWhileRunning(executor: Executor, bundle: Parameters<typeof runValues>[1], values: unknown[]) {
  const controller = new AbortController()
  let aborted = 0
  const reason = new Error('enough')
  const error = await runValues(executor, bundle, values, {
    signal: controller.signal,
    onStarted() {
      aborted = performance.now()
      controller.abort(reason)
    }
  }).catch((error: unknown) => error)
  expect(error).toBe(reason)
  return performance.now() - aborted
}

describe('the executor', () => {
  it('the executor runs chunks and returns their exact partials', async () => {
    const bundle = moduleOf('export default { run: async chunk => ({ chunk, sign: Object.is(chunk.zero, -0) }) }')
    const executor = await executorOf([bundle])
    const values = [{ zero: -0 }, { zero: 0, big: 1n << 70n, map: new Map([[1, new Float64Array([0.1])]]) }]
    const { partials } = await runValues(executor, bundle, values)
    expect(partials.get(0)).toEqual({ chunk: { zero: -0 }, sign: true })
    expect(partials.get(1)).toEqual({ chunk: values[1], sign: false })
  })

  it("the executor does not detach the caller's bytes, so that another peer can run the same chunks", async () => {
    const bundle = moduleOf('export default { run: chunk => chunk.length }')
    const executor = await executorOf([bundle])
    const chunks = chunksOf([new Uint8Array(100_000)])
    await executor.runBatch({ sha256: bundle.sha256, chunks }, { onOutcomes() {} })
    expect(chunks.bytes.byteLength).toBeGreaterThan(100_000)
  })

  it('the executor returns a partial of 20 MB unchanged', async () => {
    const bundle = moduleOf('export default { run: size => new Uint8Array(size).fill(7) }')
    const executor = await executorOf([bundle])
    const { partials } = await runValues(executor, bundle, [20_000_000])
    const partial = partials.get(0) as Uint8Array
    expect([partial.length, partial[0], partial.at(-1)]).toEqual([20_000_000, 7, 7])
  })

  it('the executor batches the outcomes of tiny chunks, and sends the outcome of a long chunk at once', async () => {
    const bundle = moduleOf(`export default {
      run(ms) { const end = performance.now() + ms; while (performance.now() < end) {} return ms }
    }`)
    const executor = await executorOf([bundle])
    const tiny = await runValues(executor, bundle, new Array(500).fill(0))
    expect(tiny.partials.size).toBe(500)
    expect(tiny.flushes.length).toBeLessThan(100)
    const long = await runValues(executor, bundle, [30, 30, 30])
    expect(long.flushes).toEqual([1, 1, 1])
  })

  it('the executor runs at most one batch per slot at a time, and the other batches afterwards', async () => {
    const bundle = moduleOf(`export default {
      run: chunk => new Promise(resolve => setTimeout(resolve, 50, chunk))
    }`)
    const executor = await executorOf([bundle], { slots: 2 })
    const runs = [1, 2, 3, 4, 5].map(n => runValues(executor, bundle, [n]))
    await Promise.race(runs)
    expect(executor.busy).toBeLessThanOrEqual(2)
    expect((await Promise.all(runs)).map(({ partials }) => partials.get(0))).toEqual([1, 2, 3, 4, 5])
    expect(executor.busy).toBe(0)
  })

  it('the executor loads a module once per thread', async () => {
    const bundle = moduleOf('let loads = 0; loads++; let n = 0; export default { run: () => [loads, ++n] }')
    const executor = await executorOf([bundle])
    await runValues(executor, bundle, [0])
    expect((await runValues(executor, bundle, [0])).partials.get(0)).toEqual([1, 2])
  })

  it('the time in which a module loads does not count as busy time of a chunk', async () => {
    const source = `const now = performance.now.bind(performance); performance.now = () => now() + 1e9
      export default { run: () => 0 }`
    const task = moduleOf(source)
    const executor = await executorOf([task])
    let busy = 0
    const handlers = { onOutcomes: (_: Outcomes, busyMs: number) => (busy += busyMs) }
    await executor.runBatch({ sha256: task.sha256, chunks: chunksOf([1, 2]) }, handlers)
    expect(busy).toBeGreaterThan(0)
    expect(busy).toBeLessThan(1e9)
  })

  it('the executor reports which chunk runs', async () => {
    const bundle = moduleOf(LOOP)
    const executor = await executorOf([bundle])
    const started: number[] = []
    // Each chunk runs until the executor has reported that the chunk started.
    const batch = executor.runBatch(
      { sha256: bundle.sha256, chunks: chunksOf(['wait', 'wait']) },
      {
        onOutcomes() {},
        onStarted(index) {
          started.push(index)
          batch.cancel(index)
        }
      }
    )
    await batch
    expect(started).toEqual([0, 1])
  })

  it('the executor refuses a bundle that its code store lacks, and a number of slots out of range', async () => {
    const executor = await executorOf([])
    await expect(
      executor.runBatch({ sha256: '0'.repeat(64), chunks: NOTHING_PACKED }, { onOutcomes() {} })
    ).rejects.toThrow(P2pWorkerError)
    expect(() => new Executor({ slots: 0, codeStore: new CodeStore() })).toThrow(InvalidOptionError)
  })
})

describe('cancelling a batch', () => {
  it('cancelling a batch aborts context.signal, whether the chunk awaits or polls the signal', async () => {
    const bundle = moduleOf(LOOP)
    const executor = await executorOf([bundle])
    // Within withPatience the executor never ends the thread, so only the signal can end the chunk.
    for (const value of ['wait', 'look']) await withPatience(() => abortWhileRunning(executor, bundle, [value, 1]))
    expect((await runValues(executor, bundle, [2])).partials.get(0)).toBe(2)
  })

  it('cancelling a batch terminates a thread that loops for ever, and the next batch runs in a new thread', async () => {
    const bundle = moduleOf(LOOP)
    const executor = await executorOf([bundle])
    const took = await abortWhileRunning(executor, bundle, ['loop'])
    expect(took).toBeGreaterThan(400)
    expect(took).toBeLessThan(5000)
    expect(executor.busy).toBe(0)
    expect((await runValues(executor, bundle, [2])).partials.get(0)).toBe(2)
  })

  it('cancelling a batch that waits for a thread leaves the running batch alone', async () => {
    const bundle = moduleOf(LOOP)
    const executor = await executorOf([bundle])
    const running = new AbortController()
    const first = runValues(executor, bundle, ['wait'], { signal: running.signal })
    await expect(runValues(executor, bundle, [1], { signal: AbortSignal.timeout(50) })).rejects.toThrow(/timeout/)
    const third = runValues(executor, bundle, [3])
    running.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    expect((await third).partials.get(0)).toBe(3)
  })
})

describe('stopping the executor', () => {
  it('stopping the executor ends running calls, and leaves no thread and no folder behind', async () => {
    const folders = async () => (await readdir(tmpdir())).filter(name => name.startsWith(FOLDER_PREFIX))
    const bundle = moduleOf(LOOP)
    const before = await folders()
    const ports = () => process.getActiveResourcesInfo().filter(name => name === 'MessagePort').length
    const portsBefore = ports()
    const codeStore = new CodeStore()
    await codeStore.put(bundle.sha256, bundle.code)
    const executor = new Executor({ slots: 2, codeStore })
    const driver = await executor.openDriver({ sha256: bundle.sha256, input: encode([1], 'input'), slots: 2 })
    await driver.pull(1)
    let running: Promise<unknown> = Promise.resolve()
    await new Promise<void>(resolve => {
      running = runValues(executor, bundle, ['loop'], { onStarted: () => resolve() })
    })
    expect(ports()).toBeGreaterThan(portsBefore)
    const stopped = executor.stop()
    await expect(running).rejects.toThrow(StoppedError)
    await expect(driver.pull(1)).rejects.toThrow(StoppedError)
    await stopped
    await codeStore.stop()
    expect(ports()).toBe(portsBefore)
    expect(await folders()).toEqual(before)
    await expect(
      executor.runBatch({ sha256: bundle.sha256, chunks: NOTHING_PACKED }, { onOutcomes() {} })
    ).rejects.toThrow(StoppedError)
  })
})
