import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { NotCloneableError } from '../../../src/common/errors.ts'
import { bundleTask } from '../../../src/tasks/bundle/bundle.ts'
import { runOnOneThread } from '../../../src/tasks/bundle/load-local.ts'
import { moduleOf } from '../helpers.ts'

describe('running a task on one thread', () => {
  it('runOnOneThread splits, runs, reduces and finishes', async () => {
    const bundle = await bundleTask(fileURLToPath(new URL('../../fixtures/tasks/deep/sums.ts', import.meta.url)))
    expect(await runOnOneThread(bundle, 27)).toEqual({ total: 351 })
    await expect(runOnOneThread(bundle, 45)).rejects.toMatchObject({
      name: 'TaskFailureError',
      failure: { function: 'run', index: 3, message: 'cannot sum from 30' }
    })
  })

  it('runOnOneThread passes the slots to split and the log lines to the caller', async () => {
    const lines: string[] = []
    const bundle = moduleOf(`export default {
      split: (input, { slots }) => [input, slots], async run (chunk, { log }) { log(chunk); return chunk }
    }`)
    const result = await runOnOneThread(bundle, 'in', { slots: 8, onLog: ({ line }) => lines.push(line) })
    expect([result, lines]).toEqual([
      ['in', 8],
      ['in', '8']
    ])
  })

  it('runOnOneThread passes partials through structured clone, so its result equals the cluster’s to the bit', async () => {
    const bundle = moduleOf('export default { run: chunk => new (class Own { zero = -0; chunk = chunk })() }')
    const [partial] = (await runOnOneThread(bundle, [1n])) as [{ zero: number; chunk: bigint }]
    expect(partial).toStrictEqual({ zero: -0, chunk: 1n })
  })

  it('runOnOneThread refuses an input that cannot be cloned, and the error names the path of the refused part', async () => {
    const bundle = moduleOf('export default { run: chunk => chunk }')
    await expect(runOnOneThread(bundle, { rows: [() => 1] })).rejects.toThrow(NotCloneableError)
    await expect(runOnOneThread(bundle, { rows: [() => 1] })).rejects.toThrow(/^input\.rows\[0\] /)
  })

  it('runOnOneThread reports why its thread ended, and can be aborted', async () => {
    const exits = moduleOf('export default { run (chunk) { if (chunk === 2) process.exit(9); return chunk } }')
    await expect(runOnOneThread(exits, [0, 1, 2])).rejects.toMatchObject({
      failure: { function: 'run', index: 2, message: 'the thread ended: the code called process.exit(9)' }
    })
    const loops = moduleOf('export default { run () { for (;;) {} } }')
    await expect(runOnOneThread(loops, [0], { signal: AbortSignal.timeout(200) })).rejects.toThrow(/timeout/)
  })
})
