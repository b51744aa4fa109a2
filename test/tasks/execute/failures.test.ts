import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bundleTask } from '../../../src/tasks/bundle/bundle.ts'
import { describeFailure } from '../../../src/tasks/execute/stack.ts'
import { ENDED, executorOf, moduleOf, runValues } from '../helpers.ts'

const FIXTURES = fileURLToPath(new URL('../../fixtures/tasks', import.meta.url))

describe('a chunk that throws', () => {
  it("a chunk that throws fails alone, with a stack that points into the user's files, line and column", async () => {
    const bundle = await bundleTask(join(FIXTURES, 'deep/sums.ts'))
    const pieces = [0, 10, 20, 30, 40].map(from => ({ from, to: from + 10 }))
    const { partials, errors } = await runValues(await executorOf([bundle]), bundle, pieces)
    expect([...partials.keys()]).toEqual([0, 1, 2, 4])
    const failure = errors.get(3)
    expect(failure).toMatchObject({ function: 'run', index: 3, name: 'RangeError', message: 'cannot sum from 30' })

    const absolute = describeFailure(failure as NonNullable<typeof failure>, bundle.folder)
    expect(absolute.message).toBe('run failed on chunk 3: RangeError: cannot sum from 30')
    expect(absolute.stack.split('\n')).toEqual([
      'RangeError: cannot sum from 30',
      `    at sum (${join(FIXTURES, 'helper.ts')}:6:26)`,
      `    at Object.run (${join(FIXTURES, 'deep/sums.ts')}:11:12)`
    ])
    const relative = describeFailure(failure as NonNullable<typeof failure>)
    expect(relative.stack).toContain('at sum (../helper.ts:6:26)')
  })

  it.each<[string, string, object]>([
    ['a string', "throw 'bad'", { name: '', message: "threw 'bad', which is no Error", stack: '' }],
    ['nothing', 'throw undefined', { message: 'threw undefined, which is no Error' }],
    ['null from a promise', 'return Promise.reject(null)', { message: 'threw null, which is no Error' }],
    ['an object', 'throw { code: 7 }', { message: 'threw { code: 7 }, which is no Error' }],
    ['a hostile proxy', 'throw new Proxy({}, { get() { throw 1 }, has() { throw 1 } })', { function: 'run', index: 0 }],
    ['an error of its own class', 'throw new (class Odd extends Error { name = "Odd" })("x")', { name: 'Odd' }],
    [
      'an error from a timer',
      'return new Promise(() => setTimeout(() => { throw new Error("late") }))',
      { message: 'late' }
    ],
    [
      'an error from a floating promise',
      'Promise.reject(new Error("lost")); return new Promise(() => {})',
      { message: 'lost' }
    ],
    [
      'a partial that cannot be cloned',
      'return { rows: [1, { callback() {} }] }',
      { name: 'NotCloneableError', message: expect.stringContaining('partial.rows[1].callback') }
    ]
  ])('the failure of a chunk after %s is plain data, and the thread continues', async (_, body, expected) => {
    const bundle = moduleOf(`export default { run (chunk) { if (chunk === 1) return 'next'; ${body} } }`)
    const { errors, partials } = await runValues(await executorOf([bundle]), bundle, [0, 1])
    expect(errors.get(0)).toMatchObject({ function: 'run', index: 0, ...expected })
    expect(structuredClone(errors.get(0))).toEqual(errors.get(0))
    expect(partials.get(1)).toBe('next')
  })

  it('a failure shows the cause of the error', async () => {
    const bundle = moduleOf("export default { run () { throw new Error('outer', { cause: new TypeError('inner') }) } }")
    const { errors } = await runValues(await executorOf([bundle]), bundle, [0])
    expect(errors.get(0)?.stack).toMatch(/Error: outer\n.*\ncaused by: TypeError: inner\n/)
  })

  it('a failure message of several megabytes is cut', async () => {
    const bundle = moduleOf("export default { run () { throw new Error('x'.repeat(5_000_000)) } }")
    const { errors } = await runValues(await executorOf([bundle]), bundle, [0])
    expect(JSON.stringify(errors.get(0)).length).toBeLessThan(100_000)
  })

  it('the failure of a chunk names the function load if the module does not load', async () => {
    const bad = moduleOf("throw new Error('no')")
    const { errors } = await runValues(await executorOf([bad]), bad, [0, 1])
    expect([...errors.values()]).toMatchObject([{ function: 'load', message: 'no' }, { function: 'load' }])
  })
})

describe('a chunk that ends its thread', () => {
  it('a chunk that calls process.exit() fails alone: all other chunks return their partials, and no chunk runs twice', async () => {
    const bundle = moduleOf(
      'export default { run (chunk, { log }) { log(chunk); if (chunk === 5) process.exit(3); return chunk } }'
    )
    const executor = await executorOf([bundle])
    const { partials, errors, logs } = await runValues(executor, bundle, [0, 1, 2, 3, 4, 5, 6, 7])
    expect(logs.map(({ line }) => line)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
    expect([...partials.keys()]).toEqual([0, 1, 2, 3, 4, 6, 7])
    expect([...errors.keys()]).toEqual([5])
    expect(errors.get(5)).toMatchObject({ function: 'run', index: 5, name: ENDED })
    expect(errors.get(5)?.message).toContain('process.exit(3)')
    expect(executor.busy).toBe(0)
  })

  it('a chunk that calls process.exit() after a wait, or from a timer, fails alone', async () => {
    const bundle = moduleOf(`export default {
      async run (chunk) {
        await null
        if (chunk === 1) process.exit()
        if (chunk === 2) await new Promise(() => setTimeout(() => process.exit(1)))
        return chunk
      }
    }`)
    const { partials, errors } = await runValues(await executorOf([bundle]), bundle, [0, 1, 2, 3])
    expect([...partials.keys()]).toEqual([0, 3])
    expect([...errors.keys()]).toEqual([1, 2])
  })

  it('a chunk that runs out of memory fails alone, with the reason', async () => {
    const bundle = moduleOf(`export default {
      run (chunk) {
        const kept = []
        for (let i = 0; chunk === 1; i++) kept.push({ i, text: 'x' + i })
        return chunk
      }
    }`)
    const { partials, errors } = await runValues(await executorOf([bundle], { maxHeapMb: 32 }), bundle, [0, 1, 2])
    expect([...partials.keys()].sort()).toEqual([0, 2])
    expect(errors.get(1)).toMatchObject({ function: 'run', index: 1, name: ENDED })
    expect(errors.get(1)?.message).toContain('ran out of memory (its heap may have 32 MiB: maxHeapMb, --max-heap-mb)')
  })

  it('when a module ends the thread at its top level, every chunk of the batch fails, and the failures name the function load', async () => {
    const bundle = moduleOf('process.exit(4)')
    const { errors } = await runValues(await executorOf([bundle]), bundle, [0, 1])
    expect([...errors.values()]).toMatchObject([
      { function: 'load', message: expect.stringContaining('process.exit(4)') },
      { function: 'load' }
    ])
  })
})
