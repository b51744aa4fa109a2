import { once } from 'node:events'
import pDefer from 'p-defer'
import { describe, expect, it } from 'vitest'
import { JobCancelledError, JobFailedError } from '../../src/common/errors.ts'
import { LocalJob } from '../../src/jobs/local-job.ts'
import type { SubmitOptions } from '../../src/jobs/shared/types.ts'
import { encode } from '../../src/tasks/values/payload.ts'
import { expected, FakeRunner, type FakeTask } from './fake-runner.ts'

const SHA256 = 'ab'.repeat(32)

function start(slots: number, chunks: number, task: FakeTask = {}, options: SubmitOptions = {}) {
  const runner = new FakeRunner(slots, task)
  const codes = new Set<string>()
  const codeStore = {
    has: (sha256: string) => codes.has(sha256),
    put: async (sha256: string) => void codes.add(sha256)
  }
  const bundle = { code: new Uint8Array([1]), sha256: SHA256, name: 'task', folder: '/tasks' }
  const job = new LocalJob<number>({ parts: { bundle, input: encode(chunks, 'input') }, runner, codeStore, ...options })
  return { runner, job }
}

describe('a job that one process runs by itself', () => {
  it('a local job folds each chunk once and in order, whatever the order of return', async () => {
    const returned: number[] = []
    const tenth = pDefer<void>()
    const { job, runner } = start(3, 60, {
      async run(chunk) {
        if (chunk === 0) await tenth.promise
        returned.push(chunk)
        if (returned.length === 10) tenth.resolve()
        return chunk * chunk
      }
    })
    expect(await job.result()).toBe(expected(60))
    expect(returned.indexOf(0)).toBeGreaterThan(9)
    expect(job.stats).toMatchObject({ chunks: 60, retries: 0, recomputed: 0, speculated: 0, perPeer: { local: 60 } })
    expect(job.progress).toMatchObject({ state: 'completed', done: 60, total: 60, peers: 0 })
    expect(runner.mostRunning).toBeGreaterThan(1)
  })

  it('a local job gives the executor at most one batch for each slot, whatever the number of chunks', async () => {
    const { job, runner } = start(2, 5_000)
    expect(await job.result()).toBe(expected(5_000))
    expect(runner.mostRunning).toBe(2)
    expect(runner.started).toHaveLength(5_000)
  })

  it('a local job completes without any chunk', async () => {
    const { job } = start(2, 0)
    expect(await job.result()).toBe(0)
    expect(job.stats?.perPeer).toEqual({})
  })

  it('a local job retries a chunk that threw up to its limit, and then fails', async () => {
    let tries = 0
    const run = (chunk: number): number => {
      if (chunk === 2 && ++tries < 3) throw new RangeError('not yet')
      return chunk * chunk
    }
    const patient = start(1, 5, { run }, { retries: 2 })
    expect(await patient.job.result()).toBe(expected(5))
    expect(patient.job.stats?.retries).toBe(2)

    tries = 0
    const { job, runner } = start(1, 5, { run }, { retries: 1 })
    await expect(job.result()).rejects.toThrow(JobFailedError)
    await expect(job.result()).rejects.toMatchObject({ jobId: job.id, function: 'run', index: 2 })
    expect(job.progress.state).toBe('failed')
    await job.closed()
    expect(runner.openDrivers).toBe(0)
  })

  it('a local job fails when split fails, with the error of the driver', async () => {
    const { job } = start(2, -1)
    await expect(job.result()).rejects.toThrow('split failed: RangeError: below zero')
  })

  it('a local job aborts its running chunks when it is cancelled, and resolves when none runs', async () => {
    const begun = pDefer<void>()
    const { job, runner } = start(2, 5, {
      async run(_, signal) {
        begun.resolve()
        await once(signal, 'abort')
        throw signal.reason
      }
    })
    await begun.promise
    await job.cancel()
    expect(runner.running).toBe(0)
    expect(runner.openDrivers).toBe(0)
    expect(job.progress.state).toBe('cancelled')
    await expect(job.result()).rejects.toThrow(JobCancelledError)
    expect(job.stats?.chunks).toBe(5)
    await job.cancel()
  })

  it('a local job passes on the output of chunks and the chunk timeout', async () => {
    const { job, runner } = start(1, 3, {}, { chunkTimeout: 1_234 })
    const lines: object[] = []
    job.addEventListener('log', ({ detail }) => lines.push(detail))
    await job.result()
    expect(lines).toEqual(
      [0, 1, 2].map(index => ({ function: 'run', index, stream: 'stdout', line: `chunk ${index}`, peer: 'local' }))
    )
    expect([...runner.chunkTimeouts]).toEqual([1_234])
  })
})
