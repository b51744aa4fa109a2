import { describe, expect, it } from 'vitest'
import type { LeaderSays, WorkMessage } from '../../src/jobs/work-messages.ts'
import { WorkSession } from '../../src/jobs/work-session.ts'
import type { Channel } from '../../src/network/types.ts'
import { encode } from '../../src/tasks/payload.ts'
import { FakeRunner } from './fake-runner.ts'

const SHA256 = 'ab'.repeat(32)
const code: LeaderSays = { type: 'code', sha256: SHA256, code: new Uint8Array([1]) }

function batch(job: string): LeaderSays {
  return { type: 'batch', job, sha256: SHA256, indices: [0], chunks: [encode(3, 'chunk')] }
}

/** A session whose leader is this test. */
function startSession() {
  const runner = new FakeRunner(1)
  const said: WorkMessage[] = []
  const codes = new Set<string>()
  const channel = { send: async (message: WorkMessage) => void said.push(message) }
  const session = new WorkSession({
    channel: channel as unknown as Channel<WorkMessage>,
    epoch: 1,
    runner,
    codeStore: { has: sha256 => codes.has(sha256), put: async sha256 => void codes.add(sha256) },
    onIdle: () => {}
  })
  const free = () => runner.slots - session.running
  return {
    runner,
    tell: (message: LeaderSays) => session.handle(message, free),
    requests: () => said.filter(({ type }) => type === 'code-request').length
  }
}

/** Lets what has been promised happen. */
const settled = () => new Promise(resolve => setImmediate(resolve))

describe('the code of a task at a worker', () => {
  it('is asked for again by the next job when the job that asked ended before the answer', async () => {
    const { tell, requests, runner } = startSession()
    tell(batch('a'))
    tell({ type: 'release', job: 'a' })
    tell(batch('b'))
    expect(requests()).toBe(2)
    tell(code)
    await settled()
    expect(runner.started).toEqual([0])
  })

  it('is not asked for again while another job still waits for the answer', async () => {
    const { tell, requests, runner } = startSession()
    tell(batch('a'))
    tell(batch('b'))
    tell({ type: 'release', job: 'a' })
    expect(requests()).toBe(1)
    tell(code)
    await settled()
    expect(runner.started).toEqual([0])
  })

  it('may arrive twice, and once more when nobody waits for it', async () => {
    const { tell, requests, runner } = startSession()
    tell(batch('a'))
    tell({ type: 'release', job: 'a' })
    tell(code)
    tell(batch('b'))
    tell(code)
    tell(code)
    await settled()
    expect(requests()).toBe(2)
    expect(runner.started).toEqual([0])
  })
})
