import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../../../src/cli/peers/logger.ts'
import { PrettyLines } from '../../../src/cli/peers/pretty-lines.ts'

const SELF = '12D3KooWaaaaaaaa'
const OTHER = '12D3KooWbbbbbbbb'

describe('the log', () => {
  let lines: string[]

  beforeEach(() => {
    lines = []
    vi.spyOn(process.stderr, 'write').mockImplementation(text => {
      if (text !== '') lines.push(String(text))
      return true
    })
  })

  afterEach(() => vi.restoreAllMocks())

  const entries = (): Array<Record<string, unknown>> => lines.map(line => JSON.parse(line))

  it('the log is JSON with --json or --log-format json, and contains level names and ISO times', async () => {
    for (const flags of [{ json: true }, { logFormat: 'json' as const }]) {
      const logger = await createLogger(flags)
      logger.warn({ peerId: OTHER }, 'careful')
    }
    expect(entries()).toEqual(
      [1, 2].map(() => ({ level: 'warn', time: expect.stringMatching(/^\d{4}-.*Z$/), peerId: OTHER, msg: 'careful' }))
    )
    lines = []
    const logger = await createLogger({ json: true, logFormat: 'pretty' })
    logger.warn({ peerId: OTHER }, 'careful')
    expect(lines).toEqual([`warning: careful peerId=${OTHER}\n`])
  })

  it('the log contains warnings and errors by default, and the user or the command may set another level', async () => {
    const told = async (...args: Parameters<typeof createLogger>): Promise<unknown[]> => {
      lines = []
      const logger = await createLogger(...args)
      for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level]({}, 'said')
      return entries().map(({ level }) => level)
    }
    expect(await told({ json: true })).toEqual(['warn', 'error'])
    expect(await told({ json: true }, { level: 'info' })).toEqual(['info', 'warn', 'error'])
    expect(await told({ json: true, logLevel: 'error' }, { level: 'info' })).toEqual(['error'])
    expect(await told({ json: true, logLevel: 'silent' })).toEqual([])
  })

  it('an entry of level `error`, or any entry with --log-level debug, contains the stacks of the error and of its cause', async () => {
    const error = Object.assign(new RangeError('full', { cause: new Error('why') }), { code: 'ENOSPC' })
    const without = { type: 'RangeError', message: 'full', code: 'ENOSPC', cause: { type: 'Error', message: 'why' } }
    const withStacks = {
      ...without,
      stack: expect.stringContaining('logger.test.ts'),
      cause: { ...without.cause, stack: expect.any(String) }
    }
    const usual = await createLogger({ json: true })
    usual.warn({ error }, 'said')
    usual.error({ error }, 'said')
    const detailed = await createLogger({ json: true, logLevel: 'debug' })
    detailed.warn({ error }, 'said')
    expect(entries().map(({ error }) => error)).toEqual([without, withStacks, withStacks])
  })
})

describe('the log for people', () => {
  const show = (lines: PrettyLines, entry: object): string =>
    lines.line(JSON.stringify({ level: 'info', time: '2026-01-05T09:12:44.103Z', msg: 'said', ...entry }))

  it('the log for people describes the events of a cluster in words', () => {
    const lines = new PrettyLines(false)
    const ready = { event: 'ready', peerId: SELF, cluster: 'lab', slots: 2, pid: 7, addresses: ['/ip4/10.0.0.1/tcp/1'] }
    expect(show(lines, ready)).toBe(
      `peer ${SELF} (aaaaaaaa) of cluster lab, 2 slots, process 7\n         /ip4/10.0.0.1/tcp/1`
    )
    expect(show(lines, { event: 'member', peerId: OTHER, state: 'dead', incarnation: 0 })).toBe(
      'member bbbbbbbb is dead'
    )
    expect(show(lines, { event: 'leader', peerId: null, reason: 'died' })).toBe('there is no leader (died)')
    expect(show(lines, { event: 'leader', peerId: OTHER, epoch: 3 })).toBe('bbbbbbbb leads (epoch 3)')
    expect(show(lines, { event: 'leader', peerId: SELF, epoch: 4, ms: 12 })).toBe(
      'this peer leads (epoch 4) after 12 ms'
    )
    expect(show(lines, { event: 'leaving', peerId: SELF })).toBe('this peer leaves')
  })

  it('the log for people describes a job and its end', () => {
    const lines = new PrettyLines(false)
    const job = { event: 'job', jobId: 'j1' }
    expect(show(lines, { ...job, state: 'accepted', task: 'primes' })).toBe('job j1 accepted (primes)')
    expect(show(lines, { ...job, state: 'completed', chunks: 3, ms: 1_500 })).toBe('job j1 completed (3 chunks, 1.5 s)')
    expect(show(lines, { ...job, state: 'failed', chunks: 1, ms: 5, error: { message: 'no' } })).toBe(
      'job j1 failed (1 chunk, 5 ms): no'
    )
  })

  it('the log for people contains no control characters of foreign text', () => {
    expect(
      show(new PrettyLines(false), { event: 'job', jobId: 'j', state: 'accepted', task: '\u001b[2Jx' })
    ).not.toContain('\u001b')
  })

  it('the log for people has one line for each entry, whatever foreign text contains', () => {
    const lines = new PrettyLines(false)
    const error = { message: 'no\n09:00:00 member bbbbbbbb is dead\r\n' }
    expect(show(lines, { event: 'job', jobId: 'j', state: 'failed', error })).toBe(
      'job j failed: no 09:00:00 member bbbbbbbb is dead '
    )
    expect(show(lines, { level: 'warn', from: 'a\nb', error })).not.toContain('\n')
  })
})
