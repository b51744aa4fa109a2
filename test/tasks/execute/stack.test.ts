import { describe, expect, it } from 'vitest'
import { describeFailure, dropInternalFrames, resolveSources, sourceUrl } from '../../../src/tasks/execute/stack.ts'
import fc from '../../properties.ts'

describe('paths in stacks', () => {
  it('resolveSources restores the path of a source from its URL, whatever the names of files and folders', () => {
    const name = fc
      .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
      .filter(name => !/[/\0\\]/.test(name) && !['.', '..', '__up__'].includes(name))
    fc.assert(
      fc.property(fc.nat(3), fc.array(name, { minLength: 1, maxLength: 4 }), (ups, names) => {
        const path = [...new Array(ups).fill('..'), ...names].join('/')
        // A stack contains the URL as the URL parser normalizes it.
        const line = `    at run (${new URL(sourceUrl(path)).href}:3:7)`
        expect(resolveSources(line)).toBe(`    at run (${path}:3:7)`)
      })
    )
  })

  it("stack paths are absolute if the task's folder is known", () => {
    const text = `at ${sourceUrl('../lib/my file.ts')}:1:2 and ${sourceUrl('task.ts')}:3:4`
    expect(resolveSources(text, '/home/u/project')).toBe(
      'at /home/u/lib/my file.ts:1:2 and /home/u/project/task.ts:3:4'
    )
  })

  it('resolveSources leaves all other text unchanged, including broken URLs', () => {
    expect(resolveSources('p2p-task:///%E0%A4%A:1:2 /a/b.ts:1:1', '/x')).toBe('p2p-task:///%E0%A4%A:1:2 /a/b.ts:1:1')
  })
})

describe('describing a failure', () => {
  it('a described failure names the function, the chunk and the error in one line', () => {
    const failure = { function: 'reduce', index: 4, name: 'TypeError', message: 'no', stack: '' } as const
    expect(describeFailure(failure)).toEqual({ message: 'reduce failed on chunk 4: TypeError: no', stack: '' })
    expect(describeFailure({ ...failure, function: 'finish', index: undefined, name: '' }).message).toBe(
      'finish failed: no'
    )
  })

  it("a described failure has only the stack frames of the user's code", () => {
    const own = new URL('../../../dist/tasks/thread/run-chunk.js', import.meta.url)
    const stack = [
      'Error: no',
      '    at run (p2p-task:///task.ts:1:1)',
      '    at Array.map (<anonymous>)',
      `    at ${own.href}:1:2`,
      `    at runChunk (${own.pathname}:3:4)`,
      '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)'
    ]
    expect(dropInternalFrames(stack.join('\n')).split('\n')).toEqual(stack.slice(0, 3))
  })
})
