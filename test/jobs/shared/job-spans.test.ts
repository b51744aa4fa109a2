import { describe, expect, it } from 'vitest'
import type { SpanRecord } from '../../../src/common/tracing.ts'
import { JobSpans } from '../../../src/jobs/shared/job-spans.ts'
import { TimesWriter } from '../../../src/tasks/execute/chunk-times.ts'

const PEER = { clusterId: '0011223344556677', self: 'a' }
const STATS = { chunks: 3, retries: 1, recomputed: 0, speculated: 0, perPeer: {} }

function spansOf(peer = PEER) {
  const told: SpanRecord[] = []
  return { told, spans: new JobSpans({ record: span => void told.push(span) }, peer) }
}

function times(indices: number[], how: 'completed' | 'failed' = 'completed') {
  const writer = new TimesWriter()
  for (const index of indices) writer.add(index, 10, 12, how)
  return writer.take()
}

const failed = (index: number) => ({
  index,
  failure: { function: 'run' as const, index, name: 'RangeError', message: 'no', stack: '' }
})

describe('the spans of a job', () => {
  it('the job span of the leader is the parent of all spans of a job, and each job in each cluster has its own trace', () => {
    const [leader, worker, elsewhere] = [
      spansOf(),
      spansOf({ ...PEER, self: 'b' }),
      spansOf({ ...PEER, clusterId: 'ff' })
    ]
    const job = { id: 'j1', submission: { task: 'primes' }, since: performance.now() - 50, accepted: true }
    worker.spans.ran('j1', 1, times([0]), [])
    worker.spans.ran('j2', 1, times([0]), [])
    elsewhere.spans.ran('j1', 1, times([0]), [])
    leader.spans.drove('j1', 1, 'reduce', performance.now())
    leader.spans.handedOver(job, undefined, { epoch: 1, next: 'b' })
    leader.spans.ended(
      job,
      'completed',
      { type: 'completed', result: new Uint8Array(), stats: STATS },
      { epoch: 1, resumed: false }
    )
    const root = leader.told.at(-1)!
    expect(root).toMatchObject({ name: 'job', attributes: { 'p2p_worker.job.retries': 1 } })
    expect(root).not.toHaveProperty('parentId')
    expect(root.end - root.start).toBeGreaterThanOrEqual(50)
    const below = [...leader.told.slice(0, -1), worker.told[0]!]
    expect(below.map(({ name }) => name)).toEqual(['fold', 'job part', 'chunk'])
    for (const span of below) expect(span).toMatchObject({ traceId: root.traceId, parentId: root.spanId })
    for (const other of [worker.told[1]!, elsewhere.told[0]!]) expect(other.traceId).not.toBe(root.traceId)
  })

  it('the span of a job that is handed over has the state of the job', () => {
    const { told, spans } = spansOf()
    const job = { id: 'j', submission: { task: 'primes' }, since: performance.now() }
    for (const accepted of [false, true])
      spans.handedOver({ ...job, accepted }, undefined, { epoch: 1, next: undefined })
    expect(told.map(({ attributes }) => attributes['p2p_worker.job.state'])).toEqual(['accepted', 'running'])
  })

  it('the span of a failed chunk has the outcome `failed` and the error', () => {
    const { told, spans } = spansOf()
    spans.ran('j', undefined, times([4, 5]), [failed(5)])
    expect(told.map(({ attributes, error }) => [attributes['p2p_worker.chunk.outcome'], error])).toEqual([
      ['completed', undefined],
      ['failed', 'RangeError: no']
    ])
    expect(told[0]!.attributes).not.toHaveProperty('p2p_worker.epoch')
  })

  it('a peer records at most 1,000 job spans a second, keeps room for failed chunks, and reports how many spans it has left out', async () => {
    const { told, spans } = spansOf()
    const began = Math.floor(performance.now() / 1_000)
    for (let i = 0; i < 5_000; i++) spans.ran('j', 1, times([i]), [])
    spans.ran('j', 1, times([9_999], 'failed'), [failed(9_999)])
    const seconds = Math.floor(performance.now() / 1_000) - began + 1
    expect(told.length).toBeLessThanOrEqual(seconds * 1_000)
    expect(told.at(-1)!.attributes['p2p_worker.chunk.index']).toBe(9_999)
    const leftOut = told.reduce((sum, { attributes }) => sum + Number(attributes['p2p_worker.left_out'] ?? 0), 0)
    expect(told.length + leftOut).toBe(5_001)
  })
})
