import { describe, expect, it, vi } from 'vitest'
import { InvalidOptionError } from '../../../src/common/errors.ts'
import type { TaskBundle } from '../../../src/tasks/bundle/bundle.ts'
import { CHUNK_TIMEOUT } from '../../../src/tasks/execute/failure.ts'
import type { Executor } from '../../../src/tasks/executor.ts'
import { executorOf, moduleOf, withPatience } from '../helpers.ts'
import { chunksOf, valuesOf } from '../outcomes.ts'

const TASK = moduleOf(`export default {
  run(chunk, { signal, log }) {
    log(String(chunk))
    if (chunk === 'loop') for (;;) {}
    if (chunk === 'look') { while (!signal.aborted) {} return signal.reason.name }
    if (chunk === 'wait') {
      return new Promise((_, reject) => {
        const stop = () => { log(signal.reason.name); reject(signal.reason) }
        if (signal.aborted) stop()
        else signal.addEventListener('abort', stop)
      })
    }
    if (chunk === 'late') return new Promise(resolve => signal.addEventListener('abort', () => resolve('late')))
    if (typeof chunk === 'number') return new Promise(resolve => setTimeout(resolve, chunk, chunk))
    return chunk
  }
}`)

interface Ran {
  outcomes: Map<number, unknown>
  /** The printed lines: each chunk prints its value when the chunk begins. */
  lines: string[]
}

interface RunOptions {
  chunkTimeout?: number
  /** onStarted and onOutcome may cancel chunks. */
  onStarted?: (index: number, cancel: (index: number) => void) => void
  onOutcome?: (index: number, cancel: (index: number) => void) => void
}

/** Runs chunks with the given values. */
async function run(
  executor: Executor,
  values: unknown[],
  options: RunOptions = {},
  { sha256 }: TaskBundle = TASK
): Promise<Ran> {
  const outcomes = new Map<number, unknown>()
  const lines: string[] = []
  const { chunkTimeout, onStarted, onOutcome } = options
  const batch = executor.runBatch(
    { sha256, chunkTimeout, chunks: chunksOf(values) },
    {
      onOutcomes({ partials, failed }) {
        const arrived = [...valuesOf(partials), ...failed.map(({ index, failure }) => [index, failure] as const)]
        for (const [index, outcome] of arrived) {
          expect(outcomes.has(index)).toBe(false)
          outcomes.set(index, outcome)
          onOutcome?.(index, each => batch.cancel(each))
        }
      },
      onLog: ({ line }) => lines.push(line),
      onStarted: index => onStarted?.(index, each => batch.cancel(each))
    }
  )
  await batch
  return { outcomes, lines }
}

describe('a chunk that runs longer than chunkTimeout', () => {
  it.each(['loop', 'look', 'wait', 'late'])(
    'only the chunk that exceeds chunkTimeout fails, and each other chunk runs exactly once (%s)',
    async value => {
      const executor = await executorOf([TASK])
      const go = () => run(executor, ['a', 40, value, 'b', 'c'], { chunkTimeout: 1_000 })
      const { outcomes, lines } = await (value === 'wait' ? withPatience(go) : go())
      expect([...outcomes.keys()].sort()).toEqual([0, 1, 2, 3, 4])
      expect(outcomes.get(2)).toMatchObject({ function: 'run', index: 2, name: CHUNK_TIMEOUT })
      expect((outcomes.get(2) as Error).message).toMatch(/1000 ms.*chunkTimeout/)
      expect([0, 1, 3, 4].map(index => outcomes.get(index))).toEqual(['a', 40, 'b', 'c'])
      expect(lines.filter(line => line === 'b')).toHaveLength(1)
      if (value === 'wait') expect(lines).toContain('TimeoutError')
      expect(executor.busy).toBe(0)
    }
  )

  it('the time that other chunks took does not count towards the chunkTimeout of a chunk', async () => {
    const { outcomes } = await run(await executorOf([TASK]), [2_000, 2_000], { chunkTimeout: 3_500 })
    expect([...outcomes.values()]).toEqual([2_000, 2_000])
  })

  it('several chunks of one batch may exceed chunkTimeout, and only these chunks fail', async () => {
    const { outcomes } = await run(await executorOf([TASK]), ['loop', 'a', 'loop'], { chunkTimeout: 1_000 })
    expect(outcomes.get(0)).toMatchObject({ name: CHUNK_TIMEOUT })
    expect(outcomes.get(1)).toBe('a')
    expect(outcomes.get(2)).toMatchObject({ name: CHUNK_TIMEOUT, index: 2 })
  })

  it('a batch with an invalid chunkTimeout is refused', async () => {
    const executor = await executorOf([TASK])
    await expect(run(executor, ['a'], { chunkTimeout: 0 })).rejects.toThrow(InvalidOptionError)
    await expect(run(executor, ['a'], { chunkTimeout: Number.NaN })).rejects.toThrow(InvalidOptionError)
  })
})

describe('a chunk that is cancelled', () => {
  it.each(['loop', 'look', 'wait', 'late'])(
    'a chunk that is cancelled while it runs has no outcome, and the other chunks run (%s)',
    async value => {
      const executor = await executorOf([TASK])
      const onStarted: RunOptions['onStarted'] = (index, cancel) => {
        if (index === 1) cancel(1)
      }
      const go = () => run(executor, ['a', value, 'b'], { onStarted })
      const { outcomes, lines } = await (value === 'wait' ? withPatience(go) : go())
      expect([...outcomes]).toEqual([
        [0, 'a'],
        [2, 'b']
      ])
      // The cancelled chunk may print after the other chunks have returned.
      if (value === 'wait') await vi.waitFor(() => expect(lines).toContain('AbortError'), { timeout: 60_000 })
      expect(executor.busy).toBe(0)
    }
  )

  it('a chunk that is cancelled while it waits is skipped', async () => {
    const { outcomes, lines } = await run(await executorOf([TASK]), [3_000, 'a', 'loop', 'b'], {
      onStarted: (index, cancel) => {
        if (index === 0) for (const each of [1, 2, 7]) cancel(each)
      }
    })
    expect([...outcomes]).toEqual([
      [0, 3_000],
      [3, 'b']
    ])
    expect(lines).toEqual(['3000', 'b'])
  })

  it('a chunk that is cancelled before its batch has a thread is skipped, and the other chunks run', async () => {
    const executor = await executorOf([TASK])
    const first = run(executor, [200])
    const outcomes: unknown[] = []
    const chunks = chunksOf(['loop', 50])
    const batch = executor.runBatch(
      { sha256: TASK.sha256, chunks },
      { onOutcomes: ({ partials }) => outcomes.push(...valuesOf(partials).values()) }
    )
    batch.cancel(0)
    await Promise.all([first, batch])
    expect(outcomes).toEqual([50])
  })

  it('cancelling a chunk after its outcome has no effect', async () => {
    // The test cancels in onOutcome, because onStarted of the next chunk may be called before the outcome of the first chunk arrives.
    const { outcomes, lines } = await run(await executorOf([TASK]), [30, 100, 'b'], {
      onOutcome: (index, cancel) => {
        if (index === 0) cancel(0)
      }
    })
    expect([...outcomes.values()]).toEqual([30, 100, 'b'])
    expect(lines).toEqual(['30', '100', 'b'])
  })
})
