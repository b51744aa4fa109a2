import { describe, expect, it } from 'vitest'
import { chunksOf } from '../outcomes.ts'
import { isolatedExecutor, outcomeOf, taskThat } from './isolated.ts'

/** Code with which a task sends reports in the name of its process: the code makes frames like encodeFrame, and writes the frames to the channel. */
const SPEAK = `
const frame = (header, body = Buffer.alloc(0)) => {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header))
  const prefix = Buffer.alloc(8)
  prefix.writeUInt32LE(text.length, 0)
  prefix.writeUInt32LE(body.length, 4)
  return Buffer.concat([prefix, text, body])
}
const say = (...parts) => { for (const part of parts) fs.writeSync(3, part) }
const u32 = (at, count) => ({ '~': 'u32', at, bytes: 4 * count })
const u8 = (at, bytes) => ({ '~': 'u8', at, bytes })
const message = fields => frame({ type: 'message', id: 1, message: fields }, Buffer.alloc(16, 255))
`

describe('a task that sends reports in the name of its process', () => {
  it.each([
    ['bytes that are not a frame', 'say(Buffer.alloc(64, 0x7b))'],
    ['a frame above the limit', 'const p = Buffer.alloc(8); p.writeUInt32LE(2 ** 32 - 1, 4); say(p)'],
    ['a frame that is not JSON', "say(frame('{'))"],
    ['endlessly nested JSON', "say(frame('['.repeat(1_000_000)))"],
    ['null', "say(frame('null'))"],
    [
      'an outcome of a chunk that is not in its call',
      "say(message({ type: 'outcomes', positions: u32(0, 1), lengths: u32(4, 1), bytes: u8(0, 16), failed: [], busyMs: 1 }))"
    ],
    ['bytes beyond its frame', "say(message({ type: 'reply', id: 1, value: { type: 'bytes', bytes: u8(8, 1e9) } }))"],
    [
      'frames without end',
      "const one = frame({ type: 'returned', id: 99 }); const many = Buffer.concat(new Array(1000).fill(one)); for (;;) say(many)"
    ],
    [
      'millions of values in one frame, which nobody can read in a moment',
      "say(frame('[' + '{},'.repeat(2_000_000) + '{}]'))"
    ],
    ['nothing after it has closed its channel', 'fs.closeSync(3); await new Promise(() => {})']
  ])('a task that reports %s is killed, and only the chunk of this task fails', async (_, body) => {
    const task = taskThat(
      `${SPEAK}; if (chunk === 'hostile') { ${body}; for (;;) await new Promise(r => setTimeout(r)) } return chunk`
    )
    const executor = await isolatedExecutor([task])
    const { error } = await outcomeOf(executor, task, 'hostile')
    expect(error?.message).toContain('its process was ended by its peer: ')
    expect((await outcomeOf(executor, task, 'harmless')).partial).toBe('harmless')
  })

  it('a chunk fails if its task reports the end of the call without outcomes', async () => {
    const task = taskThat(
      `${SPEAK}; if (chunk === 'hostile') { for (let id = 1; id < 9; id++) say(frame({ type: 'returned', id })); await new Promise(() => {}) } return chunk`
    )
    const executor = await isolatedExecutor([task])
    const { partial, error } = await outcomeOf(executor, task, 'hostile')
    expect(partial).toBe(undefined)
    expect(error?.message).toContain('its process was ended')
  })

  it.each([
    ['truncates its shared memory', 'fs.ftruncateSync(4, 0)'],
    ['reports that it is idle', 'const none = Buffer.alloc(16); fs.writeSync(4, none, 0, 16, 0)'],
    [
      'reports ever new chunks',
      'for (const two = new Float64Array(2);;) { two[0] = 3; two[1] = Math.floor(Math.random() * 2); fs.writeSync(4, two, 0, 16, 0) }'
    ]
  ])('chunkTimeout still ends a chunk whose task %s', async (_, body) => {
    const task = taskThat(`${body}; for (;;) {}`)
    const executor = await isolatedExecutor([task])
    const failed: string[] = []
    const chunks = chunksOf([0])
    await executor.runBatch(
      { sha256: task.sha256, chunks, chunkTimeout: 100 },
      { onOutcomes: outcomes => failed.push(...outcomes.failed.map(({ failure }) => failure.name)) }
    )
    expect(failed).toHaveLength(1)
  })

  it('the peer never counts more busy time for a chunk than has passed, whatever the task reports', async () => {
    const task = taskThat(`${SPEAK}
      const outcomes = { type: 'outcomes', positions: u32(0, 1), lengths: u32(4, 1), bytes: u8(8, 3), failed: [], busyMs: 1e300 }
      const body = Buffer.alloc(11); body.writeUInt32LE(0, 0); body.writeUInt32LE(3, 4)
      say(frame({ type: 'message', id: 1, message: outcomes }, body))
      return chunk`)
    const executor = await isolatedExecutor([task])
    const began = performance.now()
    const busy: number[] = []
    await executor.runBatch({ sha256: task.sha256, chunks: chunksOf([0]) }, { onOutcomes: (_, ms) => busy.push(ms) })
    expect(Math.max(...busy)).toBeLessThanOrEqual(performance.now() - began)
  })

  it('the peer ignores a report about a call that does not exist', async () => {
    const task = taskThat(`${SPEAK}; say(frame({ type: 'returned', id: 77 })); return chunk`)
    const executor = await isolatedExecutor([task])
    expect((await outcomeOf(executor, task, 5)).partial).toBe(5)
  })

  it('a task may write anything to the shared memory, and only the chunk of this task fails', async () => {
    const task = taskThat(`
      if (chunk === 'harmless') return chunk
      const noise = Buffer.alloc(4096, 0xff)
      fs.writeSync(4, noise, 0, noise.length, 0)
      fs.ftruncateSync(4, 3)
      process.exit(9)`)
    const executor = await isolatedExecutor([task])
    expect((await outcomeOf(executor, task, 'hostile')).error?.message).toContain('its process was ended')
    expect((await outcomeOf(executor, task, 'harmless')).partial).toBe('harmless')
  })
})

describe('tasks', () => {
  it('tasks never share a process', async () => {
    const bundles = ['a', 'b'].map(name =>
      taskThat(`globalThis.left ??= []; left.push(chunk + '${name}'); return { pid: process.pid, left }`)
    )
    const executor = await isolatedExecutor(bundles)
    const seen: { pid: number; left: string[] }[] = []
    for (const task of [bundles[0]!, bundles[1]!, bundles[0]!])
      seen.push((await outcomeOf(executor, task, 'x')).partial as { pid: number; left: string[] })
    expect(seen.map(({ left }) => left)).toEqual([['xa'], ['xb'], ['xa']])
    expect(new Set(seen.map(({ pid }) => pid)).size).toBe(3)
  })

  it('tasks get the listed environment variables, and no others', async () => {
    process.env.P2P_WORKER_TEST_LISTED = 'listed'
    process.env.P2P_WORKER_TEST_OTHER = 'other'
    const task = taskThat('return Object.keys({ ...process.env }).sort()')
    const executor = await isolatedExecutor([task], { environment: ['P2P_WORKER_TEST_LISTED', 'P2P_WORKER_TEST_NONE'] })
    const { partial } = await outcomeOf(executor, task)
    for (const name of ['LISTED', 'OTHER']) delete process.env[`P2P_WORKER_TEST_${name}`]
    const names = (partial as string[]).filter(name => !/^(TZ|LANG|LANGUAGE|LC_\w+|PWD|OLDPWD|SHLVL|_)$/.test(name))
    expect(names).toEqual(['HOME', 'P2P_WORKER_TEST_LISTED', 'TEMP', 'TMP', 'TMPDIR'])
  })
})
