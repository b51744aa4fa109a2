import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { putSuspended } from '../api/suspended-jobs.ts'
import { ENDLESS, Served, SUM } from './served.ts'

const CLUSTER = `http-suspended-${process.pid}`
let folder: string
let served: Served

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  await putSuspended(folder, CLUSTER, ['resumed', 'cancelled'])
  served = await Served.start({ cluster: CLUSTER, dataDir: folder })
  await served.leads()
})

afterAll(async () => {
  await served?.stop()
  await rm(folder, { recursive: true })
})

it('a suspended job is listed, has no result, and its id is taken', async () => {
  await expect.poll(async () => (await served.own('/api/jobs/resumed')).json.state).toBe('suspended')
  const result = await served.own('/api/jobs/resumed/result?wait=60')
  expect([result.status, result.json.error.name]).toEqual([409, 'JobSuspendedError'])
  const other = await served.submit({ source: SUM, input: { numbers: [4] }, options: { id: 'resumed' } })
  expect([other.status, other.json.error.name]).toEqual([409, 'IdTakenError'])
})

it('a POST request with the token resumes a suspended job, once', async () => {
  const path = '/api/jobs/resumed/resume'
  expect((await served.ask(path, { method: 'POST' })).status).toBe(401)
  const { status, json } = await served.own(path, { method: 'POST' })
  expect([status, json.jobId]).toEqual([200, 'resumed'])
  expect(json.state).not.toBe('suspended')
  expect((await served.own('/api/jobs/resumed/result?wait=60')).json).toBe('none')
  expect((await served.own(path, { method: 'POST' })).json).toEqual({ jobId: 'resumed', state: 'completed' })
})

it('a DELETE request cancels a suspended job', async () => {
  const { status, json } = await served.own('/api/jobs/cancelled', { method: 'DELETE' })
  expect([status, json]).toEqual([200, { jobId: 'cancelled', state: 'cancelled' }])
})

it('a request to resume a job changes no other job, and answers 404 for an unknown one', async () => {
  await served.submit({ source: ENDLESS, options: { id: 'endless' } })
  const { status, json } = await served.own('/api/jobs/endless/resume', { method: 'POST' })
  expect([status, json.jobId]).toEqual([200, 'endless'])
  await served.own('/api/jobs/endless', { method: 'DELETE' })
  const unknown = await served.own('/api/jobs/none/resume', { method: 'POST' })
  expect([unknown.status, unknown.json.error.name]).toEqual([404, 'NoSuchJobError'])
})
