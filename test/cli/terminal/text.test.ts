import { describe, expect, it } from 'vitest'
import { describeError } from '../../../src/cli/describe-error.ts'
import { exitCodeOf } from '../../../src/cli/exit-codes.ts'
import { parseContent } from '../../../src/cli/jobs/input.ts'
import { taskLine, unservedLine } from '../../../src/cli/jobs/job-view.ts'
import { variableOf } from '../../../src/cli/options/flags.ts'
import { PrettyLines } from '../../../src/cli/peers/pretty-lines.ts'
import { printable } from '../../../src/cli/terminal/output.ts'
import { table } from '../../../src/cli/terminal/table.ts'
import {
  InvalidOptionError,
  JobCancelledError,
  JobFailedError,
  NoClusterError,
  NotAdmittedError,
  TaskLoadError
} from '../../../src/common/errors.ts'

describe('what people read', () => {
  it('text for people keeps the colours of foreign text, but not its control characters', () => {
    expect(printable('a\u001b]0;title\u0007b\u001b[2J\u001b[31mred\u001b[0m\tx\ny')).toBe(
      'a]0;titleb[2J\u001b[31mred\u001b[0m\tx\ny'
    )
  })

  it('a table for people aligns numbers to the right, and colours take no width', () => {
    const text = table(
      [{ title: 'PEER' }, { title: 'N', align: 'right' }],
      [
        ['\u001b[32mab\u001b[39m', '5'],
        ['abcdef', '1000']
      ]
    )
    expect(text).toBe(['PEER       N', '\u001b[32mab\u001b[39m         5', 'abcdef  1000'].join('\n'))
  })

  it('a printed line of a task names its peer and chunk', () => {
    const line = { peer: '12D3KooWabcdefgh', stream: 'stdout' as const, line: 'hello' }
    expect(taskLine({ ...line, function: 'run', index: 12 })).toBe('[abcdefgh chunk 12] hello')
    expect(taskLine({ ...line, function: 'reduce', index: undefined })).toBe('[abcdefgh reduce] hello')
  })

  it('a warning names the tags that no peer has', () => {
    expect(unservedLine({ gpu: 'a100', zone: 'eu' })).toContain(
      'no live peer that computes has the tags gpu=a100 zone=eu'
    )
    expect(unservedLine({})).toContain('no live peer computes: the job waits')
  })

  it('text for people shows a failed job with its function, its chunk and the stack of the task', () => {
    const error = new JobFailedError('boom', {
      jobId: 'j1',
      function: 'run',
      index: 3,
      taskStack: 'Error: boom\n    at run (task.ts:4:2)'
    })
    expect(describeError(error)).toBe('boom\n  job j1, in run, chunk 3\n  Error: boom\n      at run (task.ts:4:2)')
  })

  it('PrettyLines formats a log entry as one line', () => {
    const entry = {
      level: 'warn',
      time: '2026-01-01T10:00:00.000Z',
      msg: 'key refused',
      address: '/ip4/192.0.2.1/tcp/1'
    }
    const line = JSON.stringify({ ...entry, error: { message: 'why' } })
    expect(new PrettyLines(false).line(line)).toBe('warning: key refused address=/ip4/192.0.2.1/tcp/1 (why)')
    expect(new PrettyLines(true).line(line)).toMatch(/^\d\d:\d\d:\d\d warning: key refused /)
  })
})

describe('the contracts of the command line', () => {
  it('each kind of error has its exit code', () => {
    expect(exitCodeOf(new InvalidOptionError('x'))).toBe(2)
    expect(exitCodeOf(new TaskLoadError('x'))).toBe(2)
    expect(exitCodeOf(new NoClusterError('x'))).toBe(3)
    expect(exitCodeOf(new NotAdmittedError('x'))).toBe(4)
    expect(exitCodeOf(new JobFailedError('x', { jobId: 'j', function: 'run' }))).toBe(1)
    expect(exitCodeOf(new JobCancelledError('x'))).toBe(1)
    expect(exitCodeOf(new TypeError('x'))).toBe(1)
  })

  it('environment variables are named after their options', () => {
    expect(variableOf('--key-file <file>')).toBe('P2P_WORKER_KEY_FILE')
    expect(variableOf('--no-mdns')).toBe('P2P_WORKER_NO_MDNS')
  })

  it('the content of a file is parsed as JSON if possible, and kept as bytes otherwise', () => {
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
    expect(parseContent(bytes('{"a":[1]}\n'))).toEqual({ a: [1] })
    expect(parseContent(bytes('to be or not'))).toEqual(bytes('to be or not'))
    expect(parseContent(new Uint8Array([0x22, 0xff, 0x22]))).toEqual(new Uint8Array([0x22, 0xff, 0x22]))
    expect(Buffer.isBuffer(parseContent(Buffer.from('x')))).toBe(false)
  })
})
