import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { JobFailedError } from '../../../src/common/errors.ts'
import {
  JobScheduler,
  type JobTerms,
  type OfferedChunk,
  type RunMode,
  type SchedulerEvent,
  type SchedulerSettings
} from '../../../src/jobs/scheduler/index.ts'
import { encode } from '../../../src/tasks/values/payload.ts'
import { FakeCluster, type FakePeer } from '../fake-cluster.ts'
import { expected, FakeRunner } from '../fake-runner.ts'

/** Drives a scheduler with one job. Each worker has two slots. `at` has the latest dispatch of each chunk. */
class Story {
  readonly coordinator: JobScheduler<string>
  readonly at = new Map<number, { worker: string; mode: RunMode }>()
  readonly states: string[] = []
  copies = 0
  now = 0

  /** @param diedWith - the earlier leader of the job, which has died. The worker `other` offers the chunks `offered`. */
  constructor(
    terms: Partial<JobTerms> = {},
    settings: Partial<SchedulerSettings> = {},
    diedWith?: string,
    offered: readonly OfferedChunk[] = [],
    chunks = 8
  ) {
    this.coordinator = new JobScheduler(settings)
    if (offered.length > 0) this.join('other')
    const all = { retries: 0, speculate: true, requires: {}, priority: 0, ...terms }
    this.tell({ type: 'submitted', job: 'j', terms: all, diedWith })
    this.tell({ type: 'pulled', job: 'j', first: 0, sizes: new Array(chunks).fill(1), done: true, offered })
  }

  tell(event: SchedulerEvent<string>): void {
    for (const effect of this.coordinator.handle(event, this.now)) {
      if (effect.type === 'state') this.states.push(effect.state)
      if (effect.type !== 'dispatch') continue
      if (event.type === 'timer') this.copies += 1
      for (const index of effect.indices) this.at.set(index, { worker: effect.worker, mode: effect.mode })
    }
  }

  join(...workers: string[]): void {
    for (const worker of workers) this.tell({ type: 'worker-joined', worker, slots: 2, tags: {}, spared: false })
  }

  starts(worker: string, ...indices: number[]): void {
    this.tell({ type: 'starting', worker, job: 'j', indices })
  }

  gone(worker: string, why: 'died' | 'left' | 'lost' = 'died'): void {
    this.tell({ type: 'worker-gone', worker, why })
  }

  done(worker: string, ...indices: number[]): void {
    const sizes = indices.map(() => 1)
    this.tell({ type: 'outcomes', worker, job: 'j', indices, sizes, failed: [], busyMs: 1_000 * indices.length })
  }

  /** Returns the mode in the latest dispatch of each chunk. */
  modes(...indices: number[]): (RunMode | undefined)[] {
    return indices.map(index => this.at.get(index)?.mode)
  }
}

function outcomesOf(worker: string, index: number): SchedulerEvent<string> {
  return { type: 'outcomes', worker, job: 'r', indices: [index], sizes: [1], failed: [], busyMs: 1_000 }
}

describe('a chunk with which peers die', () => {
  it('a chunk is announced after its worker has died, and quarantined after a second worker has died while the chunk ran', () => {
    const story = new Story()
    story.join('a')
    expect(story.modes(0, 1)).toEqual(['plain', 'plain'])
    story.gone('a')
    story.join('b')
    expect(story.modes(0, 1)).toEqual(['announced', 'announced'])
    story.starts('b', 0)
    story.gone('b')
    story.join('c')
    expect(story.modes(0, 1)).toEqual(['quarantined', 'announced'])
  })

  it('a chunk that only waited at its workers is not quarantined, although four workers die', () => {
    const story = new Story()
    for (const worker of ['a', 'b', 'c', 'd']) {
      story.join(worker)
      expect(story.at.get(0)?.worker).toBe(worker)
      story.gone(worker)
    }
    story.join('e')
    expect(story.modes(0, 1, 2)).toEqual(['announced', 'announced', undefined])
  })

  it('a chunk is not quarantined if the same peer dies three times while the chunk runs', () => {
    const story = new Story()
    for (let i = 0; i < 3; i++) {
      story.join('a')
      story.starts('a', 0, 1)
      story.gone('a')
    }
    story.join('a')
    expect(story.modes(0, 1)).toEqual(['announced', 'announced'])
  })

  it('a chunk of a dead leader is announced, and the next leader runs the chunk itself only if no other worker is left', () => {
    const story = new Story({}, { self: 'leader' }, 'old')
    story.join('other', 'leader')
    expect([0, 1].map(index => story.at.get(index))).toEqual([
      { worker: 'other', mode: 'announced' },
      { worker: 'other', mode: 'announced' }
    ])
    expect(story.at.size).toBe(2)
    story.starts('other', 1)
    story.gone('other')
    expect(story.modes(0, 1)).toEqual(['announced', 'quarantined'])
    expect(story.at.get(1)?.worker).toBe('leader')
  })

  it('after the death of a leader, a chunk is not suspected if a worker offers it, or if the index of the chunk is far above the offered indices', () => {
    const held = { worker: 'other', state: 'held', size: 1 } as const
    const offered = [1, 2].map(index => ({ ...held, index }))
    const story = new Story({}, { self: 'leader' }, 'old', [{ ...held, index: 0, state: 'running' }, ...offered], 24)
    story.done('other', 0, 1, 2)
    for (let index = 3; index < 24; index++) story.done('other', index)
    expect(story.modes(0, 1, 2)).toEqual([undefined, undefined, undefined])
    const suspected = 8 + 2 * 3
    const rest = Array.from({ length: 24 - 3 }, (_, i) => (i < suspected ? 'announced' : 'plain'))
    expect(story.modes(...rest.map((_, i) => 3 + i))).toEqual(rest)
  })

  it('the death of a leader does not count for a chunk that the last awaited worker offers', () => {
    const story = new Story({}, {}, undefined, [], 0)
    const resumed = { job: 'r', terms: { retries: 0, speculate: false, requires: {}, priority: 0 }, resumed: true }
    story.tell({ type: 'expected', workers: ['a', 'b'] })
    story.tell({ type: 'submitted', ...resumed, diedWith: 'old' })
    story.tell({ type: 'pulled', job: 'r', first: 0, sizes: new Array(24).fill(1), done: true })
    story.join('a')
    const offered = [0, 1, 2, 3].map(index => ({ worker: 'b', index, state: 'running', size: 0 }) as const)
    const traits = { slots: 4, tags: {}, spared: false }
    story.tell({ type: 'worker-joined', worker: 'b', ...traits, offered: new Map([['r', offered]]) })
    story.gone('b')
    // The chunks ran at one peer that died. If the death of the leader also counted, the chunks would be quarantined.
    for (let index = 4; index < 24; index++) story.tell(outcomesOf('a', index))
    story.tell({ type: 'worker-joined', worker: 'c', ...traits })
    expect(story.modes(0, 1, 2, 3)).toEqual(['announced', 'announced', 'announced', 'announced'])
  })

  it('a chunk is not suspected if its worker has left, or if its worker has reconnected', () => {
    const story = new Story()
    story.join('a')
    story.gone('a', 'left')
    story.join('b')
    expect(story.modes(0)).toEqual(['plain'])
    story.gone('b', 'lost')
    story.join('c')
    expect(story.modes(0)).toEqual(['announced'])
    story.join('b')
    story.starts('c', 0)
    story.gone('c', 'left')
    story.done('b', 2, 3)
    expect(story.modes(0)).toEqual(['plain'])
  })

  it('a chunk is quarantined while its second worker may be dead, and is not quarantined after that worker has returned', () => {
    const story = new Story()
    story.join('a')
    story.gone('a', 'lost')
    story.gone('a', 'died')
    story.join('b')
    story.starts('b', 0)
    story.gone('b', 'lost')
    story.join('c')
    expect(story.at.get(0)).toEqual({ worker: 'c', mode: 'quarantined' })
    story.join('b')
    story.gone('c', 'left')
    story.done('b', 2, 3)
    expect(story.at.get(0)).toEqual({ worker: 'b', mode: 'announced' })
  })

  it('a suspected chunk is not copied to a second worker, although the first worker is slow', () => {
    const story = new Story()
    story.join('a')
    story.gone('a')
    story.join('b', 'c', 'd', 'e')
    story.starts('b', 0)
    for (const [index, { worker }] of [...story.at]) if (index > 0) story.done(worker, index)
    for (let i = 0; i < 80; i++) {
      story.now += 250
      story.tell({ type: 'timer', name: 'look' })
    }
    expect(story.copies).toBe(0)
    expect(story.at.get(0)).toEqual({ worker: 'b', mode: 'announced' })
  })

  it('the second copy of a slow chunk is announced, so that the leader knows whether the copy has started', () => {
    const story = new Story()
    story.join('a', 'b', 'c', 'd')
    const slow = story.at.get(0)!.worker
    for (const [index, { worker }] of [...story.at]) if (index > 0) story.done(worker, index)
    for (let i = 0; i < 80 && story.copies === 0; i++) {
      story.now += 250
      story.tell({ type: 'timer', name: 'look' })
    }
    const copy = story.at.get(0)!
    expect(copy).toMatchObject({ mode: 'announced' })
    story.gone(slow)
    story.starts(copy.worker, 0)
    story.gone(copy.worker)
    expect(story.at.get(0)).toMatchObject({ mode: 'quarantined' })
  })
})

const code = Buffer.from('export default {}')
const bundle = { code, sha256: createHash('sha256').update(code).digest('hex'), name: 'squares', folder: '/tasks' }

let cluster: FakeCluster
let runners: FakeRunner[]
let peers: FakePeer[]

/** Starts peers with one slot each. The peer with the index `idle` runs no chunk. Chunk 3 kills its peer: the leader at once, another peer later. */
function start(count: number, idle: number, alone: (chunk: number) => number): void {
  cluster = new FakeCluster()
  runners = Array.from({ length: count }, () => new FakeRunner(1))
  peers = runners.map((runner, i) => cluster.add(runner, { role: i === idle ? 'leader' : 'auto' }))
  cluster.elect(peers.at(-1)!)
  runners.forEach((runner, i) => {
    runner.task = {
      async run(chunk) {
        const { isLeader } = peers[i]!.election
        if (chunk < 3 && !isLeader) await new Promise(resolve => setTimeout(resolve, 100))
        if (chunk !== 3) return chunk * chunk
        if (runner.alone.includes(chunk)) return alone(chunk)
        cluster.kill(peers[i]!)
        if (isLeader) cluster.elect(peers.findLast(({ network }) => !network.down)!)
        return new Promise(() => {})
      }
    }
  })
}

afterEach(() => cluster?.stop())

describe('a chunk that kills its peer', () => {
  const submit = async (total: number, by = peers.at(-1)!) =>
    by.jobs.submit<number>({ bundle, input: encode(total, 'input') })
  const dead = () => peers.filter(({ network }) => network.down)

  it('a deadly chunk kills two peers and then runs in quarantine, and the job of the chunk fails with the reason', async () => {
    start(4, 3, () => {
      throw Object.assign(new Error('its process was ended by SIGKILL'), { name: 'ProcessEndedError' })
    })
    const job = await submit(20)
    const error = await job.result().catch((error: unknown) => error)
    expect(error).toBeInstanceOf(JobFailedError)
    expect(error).toMatchObject({ index: 3, message: expect.stringContaining('ended by SIGKILL') })
    expect(dead()).toHaveLength(2)
    // Tiny chunks that were announced together with chunk 3 run in quarantine as well.
    expect(runners.flatMap(({ alone }) => alone)).toContain(3)
  })

  it('a job with a deadly chunk has the correct result if the chunk completes in quarantine', async () => {
    start(4, 3, chunk => chunk * chunk)
    expect(await (await submit(20)).result()).toBe(expected(20))
    expect(dead()).toHaveLength(2)
    // Tiny chunks that were announced together with chunk 3 run in quarantine as well.
    expect(runners.flatMap(({ alone }) => alone)).toContain(3)
  })

  it('a deadly chunk kills two peers and then runs in quarantine, although the first killed peer is the leader', async () => {
    start(4, 0, chunk => chunk * chunk)
    expect(await (await submit(20, peers[0]!)).result()).toBe(expected(20))
    expect(peers[3]!.network.down).toBe(true)
    expect(dead()).toHaveLength(2)
    expect(runners.flatMap(({ alone }) => alone)).toContain(3)
  })

  it('the leader does not count a broken channel as the death of a worker', async () => {
    start(3, 2, chunk => chunk * chunk)
    let breaks = 0
    const run = (chunk: number) => {
      if (chunk !== 3 || breaks === 4) return chunk * chunk
      breaks += 1
      setImmediate(() => {
        for (const { id } of peers.slice(0, 2)) cluster.hub.disconnect(id, peers[2]!.id)
      })
      return new Promise<number>(resolve => setTimeout(() => resolve(9), 300))
    }
    for (const runner of runners) runner.task = { run }
    expect(await (await submit(10)).result()).toBe(expected(10))
    expect(breaks).toBeGreaterThan(0)
    expect(runners.flatMap(({ alone }) => alone)).toEqual([])
  })
})
