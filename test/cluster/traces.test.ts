import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OtlpReceiver, type ReceivedSpan } from '../telemetry/otlp-receiver.ts'
import { type PeerProcess, ProcessCluster } from './processes.ts'

const TASK = 'test/cluster/tasks/sleep-sum.ts'

/** Counts the child spans by name. */
function children(spans: ReceivedSpan[], { spanId }: ReceivedSpan): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { name, parentSpanId } of spans) if (parentSpanId === spanId) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

describe('peers with --traces', () => {
  let receiver: OtlpReceiver
  let cluster: ProcessCluster
  let leader: PeerProcess
  let next: PeerProcess
  let last: PeerProcess

  beforeAll(async () => {
    receiver = await OtlpReceiver.start()
    cluster = await ProcessCluster.start(3, ['--profile', 'local', '--traces', receiver.url])
    await cluster.settled()
    ;[leader, next, last] = cluster.byRank() as [PeerProcess, PeerProcess, PeerProcess]
  })

  afterAll(async () => {
    await cluster.stop()
    await receiver.stop()
  })

  /** Resolves with the spans of a job's trace when the span of the job has arrived. */
  async function traceOf(jobId: string): Promise<{ root: ReceivedSpan; spans: ReceivedSpan[] }> {
    const isRoot = ({ name, attributes }: ReceivedSpan): boolean =>
      name === 'job' && attributes['p2p_worker.job.id'] === jobId
    await expect.poll(() => receiver.spans.find(isRoot)).toBeDefined()
    const root = receiver.spans.find(isRoot)!
    return { root, spans: receiver.spans.filter(({ traceId }) => traceId === root.traceId) }
  }

  it('peers with --traces record a job, its chunks at several peers and its client in one trace', async () => {
    const input = JSON.stringify({ n: 12, ms: 50 })
    const { stdout } = await cluster.run([
      'run',
      TASK,
      '--input',
      input,
      '--no-speculate',
      '--json',
      '--traces',
      receiver.url
    ])
    const { jobId, stats } = JSON.parse(stdout)
    await expect.poll(() => receiver.named('chunk').length).toBe(12)
    const { root, spans } = await traceOf(jobId)
    expect(root).toMatchObject({
      parentSpanId: undefined,
      attributes: {
        'p2p_worker.peer': leader.id,
        'p2p_worker.epoch': leader.epoch,
        'p2p_worker.job.task': 'sleep-sum',
        'p2p_worker.job.state': 'completed',
        'p2p_worker.job.chunks': 12,
        'p2p_worker.job.retries': 0,
        'p2p_worker.job.resumed': false
      }
    })
    // The client ends only after it has sent its own spans.
    expect(children(spans, root)).toMatchObject({ chunk: 12, submit: 1, finish: 1 })
    expect(Object.keys(children(spans, root)).toSorted()).toEqual(['chunk', 'finish', 'fold', 'split', 'submit'])
    expect(spans.filter(({ parentSpanId }) => parentSpanId !== root.spanId)).toEqual([root])
    const chunks = spans.filter(({ name }) => name === 'chunk')
    const peers = new Set(chunks.map(({ attributes }) => String(attributes['p2p_worker.peer'])))
    expect(peers.size).toBeGreaterThan(1)
    expect([...peers].toSorted()).toEqual(Object.keys(stats.perPeer).toSorted())
    expect(chunks.map(({ attributes }) => attributes['p2p_worker.chunk.index']).toSorted()).toEqual(
      Array.from({ length: 12 }, (_, index) => index).toSorted()
    )
    // A timer of 50 ms may fire a moment early.
    for (const { start, end } of chunks) expect(end - start).toBeGreaterThan(45)
  })

  it('peers with --traces record a failed chunk with the reason', async () => {
    const file = join(cluster.home, 'failing.ts')
    await writeFile(
      file,
      `export default { name: 'failing', run(chunk: number) { if (chunk === 2) throw new RangeError('two'); return chunk } }`
    )
    const { stdout } = await cluster.run(['run', file, '--input', '[1,2,3]', '--json'])
    const { root, spans } = await traceOf(JSON.parse(stdout).jobId)
    expect(root).toMatchObject({
      status: { code: 2, message: 'RangeError: two' },
      attributes: { 'p2p_worker.job.state': 'failed' }
    })
    await expect
      .poll(() => receiver.spans.find(({ name, status }) => name === 'chunk' && status.code === 2))
      .toMatchObject({
        traceId: root.traceId,
        parentSpanId: root.spanId,
        status: { message: 'RangeError: two' },
        attributes: { 'p2p_worker.chunk.index': 1, 'p2p_worker.chunk.outcome': 'failed' }
      })
    expect(spans.length).toBeGreaterThan(0)
  })

  it('after a kill of the leader, the next leader with --traces records its election, and records the resumed job when the job ends', async () => {
    const [file, until] = [join(cluster.home, 'ran'), join(cluster.home, 'until')]
    const input = JSON.stringify({ n: 400, ms: 100, file, until })
    const running = cluster.run(['run', TASK, '--input', input, '--json'])
    const ran = (): Promise<number> =>
      readFile(file, 'utf8').then(
        text => text.split('\n').length - 1,
        () => 0
      )
    await expect.poll(ran).toBeGreaterThan(5)
    const { epoch } = leader
    await leader.end('SIGKILL')
    await Promise.all([next, last].map(peer => peer.follows(next.id)))
    await writeFile(until, '')
    const { stdout } = await running
    const { jobId, state } = JSON.parse(stdout)
    expect(state).toBe('completed')

    const isItsOwn = ({ attributes }: ReceivedSpan): boolean =>
      attributes['p2p_worker.epoch'] === next.epoch && attributes['p2p_worker.peer'] === next.id
    await expect
      .poll(() => receiver.named('election').find(isItsOwn))
      .toMatchObject({
        parentSpanId: undefined,
        attributes: {
          'p2p_worker.peer': next.id,
          'p2p_worker.leader': next.id,
          'p2p_worker.election.won': true,
          'p2p_worker.election.reason': 'died'
        }
      })
    const { root, spans } = await traceOf(jobId)
    expect(root.attributes).toMatchObject({
      'p2p_worker.peer': next.id,
      'p2p_worker.epoch': next.epoch,
      'p2p_worker.job.resumed': true,
      'p2p_worker.job.state': 'completed'
    })
    const chunkEpochs = (): unknown[] =>
      receiver.spans
        .filter(({ name, traceId }) => name === 'chunk' && traceId === root.traceId)
        .map(({ attributes }) => attributes['p2p_worker.epoch'])
    await expect.poll(chunkEpochs).toEqual(expect.arrayContaining([epoch, next.epoch]))
    expect(spans.every(({ spanId, parentSpanId }) => spanId === root.spanId || parentSpanId === root.spanId)).toBe(true)
  })

  it('a leader with --traces that hands over a job records its part of the job, and sends its last spans before its process ends', async () => {
    const until = join(cluster.home, 'until-handed-over')
    const running = cluster.run(['run', TASK, '--input', JSON.stringify({ n: 300, ms: 100, until }), '--json'])
    await expect
      .poll(() => next.events.filter(({ event, state }) => event === 'job' && state === 'running').length)
      .toBe(2)
    await next.end('SIGTERM')
    // The peer has ended, so all its spans have arrived.
    const part = receiver.named('job part').at(-1)
    expect(part?.attributes).toMatchObject({ 'p2p_worker.peer': next.id, 'p2p_worker.next_leader': last.id })
    await writeFile(until, '')
    const { root } = await traceOf(JSON.parse((await running).stdout).jobId)
    expect(part).toMatchObject({ traceId: root.traceId, parentSpanId: root.spanId })
    expect(root.attributes['p2p_worker.peer']).toBe(last.id)
  })
})
