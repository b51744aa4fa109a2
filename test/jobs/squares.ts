/** The job that tests submit to a fake cluster. The result of the job is the sum of the squares of 0 to n - 1 (fake-runner.ts). */
import { createHash } from 'node:crypto'
import { vi } from 'vitest'
import type { JobParts } from '../../src/jobs/client/submission.ts'
import { encode } from '../../src/tasks/values/payload.ts'
import type { FakeCluster, FakePeer } from './fake-cluster.ts'
import { FakeRunner, type FakeTask } from './fake-runner.ts'

export const code = Buffer.from('export default {}')
const bundle = { code, sha256: createHash('sha256').update(code).digest('hex'), name: 'squares', folder: '/tasks' }

export function parts(total: number): JobParts {
  return { bundle, input: encode(total, 'input') }
}

/** A `run` function whose chunk never ends. */
export const never = (): Promise<number> => new Promise(() => {})

/** Resolves when `condition` is true. Checks `condition` in each turn of the event loop. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setImmediate(resolve))
}

/** Adds peers with one slot each, in ascending order of rank. */
export function addPeers(cluster: FakeCluster, count: number, task: FakeTask): FakeRunner[] {
  const runners = Array.from({ length: count }, () => new FakeRunner(1, task))
  for (const runner of runners) cluster.add(runner)
  return runners
}

/** Makes a task. Its chunks with an index of `first` or more wait until `open` is called. */
export function gated(first = 0): { task: FakeTask; open: () => void } {
  let open = (): void => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  return {
    task: { run: chunk => (chunk < first ? chunk * chunk : gate.then(() => chunk * chunk)) },
    open: () => open()
  }
}

/** Collects the job states that a leader reports. */
export function statesAt(leader: FakePeer): string[] {
  const states: string[] = []
  leader.jobs.addEventListener('job', ({ detail }) => states.push(detail.state))
  return states
}

/** The timer of the real clock. Fake timers do not replace it here. */
const { setTimeout: trueTimeout } = globalThis

/** Moves fake time until `promise` settles. Fake time runs about twenty times faster than real time, so that real threads can answer. */
export async function movingOn<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false
  const settle = (): void => {
    isSettled = true
  }
  promise.then(settle, settle)
  while (!isSettled) {
    await vi.advanceTimersByTimeAsync(20)
    await new Promise(resolve => trueTimeout(resolve, 1))
  }
  return await promise
}

/** Calls `begin`, and then lets a minute of fake time pass. */
export async function aMinute(begin: () => void): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    begin()
    await vi.advanceTimersByTimeAsync(60_000)
  } finally {
    vi.useRealTimers()
  }
}
