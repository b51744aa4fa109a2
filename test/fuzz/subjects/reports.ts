/** Reports for a running batch that arrive from a process with isolated tasks. A hostile task in that process can send such reports as well. */
import { type BatchHandlers, runChunks } from '../../../src/tasks/execute/batch.ts'
import type { CallEnd, CallOptions, CallPool } from '../../../src/tasks/execute/calls.ts'
import type { TaskFailure } from '../../../src/tasks/execute/failure.ts'
import type { ThreadMessage } from '../../../src/tasks/execute/messages.ts'
import { checkedReport } from '../../../src/tasks/process/checked-report.ts'
import { encodeFrame, FrameReader } from '../../../src/tasks/process/frame.ts'
import type { Report } from '../../../src/tasks/process/protocol.ts'
import { packIndexed } from '../../../src/tasks/values/pack.ts'
import { Find } from '../find.ts'
import { joined, mutateBytes } from '../mutate-bytes.ts'
import type { Random } from '../random.ts'
import { refusing, type Simple } from '../simple-target.ts'

const CHUNKS = 8
const FIRST = 100
const chunks = packIndexed(Array.from({ length: CHUNKS }, (_, i) => ({ index: FIRST + i, bytes: Uint8Array.of(i) })))
const failure: TaskFailure = { function: 'run', index: FIRST, name: 'Error', message: 'no', stack: 'at x' }
const NUMBERS = [-1, 0.5, 1e300, 2 ** 31, 2 ** 32, 2 ** 53, CHUNKS, CHUNKS - 1, null, 'x', [], {}, true]

function validMessages(): ThreadMessage[] {
  const pack = { lengths: Uint32Array.of(2, 1), bytes: Uint8Array.of(1, 2, 3) }
  const positions = Uint32Array.of(0, 5)
  const digests = new Uint8Array(32)
  return [
    { type: 'log', lines: [{ function: 'run', index: FIRST, stream: 'stdout', line: 'hello' }] },
    { type: 'outcomes', positions, ...pack, combined: undefined, failed: [], busyMs: 1 },
    { type: 'outcomes', positions, ...pack, combined: { positions, ...pack }, failed: [], busyMs: 0.5 },
    { type: 'outcomes', positions, ...pack, combined: undefined, failed: [{ index: FIRST + 1, failure }], busyMs: 2 },
    { type: 'exit', code: 3, activity: { function: 'run', index: FIRST } },
    { type: 'failed', id: 1, failure },
    { type: 'reply', id: 1, value: { type: 'bytes', bytes: pack.bytes } },
    { type: 'reply', id: 2, value: { type: 'chunks', first: 0, done: true, digests, digest: digests, ...pack } },
    { type: 'reply', id: 3, value: { type: 'kind', kind: 'folded' } },
    { type: 'reply', id: 4, value: { type: 'folded', state: { kind: 'appended', next: 2, bytes: 3 } } },
    {
      type: 'reply',
      id: 5,
      value: {
        type: 'checkpoint',
        checkpoint: { kind: 'folded', next: 3, digest: digests, accumulator: pack.bytes },
        tookMs: 1
      }
    }
  ]
}

const frameOf = (report: object): Uint8Array => joined(encodeFrame(report))

/** Changes one field of a report, at any depth. */
function changeField(report: unknown, random: Random): object {
  const copy = structuredClone(report) as Record<string, unknown>
  let at = copy
  for (;;) {
    const key = random.pick(Object.keys(at))
    const value = at[key]
    const isDeep = typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
    if (!isDeep || Object.keys(value).length === 0 || random.chance(0.2)) {
      if (value instanceof Uint32Array && value.length > 0 && random.chance(0.5)) value[0] = random.below(2 ** 32)
      else at[key] = random.pick(NUMBERS)
      return copy
    }
    at = value as Record<string, unknown>
  }
}

/** Passes a message to a batch of one call, and throws a Find if the batch accepts an invalid outcome. */
async function intoBatch(message: ThreadMessage): Promise<void> {
  const pool: CallPool = {
    busy: 0,
    call({ onMessage }: CallOptions) {
      onMessage?.(message)
      const ended = Promise.resolve<CallEnd>({ type: 'done', result: undefined })
      return { ended, activity: undefined, stopOf: () => undefined, stop() {}, post() {}, kill() {} }
    },
    stop: async () => {}
  }
  const seen = new Set<number>()
  const see = (index: number): void => {
    if (!(index >= FIRST && index < FIRST + CHUNKS)) throw new Find(`an outcome of chunk ${index}, which is not there`)
    if (seen.has(index)) throw new Find(`two outcomes of chunk ${index}`)
    seen.add(index)
  }
  const onOutcomes: BatchHandlers['onOutcomes'] = ({ partials, combined, failed }) => {
    for (const index of [...partials.indices, ...failed.map(({ index }) => index)]) see(index)
    if (combined?.indices.some(index => !(index >= FIRST && index < FIRST + CHUNKS)))
      throw new Find('what was combined is of no chunk')
  }
  await runChunks(pool, { file: '/', chunks }, { onOutcomes })
}

export const reports: Simple = {
  name: 'reports',
  pool: random => {
    const messages = validMessages().map((message): Report => ({ type: 'message', id: 1, message }))
    const valid: Report[] = [{ type: 'ready' }, { type: 'returned', id: 1 }, ...messages]
    const [{ message }] = messages.slice(2) as [Report & { type: 'message' }]
    const beyond = { positions: Uint32Array.of(random.below(20), random.below(2 ** 32)) }
    const forged = [beyond, { combined: { ...message, ...beyond } }].map(part => ({ ...message, ...part }))
    valid.push(...forged.map((each): Report => ({ type: 'message', id: 1, message: each as ThreadMessage })))
    return [...valid, ...Array.from({ length: 300 }, () => changeField(random.pick(valid), random))].map(frameOf)
  },
  change: (frame, random) => {
    const how = random.next()
    return how < 0.4 ? frame : how < 0.9 ? mutateBytes(frame, random) : joined([frame, mutateBytes(frame, random)])
  },
  feed: async frame => {
    const messages: ThreadMessage[] = []
    const taken = refusing(() => {
      for (const each of new FrameReader().push(Buffer.from(frame))) {
        const report = checkedReport(each, CHUNKS)
        if (report.type === 'message') messages.push(report.message)
      }
    })
    for (const message of messages) await intoBatch(message)
    return taken
  }
}
