import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, onTestFinished, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/common/limits.ts'
import type { TaskBundle } from '../../src/tasks/bundle/bundle.ts'
import { CodeStore, codeHash } from '../../src/tasks/execute/code-store.ts'
import { PROCESS_ENDED, type TaskFailure, THREAD_ENDED } from '../../src/tasks/execute/failure.ts'
import { Executor, type ExecutorOptions, type JobDriver, type LogLine } from '../../src/tasks/executor.ts'
import { unpack } from '../../src/tasks/values/pack.ts'
import { decode } from '../../src/tasks/values/payload.ts'
import { chunksOf, valuesOf } from './outcomes.ts'

/** Makes a folder with these files. The folder is removed after the test. */
export async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'p2p-worker-test-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

/** A bundle whose code is this source, uncompiled: faster to make than a real bundle, for tests that are not about bundling. */
export function moduleOf(source: string): TaskBundle {
  const code = Buffer.from(source)
  return { code, sha256: codeHash(code), name: 'task', folder: '/', external: [], isIteration: false }
}

/** The isolation of the executors in tests; undefined if tasks run in threads. vitest.config.ts runs the tests about threads a second time with processes. */
const ISOLATION =
  process.env.P2P_WORKER_TEST_ISOLATION === 'process' ? { limits: DEFAULT_LIMITS, environment: [] } : undefined

/** The name of the failure of a chunk whose thread or process ended while the chunk ran. */
export const ENDED = ISOLATION === undefined ? THREAD_ENDED : PROCESS_ENDED

interface Executing {
  executor: Executor
  codeStore: CodeStore
}

function executing(options: Partial<Omit<ExecutorOptions, 'codeStore'>>): Executing {
  const codeStore = new CodeStore()
  return { executor: new Executor({ slots: 1, isolation: ISOLATION, ...options, codeStore }), codeStore }
}

async function stop({ executor, codeStore }: Executing): Promise<void> {
  await executor.stop()
  await codeStore.stop()
}

let shared: Executing | undefined

afterAll(async () => {
  if (shared !== undefined) await stop(shared)
  shared = undefined
})

/**
 * An executor that holds the code of the bundles. Without options all tests of a file share one executor, because its threads take longer to start
 * than most of these tests. With options the test gets an executor of its own, which stops after the test.
 */
export async function executorOf(
  bundles: TaskBundle[],
  options: Partial<Omit<ExecutorOptions, 'codeStore'>> = {}
): Promise<Executor> {
  const isOwn = Object.keys(options).length > 0
  if (!isOwn) shared ??= executing({})
  const used = isOwn ? executing(options) : shared!
  onTestFinished(async ({ task }) => {
    // A failed test may leave code running in the shared executor, which would disturb the tests that follow.
    const isOver = isOwn || task.result?.state === 'fail'
    if (used === shared && isOver) shared = undefined
    if (isOver) await stop(used)
  })
  for (const { sha256, code } of bundles) await used.codeStore.put(sha256, code)
  return used.executor
}

/** Pulls and decodes all chunks of a driver. */
export async function pullAll(driver: JobDriver, max = 100): Promise<unknown[]> {
  const all: unknown[] = []
  for (;;) {
    const { first, chunks, done } = await driver.pull(max)
    expect(first).toBe(all.length)
    all.push(...unpack(chunks).map(bytes => decode(bytes, 'chunk')))
    if (done) return all
  }
}

/** Disables the timer that ends unresponsive threads while `use` runs, so that no thread is ended on a slow machine. */
export async function withPatience<T>(use: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    return await use()
  } finally {
    vi.useRealTimers()
  }
}

export interface Ran {
  /** Decoded partials by index. */
  partials: Map<number, unknown>
  errors: Map<number, TaskFailure>
  logs: LogLine[]
  /** The number of chunks in each flush. */
  flushes: number[]
}

/** Runs chunks with the given values, from index 0 on. */
export async function runValues(
  executor: Executor,
  bundle: TaskBundle,
  values: unknown[],
  { signal, onStarted }: { signal?: AbortSignal; onStarted?: (index: number) => void } = {}
): Promise<Ran> {
  const ran: Ran = { partials: new Map(), errors: new Map(), logs: [], flushes: [] }
  const chunks = chunksOf(values)
  await executor.runBatch(
    { sha256: bundle.sha256, chunks, signal },
    {
      onOutcomes({ partials, failed }) {
        ran.flushes.push(partials.indices.length + failed.length)
        for (const { index, failure } of failed) ran.errors.set(index, failure)
        for (const [index, value] of valuesOf(partials)) ran.partials.set(index, value)
      },
      onLog: line => ran.logs.push(line),
      onStarted
    }
  )
  return ran
}
