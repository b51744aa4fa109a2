/** The job that tests of fake clusters submit: it sums the squares of 0 to n - 1 (fake-runner.ts). */
import { createHash } from 'node:crypto'
import { vi } from 'vitest'
import type { JobParts } from '../../src/jobs/client/submitter.ts'
import { encode } from '../../src/tasks/values/payload.ts'
import type { FakeCluster, FakePeer } from './fake-cluster.ts'
import { FakeRunner, type FakeTask } from './fake-runner.ts'

export const code = Buffer.from('export default {}')
const bundle = { code, sha256: createHash('sha256').update(code).digest('hex'), name: 'squares', folder: '/tasks' }

export function parts(total: number): JobParts {
  return { bundle, input: encode(total, 'input') }
}

/** A chunk that never ends by itself. */
export const never = (): Promise<number> => new Promise(() => {})

/** Resolves when `condition` is true, which is checked after each message and each start of a chunk. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setImmediate(resolve))
}

/** Adds peers of one slot, in ascending order of rank. */
export function addPeers(cluster: FakeCluster, count: number, task: FakeTask): FakeRunner[] {
  const runners = Array.from({ length: count }, () => new FakeRunner(1, task))
  for (const runner of runners) cluster.add(runner)
  return runners
}

/** A task whose chunks, from `first` on, wait until `open` is called. */
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

/** The states of jobs that a leader reports. */
export function statesAt(leader: FakePeer): string[] {
  const states: string[] = []
  leader.jobs.addEventListener('job', ({ detail }) => states.push(detail.state))
  return states
}

/** Real time, which no test moves. */
const { setTimeout: trueTimeout } = globalThis

/** Moves fake time until `promise` settles, at about twenty times the speed of real time, so that real threads can answer. */
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

/** Lets a minute pass for a job without a client. */
export async function aMinute(begin: () => void): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    begin()
    await vi.advanceTimersByTimeAsync(60_000)
  } finally {
    vi.useRealTimers()
  }
}
