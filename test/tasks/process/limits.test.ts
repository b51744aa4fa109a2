import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { FOLDER_PREFIX } from '../../../src/persistence/temporary-folder.ts'
import { LIMITS_MEMORY } from '../../../src/tasks/process/platform-features.ts'
import { runValues } from '../helpers.ts'
import { isolatedExecutor, outcomeOf, taskThat } from './isolated.ts'

const MiB = 2 ** 20

/** Runs three chunks under these limits. The second chunk runs `body`, and no other chunk may fail. Returns the error message of the second chunk. */
async function ends(body: string, limits: Parameters<typeof isolatedExecutor>[1]): Promise<string> {
  const task = taskThat(`if (chunk === 1) { ${body} } return chunk`)
  const executor = await isolatedExecutor([task], limits)
  const { partials, errors } = await runValues(executor, task, [0, 1, 2])
  expect([...partials.keys()].sort()).toEqual([0, 2])
  return errors.get(1)?.message ?? ''
}

describe.runIf(LIMITS_MEMORY)('memory', () => {
  const limits = { limits: { taskMemoryBytes: 256 * MiB } }

  it.each([
    ['arrays of bytes', 'const kept = []; for (;;) kept.push(new Uint8Array(16 * 2 ** 20).fill(1))'],
    [
      'shared memory',
      'const kept = []; for (;;) { const s = new SharedArrayBuffer(2 ** 24); new Uint8Array(s).fill(1); kept.push(s) }'
    ],
    [
      'WebAssembly memory',
      'const m = new WebAssembly.Memory({ initial: 1 }); for (;;) { m.grow(256); new Uint8Array(m.buffer).fill(1) }'
    ],
    ['buffers outside of the heap', 'const kept = []; for (;;) kept.push(Buffer.alloc(8 * 2 ** 20, 1))']
  ])('a task that fills its memory with %s gets an error, or only its process ends', async (_, body) => {
    expect(await ends(body, limits)).toMatch(/allocation failed|memory|Maximum|could not/i)
  })

  it('a full heap ends only the process of the task, and the error names the heap limit', async () => {
    const message = await ends('const kept = []; for (let i = 0; ; i++) kept.push({ i })', { ...limits, maxHeapMb: 64 })
    expect(message).toContain('ran out of memory (its heap may have 64 MiB')
  })

  it('the memory limit also bounds the heap if maxHeapMb is not set', async () => {
    expect(await ends('const kept = []; for (let i = 0; ; i++) kept.push({ i })', limits)).toMatch(
      /its process was ended/
    )
  })
})

describe('disk', () => {
  const limits = { limits: { taskDiskBytes: 8 * MiB } }
  const piece = 'const piece = Buffer.alloc(2 ** 20, 1); const own = process.env.TMPDIR'

  it.each([
    ['one file', `${piece}; for (;;) fs.appendFileSync(own + '/large', piece)`],
    ['many files', `${piece}; for (let i = 0; ; i++) { fs.writeFileSync(own + '/' + i, piece); await null }`],
    [
      'deleted but open files',
      `${piece}; const files = []
       for (let i = 0; i < 4; i++) { files.push(fs.openSync(own + '/x', 'w')); fs.unlinkSync(own + '/x'); for (let n = 0; n < 4; n++) fs.writeSync(files[i], piece) }
       for (;;) {}`
    ],
    [
      'nested folders',
      `${piece}; let at = own; for (;;) { at += '/d'; fs.mkdirSync(at); fs.writeFileSync(at + '/f', piece) }`
    ]
  ])('a task that fills its disk with %s gets an error, or only its process ends', async (_, body) => {
    expect(await ends(body, limits)).toMatch(/taskDiskBytes|EFBIG|SIGXFSZ|ENAMETOOLONG/)
  })

  it('a task can write to its own folder, which is empty at first and is removed when the executor stops', async () => {
    const task = taskThat(`
      const own = process.env.TMPDIR
      const before = fs.readdirSync(own).filter(name => !name.endsWith('.mjs'))
      fs.mkdirSync(own + '/closed')
      fs.writeFileSync(own + '/closed/file', 'x')
      fs.chmodSync(own + '/closed', 0)
      return { own, before, home: process.env.HOME, at: process.cwd() }`)
    const executor = await isolatedExecutor([task], limits)
    const { partial } = await outcomeOf(executor, task)
    const { own } = partial as { own: string }
    expect(partial).toEqual({ own, before: [], home: own, at: own })
    await executor.stop()
    expect(readdirSync(tmpdir()).filter(name => name.startsWith(`${FOLDER_PREFIX}tasks-`))).toEqual([])
  })
})

describe('the call stack', () => {
  it('the call stack of a process holds 20,000 nested calls', async () => {
    const task = taskThat('const deep = n => n === 0 ? 0 : 1 + deep(n - 1); return deep(chunk)')
    expect((await outcomeOf(await isolatedExecutor([task]), task, 20_000)).partial).toBe(20_000)
  })
})

describe('file handles', () => {
  it('a process cannot open more files than the limit allows', async () => {
    const body = `const all = []; for (;;) all.push(fs.openSync(process.env.TMPDIR + '/f' + all.length % 8, 'w'))`
    expect(await ends(body, { limits: { taskFiles: 64 } })).toContain('EMFILE')
  })
})

describe('processor time', () => {
  it('a cancelled chunk ends even if the chunk blocks the event loop', async () => {
    const task = taskThat('for (;;) {}')
    const executor = await isolatedExecutor([task])
    const controller = new AbortController()
    const run = runValues(executor, task, [0], {
      signal: controller.signal,
      onStarted: () => controller.abort(new Error('enough'))
    })
    await expect(run).rejects.toThrow('enough')
    expect(executor.busy).toBe(0)
  })
})
