import pDefer from 'p-defer'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LeaderSays, WorkMessage } from '../../../src/jobs/protocol/work-messages.ts'
import type { RunMode } from '../../../src/jobs/scheduler/index.ts'
import { withCombined } from '../../../src/jobs/shared/combined-groups.ts'
import type { PartialsDisk } from '../../../src/jobs/worker/partials-disk.ts'
import { WorkerCore } from '../../../src/jobs/worker/worker-core.ts'
import type { Channel } from '../../../src/network/types.ts'
import { pack, packIndexed, unpackIndexed } from '../../../src/tasks/values/pack.ts'
import { encode } from '../../../src/tasks/values/payload.ts'
import { digestsOf } from '../../tasks/outcomes.ts'
import { IDS } from '../fake-cluster.ts'
import { FakeRunner } from '../fake-runner.ts'
import { FakeLog } from './fake-log.ts'

const SHA256 = 'ab'.repeat(32)
const code: Says = { type: 'code', sha256: SHA256, code: new Uint8Array([1]) }

type Says = Exclude<LeaderSays, { type: 'welcome' }>

function batch(job: string, indices: number[] = [0], priority = 0, mode: RunMode = 'plain'): Says & { type: 'batch' } {
  return {
    type: 'batch',
    job,
    sha256: SHA256,
    mode,
    indices,
    chunks: pack(indices.map(index => encode(index, 'chunk'))),
    chunkTimeout: undefined,
    priority,
    digests: digestsOf(indices),
    seal: new Uint8Array(64),
    submissionId: 'the first',
    combine: false
  }
}

/** Makes a worker. The test sends the messages of the leader. */
function startSession(retainBytes?: number, disk?: PartialsDisk) {
  const runner = new FakeRunner(1)
  const said: WorkMessage[] = []
  const codes = new Set<string>()
  const bench = new WorkerCore({
    runner,
    codeStore: { has: sha256 => codes.has(sha256), put: async sha256 => void codes.add(sha256) },
    disk,
    ...(retainBytes === undefined ? {} : { retainBytes })
  })
  const begin = (remote = IDS[0]!, epoch = 1): void => {
    const channel = { remote, send: async (message: WorkMessage) => void said.push(message) }
    bench.begin({ channel: channel as unknown as Channel<WorkMessage>, epoch })
  }
  begin()
  return {
    runner,
    said,
    begin,
    tell: (message: Says) => bench.handle(message),
    requests: () => said.filter(({ type }) => type === 'code-request').length,
    /** The indices of the reported outcomes. */
    outcomes: () => said.flatMap(message => (message.type === 'outcomes' ? message.partials.indices : [])),
    failed: () => said.flatMap(message => (message.type === 'outcomes' ? message.failed : [])),
    bench
  }
}

/** Lets pending promises settle. */
const settled = () => new Promise(resolve => setImmediate(resolve))

describe('the code of a task at a worker', () => {
  it('a worker requests the code of a task again for the next job if the first job ended before the code arrived', async () => {
    const { tell, requests, runner } = startSession()
    tell(batch('a'))
    tell({ type: 'release', job: 'a' })
    tell(batch('b'))
    expect(requests()).toBe(2)
    tell(code)
    await settled()
    expect(runner.started).toEqual([0])
  })

  it('a worker does not request the code of a task again while another job still waits for the code', async () => {
    const { tell, requests, runner } = startSession()
    tell(batch('a'))
    tell(batch('b'))
    tell({ type: 'release', job: 'a' })
    expect(requests()).toBe(1)
    tell(code)
    await settled()
    expect(runner.started).toEqual([0])
  })

  it('a worker runs a chunk only once, although the code of the task arrives three times', async () => {
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

describe('a group that its thread has combined', () => {
  const partialsOf = (indices: readonly number[]) =>
    packIndexed(indices.map(index => ({ index, bytes: encode(index, 'partial') })))
  const group = Array.from({ length: 16 }, (_, i) => 16 + i)
  const combined = packIndexed([{ index: 16, bytes: encode('all', 'partial') }])
  const sent = (said: WorkMessage[]) => said.flatMap(message => (message.type === 'outcomes' ? [message.partials] : []))

  /** Starts a worker that has run one short chunk, and then the group of 16 chunks that follows. */
  async function startCombined() {
    const session = startSession()
    session.runner.runBatch = ({ chunks: { indices }, combine }, handlers) => {
      expect(combine).toBe(true)
      const isGroup = indices.length === 16
      handlers.onOutcomes({ partials: partialsOf(indices), combined: isGroup ? combined : undefined, failed: [] }, 1)
      return Object.assign(Promise.resolve(), { cancel() {} })
    }
    session.tell({ ...batch('a', [15, ...group]), combine: true })
    session.tell(code)
    await settled()
    return session
  }

  it('a worker sends a combined group as one combined value', async () => {
    const { said } = await startCombined()
    expect(sent(said)).toEqual([withCombined(partialsOf([15, ...group]), combined)])
  })

  it('a worker keeps the partial of each chunk of a combined group, so that the next leader can reattach only some of the chunks', async () => {
    const { said, bench, tell, begin } = await startCombined()
    bench.leaderGone()
    begin(IDS[1]!, 2)
    said.length = 0
    const { indices, digests, seal, submissionId } = batch('a', [18, 19])
    tell({ type: 'reattach', job: 'a', indices, digests, seal, submissionId })
    await settled()
    expect(sent(said).flatMap(unpackIndexed)).toEqual(unpackIndexed(partialsOf([18, 19])))
  })
})

describe('chunks that wait at a worker', () => {
  it('a worker gives waiting chunks to a thread as one batch if an earlier job of the same task had tiny chunks', async () => {
    const { runner, tell, said } = startSession()
    const messages = () => said.filter(({ type }) => type === 'outcomes').length
    tell(batch('a', [0, 1, 2, 3]))
    tell(code)
    await settled()
    await settled()
    const first = messages()
    tell({ type: 'release', job: 'a' })
    tell(batch('b', [0, 1, 2, 3]))
    await settled()
    await settled()
    expect(runner.started).toEqual([0, 1, 2, 3, 0, 1, 2, 3])
    expect([first, messages() - first]).toEqual([2, 1])
  })

  it('a worker runs the waiting chunks of the job with the highest priority first', async () => {
    const { runner, tell, outcomes } = startSession()
    const stops: (() => void)[] = []
    runner.task = { run: chunk => new Promise(resolve => stops.push(() => resolve(chunk))) }
    tell(batch('a', [0, 1, 2]))
    tell(code)
    await settled()
    tell(batch('b', [10, 11]))
    tell(batch('high', [20, 21], 5))
    while (outcomes().length < 7) {
      stops.shift()?.()
      await settled()
    }
    expect(runner.started).toEqual([0, 20, 21, 1, 2, 10, 11])
  })
})

describe('chunks that are cancelled', () => {
  /** Starts a worker with six more chunks. Chunk 3 runs until it is cancelled. The other chunks end at once. */
  async function startStuck() {
    const started = startSession()
    const { runner, tell } = started
    tell(batch('j', [0]))
    tell(code)
    await settled()
    runner.task = { run: chunk => (chunk === 3 ? new Promise(() => {}) : chunk) }
    tell(batch('j', [1, 2, 3, 4, 5, 6]))
    await settled()
    expect(runner.started.at(-1)).toBe(3)
    return started
  }
  const cancel = (indices: number[]): Says => ({ type: 'cancel-chunks', job: 'j', indices })
  const returned = async (outcomes: () => number[], count: number) => {
    while (outcomes().length < count) await settled()
  }

  it('a cancelled running chunk is aborted, and the later chunks on the same thread still run', async () => {
    const { runner, tell, outcomes, failed } = await startStuck()
    tell(cancel([3]))
    await returned(outcomes, 6)
    expect(outcomes()).toEqual([0, 1, 2, 4, 5, 6])
    expect(failed()).toEqual([])
    expect(runner.started).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('a cancelled chunk that waits behind a running chunk does not run, and the running chunk continues', async () => {
    const { runner, tell, outcomes } = await startStuck()
    tell(cancel([4, 6]))
    await settled()
    expect(runner.running).toBe(1)
    tell(cancel([3]))
    await returned(outcomes, 4)
    expect(outcomes()).toEqual([0, 1, 2, 5])
    expect(runner.started).not.toContain(4)
    expect(runner.running).toBe(0)
  })

  it('a cancelled chunk that waits for a thread does not run', async () => {
    const { runner, tell, outcomes } = await startStuck()
    tell(batch('j', [7, 8]))
    tell(cancel([7, 3]))
    await returned(outcomes, 7)
    expect(outcomes()).toEqual([0, 1, 2, 4, 5, 6, 8])
    expect(runner.started).not.toContain(7)
  })

  it('a worker ignores the cancellation of a chunk that has ended or whose job has ended', async () => {
    const { tell, outcomes } = await startStuck()
    tell(cancel([0, 1, 99]))
    tell({ type: 'cancel-chunks', job: 'other', indices: [3] })
    tell(cancel([3]))
    await returned(outcomes, 6)
    tell({ type: 'release', job: 'j' })
    tell(cancel([4]))
  })

  it('when a job ends directly after the cancellation of a chunk, the thread becomes free and no further outcome is sent', async () => {
    const { tell, outcomes, runner } = await startStuck()
    tell(cancel([3]))
    tell({ type: 'release', job: 'j' })
    while (runner.running > 0) await settled()
    expect(outcomes().filter(index => index > 2)).toEqual([])
  })
})

describe('chunks that are announced', () => {
  const starting = (said: WorkMessage[]) => said.filter(message => message.type === 'starting')
  const go = (indices: number[]): Says => ({ type: 'go', job: 'j', indices })

  async function startAnnounced() {
    const started = startSession()
    started.tell(code)
    started.tell(batch('j', [0, 1], 0, 'announced'))
    started.tell(code)
    await settled()
    return started
  }

  it('announced chunks begin one after the other, and each chunk begins only after the leader has permitted its start', async () => {
    const { runner, said, tell, outcomes } = await startAnnounced()
    expect(starting(said)).toMatchObject([{ job: 'j', indices: [0] }])
    expect(runner.started).toEqual([])
    tell({ type: 'go', job: 'other', indices: [0] })
    tell(go([1]))
    await settled()
    expect(runner.started).toEqual([])
    tell(go([0]))
    await settled()
    expect(runner.started).toEqual([0])
    while (starting(said).length < 2) await settled()
    tell(
      go(
        starting(said)
          .flatMap(({ indices }) => indices)
          .slice(1)
      )
    )
    while (outcomes().length < 2) await settled()
    expect(runner.alone).toEqual([])
  })

  it('a worker announces up to 16 chunks at a time if the chunks are tiny', async () => {
    const { said, tell, outcomes } = await startAnnounced()
    tell(go([0]))
    while (starting(said).length < 2) await settled()
    tell(go([1]))
    while (outcomes().length < 2) await settled()
    tell(
      batch(
        'j',
        Array.from({ length: 40 }, (_, i) => i + 2),
        0,
        'announced'
      )
    )
    await settled()
    const { indices } = starting(said).at(-1)!
    expect(indices.length).toBeGreaterThan(1)
    expect(indices.length).toBeLessThanOrEqual(16)
  })

  it('an announced chunk does not begin if the leader cancels the chunk, or ends its job, before the permission to start', async () => {
    const { runner, tell, said } = await startAnnounced()
    tell({ type: 'cancel-chunks', job: 'j', indices: [0] })
    tell(go([0]))
    while (starting(said).length < 2) await settled()
    tell({ type: 'release', job: 'j' })
    while (runner.running > 0) await settled()
    expect(runner.started).toEqual([])
  })
})

describe('quarantined chunks', () => {
  it('each quarantined chunk uses a slot, and later chunks run outside quarantine', async () => {
    const { runner, tell, outcomes } = startSession()
    tell(batch('j', [0]))
    tell(code)
    while (outcomes().length < 1) await settled()
    tell(batch('j', [1, 2], 0, 'quarantined'))
    tell(batch('j', [3, 4]))
    while (outcomes().length < 5) await settled()
    expect(runner.alone).toEqual([1, 2])
    expect(runner.started).toEqual([0, 1, 2, 3, 4])
    expect(runner.mostRunning).toBe(1)
  })

  it('a quarantined chunk is terminated when the leader cancels the chunk', async () => {
    const { runner, tell, failed, outcomes } = startSession()
    runner.task = { run: () => new Promise(() => {}) }
    tell(batch('j', [1], 0, 'quarantined'))
    tell(code)
    await settled()
    expect(runner.running).toBe(1)
    tell({ type: 'cancel-chunks', job: 'j', indices: [1] })
    while (runner.running > 0) await settled()
    expect([...failed(), ...outcomes()]).toEqual([])
  })
})

describe('the chunks of a worker without a leader', () => {
  const claim = (indices: number[]): Says => ({
    type: 'reattach',
    job: 'j',
    indices,
    digests: new Uint8Array(16 * indices.length),
    seal: new Uint8Array(64),
    submissionId: 'the first'
  })

  /**
   * Starts a worker with one thread, which has lost its leader. Chunk 0 has ended, chunk 1 runs until `go` is called, and chunk 2 waits.
   */
  async function startLosing(retainBytes?: number) {
    const started = startSession(retainBytes)
    const { runner, tell, outcomes, bench } = started
    const gate = pDefer<void>()
    tell(batch('j', [0]))
    tell(code)
    while (outcomes().length < 1) await settled()
    runner.task = { run: chunk => gate.promise.then(() => chunk) }
    tell(batch('j', [1]))
    tell(batch('j', [2]))
    await settled()
    bench.leaderGone()
    started.said.length = 0
    return { ...started, go: () => gate.resolve() }
  }

  it('a worker names the chunks of a lost leader to the next leader before the hello of the worker', async () => {
    const { begin, said } = await startLosing()
    begin(IDS[1], 2)
    expect(said).toMatchObject([
      { epoch: 2, type: 'in-flight', batch: { leader: IDS[0], epoch: 1, indices: [0] }, retained: [0] },
      { epoch: 2, type: 'in-flight', running: [1] },
      { epoch: 2, type: 'in-flight', waiting: [2] },
      { epoch: 2, type: 'hello', slots: 1, leaving: false }
    ])
  })

  it('a worker names the running chunks of its lost leader even if the worker may retain no partials', async () => {
    const { begin, said } = await startLosing(0)
    begin(IDS[1], 2)
    expect(said).toMatchObject([{ running: [1] }, { waiting: [2] }, { type: 'hello' }])
  })

  it('the chunks of a lost leader continue, and the worker sends their outcomes after the next leader has reattached them', async () => {
    const { begin, said, go, runner, outcomes, tell } = await startLosing()
    go()
    while (runner.started.length < 3 || runner.running > 0) await settled()
    expect(said).toEqual([])
    begin(IDS[1], 2)
    expect(said.filter(({ type }) => type === 'in-flight')).toMatchObject([
      { retained: [0] },
      { retained: [1] },
      { retained: [2] }
    ])
    tell(claim([0, 2]))
    expect(outcomes()).toEqual([0, 2])
    tell(claim([1, 9]))
    await settled()
    expect(outcomes()).toEqual([0, 2, 1])
    expect(said.filter(({ type }) => type === 'returned')).toMatchObject([{ indices: [9] }])
    expect(runner.started).toEqual([0, 1, 2])
  })

  it('a worker drops the chunks of a lost leader when the next leader cancels them', async () => {
    const { begin, said, go, runner, tell, outcomes } = await startLosing()
    begin(IDS[1], 2)
    tell({ type: 'cancel-chunks', job: 'j', indices: [0, 1, 2] })
    go()
    while (runner.running > 0) await settled()
    expect(outcomes()).toEqual([])
    said.length = 0
    begin(IDS[2], 3)
    expect(said.map(({ type }) => type)).toEqual(['hello'])
  })

  it('a worker does not name a chunk of a lost leader that a checkpoint covers', async () => {
    const { begin, said, tell } = await startLosing()
    begin(IDS[1], 2)
    tell(claim([0, 1, 2]))
    tell({ type: 'covered', job: 'j', next: 1 })
    said.length = 0
    begin(IDS[2], 3)
    expect(said.flatMap(message => (message.type === 'in-flight' ? message.retained : []))).toEqual([])
    expect(said.filter(({ type }) => type === 'in-flight')).toHaveLength(1)
  })

  it('a worker drops a retained partial above the limit of bytes, and still names the running chunk to the next leader', async () => {
    const { begin, said } = await startLosing(10)
    begin(IDS[1], 2)
    expect(said.flatMap(message => (message.type === 'in-flight' ? message.retained : []))).toEqual([])
    expect(said.flatMap(message => (message.type === 'in-flight' ? message.running : []))).toEqual([1])
  })

  it('a worker drops announced chunks that wait for the permission of a lost leader, and runs them when the next leader dispatches them', async () => {
    const { tell, begin, said, bench, runner } = startSession()
    tell(batch('j', [0]))
    tell(code)
    await settled()
    tell(batch('j', [1, 2], 0, 'announced'))
    await settled()
    bench.leaderGone()
    said.length = 0
    begin(IDS[1], 2)
    expect(said).toMatchObject([{ type: 'in-flight', retained: [0], running: [], waiting: [] }, { type: 'hello' }])
    tell(batch('j', [1]))
    while (runner.started.length < 2) await settled()
  })

  it('a worker drops the chunks of a lost leader whose code has not arrived', () => {
    const { tell, begin, said, bench } = startSession()
    tell(batch('j', [0]))
    bench.leaderGone()
    said.length = 0
    begin(IDS[1], 2)
    expect(said.map(({ type }) => type)).toEqual(['hello'])
    tell(batch('j', [0]))
    expect(said.map(({ type }) => type)).toEqual(['hello', 'code-request'])
  })

  it('a worker sends the output of chunks before their outcomes, because the outcomes may end the job', async () => {
    const { tell, said, outcomes } = startSession()
    tell(batch('a', [0, 1]))
    tell(code)
    while (outcomes().length < 2) await settled()
    const types = said.map(({ type }) => type)
    expect(types).toContain('log')
    expect(types.lastIndexOf('log')).toBeLessThan(types.indexOf('outcomes'))
  })

  it('a worker sends the output of the chunks of a lost leader to the leader that resumes the job', async () => {
    const { begin, said, go, tell, runner } = await startLosing()
    go()
    while (runner.started.length < 3 || runner.running > 0) await settled()
    begin(IDS[1], 2)
    tell(claim([1, 2]))
    const lines = () => said.flatMap(message => (message.type === 'log' ? message.lines : []))
    while (lines().length < 1) await new Promise(resolve => setTimeout(resolve, 5))
    expect(lines().map(({ index }) => index)).toContain(2)
    expect(said.filter(({ type }) => type === 'log').every(({ epoch }) => epoch === 2)).toBe(true)
    const types = said.map(({ type }) => type)
    expect(types.indexOf('log')).toBeLessThan(types.indexOf('outcomes'))
  })

  it('a leaving worker returns its waiting chunks, and leaves when the leader dismisses the worker', async () => {
    const { begin, said, go, tell, bench, runner } = await startLosing()
    begin(IDS[1], 2)
    tell(claim([0, 1, 2]))
    let hasLeft = false
    const left = bench.leave().then(() => {
      hasLeft = true
    })
    expect(said.slice(-2)).toMatchObject([{ type: 'returned', job: 'j', indices: [2] }, { type: 'leaving' }])
    go()
    while (runner.running > 0) await settled()
    expect(hasLeft).toBe(false)
    begin(IDS[2], 3)
    expect(said.at(-1)).toMatchObject({ type: 'hello', leaving: true })
    tell({ type: 'dismissed' })
    await left
    expect(runner.started).toEqual([0, 1])
  })
})

describe('the chunks of a worker are counted', () => {
  const none = { completed: 0, failed: 0, 'timed-out': 0, cancelled: 0, returned: 0 }

  it('a worker counts its running chunks, and counts its ended chunks by the kind of their end', async () => {
    const { bench, tell, runner } = startSession()
    const gate = pDefer<void>()
    runner.task = {
      run: async chunk => {
        await gate.promise
        if (chunk === 0) return chunk
        const late = new Error('late')
        if (chunk === 1) late.name = 'ChunkTimeoutError'
        throw late
      }
    }
    tell(batch('j', [0, 1, 2]))
    tell(code)
    await settled()
    expect(bench.counts()).toEqual({ busy: 1, chunks: none })
    gate.resolve()
    await expect
      .poll(() => bench.counts())
      .toEqual({ busy: 0, chunks: { ...none, completed: 1, 'timed-out': 1, failed: 1 } })
  })

  it('waiting and running chunks count as cancelled when the leader cancels them or ends their job, and ended chunks do not', async () => {
    const { bench, tell, runner, outcomes } = startSession()
    runner.task = { run: chunk => (chunk === 0 ? 0 : new Promise(() => {})) }
    tell(batch('j', [0, 1, 2, 3]))
    tell(code)
    await expect.poll(outcomes).toEqual([0])
    tell({ type: 'cancel-chunks', job: 'j', indices: [0, 3, 99] })
    expect(bench.counts().chunks).toEqual({ ...none, completed: 1, cancelled: 1 })
    tell({ type: 'release', job: 'j' })
    expect(bench.counts().chunks).toEqual({ ...none, completed: 1, cancelled: 3 })
    await expect.poll(() => bench.counts().busy).toBe(0)
    expect(bench.counts().chunks).toEqual({ ...none, completed: 1, cancelled: 3 })
  })

  it('chunks that wait for a thread count as cancelled when the leader cancels them or ends their job', async () => {
    const { bench, tell, runner } = startSession()
    runner.task = { run: () => new Promise(() => {}) }
    tell(batch('j', [0]))
    tell(code)
    await settled()
    tell(batch('j', [1, 2]))
    tell({ type: 'cancel-chunks', job: 'j', indices: [1] })
    expect(bench.counts().chunks).toEqual({ ...none, cancelled: 1 })
    tell({ type: 'release', job: 'j' })
    expect(bench.counts().chunks).toEqual({ ...none, cancelled: 3 })
    await bench.idle()
  })

  it('chunks that have not begun count as returned when the worker leaves', async () => {
    const { bench, tell, runner } = startSession()
    runner.task = { run: () => new Promise(() => {}) }
    tell(batch('j', [0]))
    tell(code)
    await settled()
    tell(batch('j', [1, 2]))
    void bench.leave()
    expect(bench.counts()).toEqual({ busy: 1, chunks: { ...none, returned: 2 } })
    bench.stop(new Error('the test is over'))
    await bench.idle()
  })
})

describe('a worker with a data folder', () => {
  let log: FakeLog
  beforeEach(() => {
    vi.useFakeTimers()
    log = new FakeLog()
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  /** Starts a worker with the disk that the worker before has left. */
  function start(retainBytes?: number) {
    return startSession(retainBytes, log.reopen())
  }

  /** Runs the chunks 0 to 3 of job a, and restarts the worker a second later. */
  async function restart(retainBytes?: number) {
    const before = start()
    before.tell(batch('a', [0, 1, 2, 3]))
    before.tell(code)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(before.outcomes()).toEqual([0, 1, 2, 3])
    return start(retainBytes)
  }

  const reattach = (indices: number[]): Says => {
    const { digests, seal, submissionId } = batch('a', indices)
    return { type: 'reattach', job: 'a', indices, digests, seal, submissionId }
  }

  it('a restarted worker names its partials to the leader, and sends those that the leader reattaches without running their chunks', async () => {
    const { said, tell, outcomes, runner } = await restart()
    expect(said).toMatchObject([
      { type: 'in-flight', job: 'a', sha256: SHA256, batch: { leader: IDS[0], epoch: 1 }, retained: [0, 1, 2, 3] },
      { type: 'hello' }
    ])
    tell(reattach([1, 3]))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(outcomes()).toEqual([1, 3])
    expect(runner.started).toEqual([])
  })

  it('a restarted worker runs new chunks of the job beside its partials', async () => {
    const { said, tell, begin, outcomes, runner } = await restart()
    tell(batch('a', [7]))
    tell(code)
    await vi.advanceTimersByTimeAsync(1_000)
    expect([outcomes(), runner.started]).toEqual([[7], [7]])
    said.length = 0
    begin(IDS[1]!, 2)
    expect(said).toMatchObject([{ retained: [0, 1, 2, 3] }, { retained: [7] }, { type: 'hello' }])
  })

  it('a restarted worker keeps its partials while leaders that do not know the job follow each other', async () => {
    const { said, begin } = await restart()
    begin(IDS[1]!, 2)
    said.length = 0
    begin(IDS[2]!, 3)
    expect(said).toMatchObject([{ retained: [0, 1, 2, 3] }, { type: 'hello' }])
  })

  it('a restarted worker deletes the partials of a job that the leader releases', async () => {
    const { tell } = await restart()
    expect(log.values.size).toBe(1)
    tell({ type: 'release', job: 'a' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(log.values.size).toBe(0)
  })

  it('a restarted worker whose job id belongs to another task now deletes the partials', async () => {
    const { tell } = await restart()
    tell({ ...batch('a', [0]), sha256: 'cd'.repeat(32) })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(log.values.size).toBe(0)
  })

  it('a restarted worker with a smaller limit keeps as many partials as it may', async () => {
    const { said } = await restart(600)
    expect(said).toMatchObject([{ retained: [2, 3] }, { type: 'hello' }])
  })

  it('a worker that stops leaves its partials on its disk', async () => {
    const { bench, tell } = start()
    tell(batch('a', [0, 1]))
    tell(code)
    await vi.advanceTimersByTimeAsync(10)
    expect(log.values.size).toBe(0)
    bench.stop(new Error('the test stops it'))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(start().said).toMatchObject([{ retained: [0, 1] }, { type: 'hello' }])
  })
})
