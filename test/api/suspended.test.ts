/** Suspended jobs, as a program and the command line see them, in peers of one process. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect } from '../../src/api/client.ts'
import { join } from '../../src/api/peer.ts'
import { cancelJob } from '../../src/cli/commands/cancel.ts'
import { resumeJob } from '../../src/cli/commands/resume.ts'
import { describeError } from '../../src/cli/describe-error.ts'
import { InvalidOptionError, JobCancelledError, JobSuspendedError, NoSuchJobError } from '../../src/common/errors.ts'
import type { Client, Peer } from '../../src/index.ts'
import { DUE, putSuspended } from './suspended-jobs.ts'

const SOON = { timeout: 20_000, interval: 20 }
const NAME = { cluster: 'suspended', insecure: true, mdns: false } as const
const signal = new AbortController().signal

let folder: string
let peer: Peer
let client: Client

beforeAll(async () => {
  folder = await mkdtemp(joinPath(tmpdir(), 'p2p-worker-test-'))
  const ids = ['refused', 'resumed', 'both', 'cancelled', 'command', 'ended']
  await putSuspended(folder, NAME.cluster, ids)
  peer = await join({ ...NAME, profile: 'local', slots: 1, listen: ['/ip4/127.0.0.1/tcp/0'], dataDir: folder })
  client = await connect({ ...NAME, bootstrap: peer.addresses() })
  await vi.waitFor(async () => expect((await client.status()).jobs).toHaveLength(ids.length), SOON)
})

afterAll(async () => {
  await client?.close()
  await peer?.leave()
  await rm(folder, { recursive: true })
})

async function stateOf(id: string): Promise<string | undefined> {
  return (await client.status()).jobs.find(({ jobId }) => jobId === id)?.state
}

test('a suspended job has no handle until a program decides, and the error says how', async () => {
  const error = await client.job('refused').catch((error: unknown) => error)
  expect(error).toBeInstanceOf(JobSuspendedError)
  expect(error).toMatchObject({ jobId: 'refused' })
  for (const advice of ['p2p-worker resume refused', 'p2p-worker cancel refused', "job(id, { suspended: 'resume' })"])
    expect(describeError(error)).toContain(advice)
  await expect(client.job('refused', { suspended: 'refuse' })).rejects.toThrow(JobSuspendedError)
  await expect(client.job('refused', { suspended: 'wait' as 'refuse' })).rejects.toThrow(InvalidOptionError)
  expect(await stateOf('refused')).toBe('suspended')
})

test('the chunk map of a suspended job is empty', async () => {
  expect(await client.chunkMap('refused')).toMatchObject({ state: 'suspended', end: 0, runs: [] })
})

test('a program resumes a suspended job and awaits its result', async () => {
  const job = await client.job<string>('resumed', { suspended: 'resume' })
  expect(await job.result()).toBe('none')
  const again = await client.job<string>('resumed', { suspended: 'resume' })
  expect([again.progress.state, await again.result()]).toEqual(['completed', 'none'])
})

test('a refusal of one handle leaves another handle of the process alone, which resumes the job', async () => {
  const [refused, resumed] = await Promise.allSettled([
    client.job('both'),
    client.job<string>('both', { suspended: 'resume' })
  ])
  expect(refused).toMatchObject({ reason: { name: 'JobSuspendedError' } })
  expect(resumed.status === 'fulfilled' && (await resumed.value.result())).toBe('none')
})

test('a program cancels a suspended job', async () => {
  const job = await client.job('cancelled', { suspended: 'cancel' })
  expect(job.progress.state).toBe('cancelled')
  await expect(job.result()).rejects.toThrow(JobCancelledError)
  expect(await stateOf('cancelled')).toBe('cancelled')
})

test('`resume` and `cancel` do not touch a job that they need not decide', async () => {
  const job = await client.submit(DUE, { ms: 60_000 }, { id: 'long' })
  expect((await client.job('long', { suspended: 'cancel' })).progress.state).not.toBe('cancelled')
  expect(await resumeJob(client, 'long', signal)).toBe('job long is not suspended: nothing has changed')
  await job.cancel()
  expect(await resumeJob(client, 'long', signal)).toBe('job long was already cancelled')
  await expect(resumeJob(client, 'none', signal)).rejects.toThrow(NoSuchJobError)
})

test('the command `resume` lets a job go on without a client', async () => {
  const other = await connect({ ...NAME, bootstrap: peer.addresses() })
  expect(await resumeJob(other, 'command', signal)).toBe('job command is resumed')
  await other.close()
  await vi.waitFor(async () => expect(await stateOf('command')).toBe('completed'), SOON)
  expect(await resumeJob(client, 'command', signal)).toBe('job command has already completed')
})

test('the command `cancel` ends a suspended job', async () => {
  expect(await cancelJob(client, 'ended', signal)).toBe('job ended is cancelled')
  expect(await cancelJob(client, 'ended', signal)).toBe('job ended was already cancelled')
})
