import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { InvalidOptionError, TaskLoadError } from '../../../src/common/errors.ts'
import { bundleTask } from '../../../src/tasks/bundle/bundle.ts'
import { runOnOneThread } from '../../../src/tasks/bundle/load-local.ts'
import { codeHash } from '../../../src/tasks/execute/code-store.ts'
import { executorOf, folderOf, runValues } from '../helpers.ts'

const SUMS = fileURLToPath(new URL('../../fixtures/tasks/deep/sums.ts', import.meta.url))

/** The command lines of a process's children, read from Linux. */
function childrenOf(parent: number): string[] {
  return readdirSync('/proc').flatMap(pid => {
    try {
      const isChild = readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${parent}\n`)
      return isChild ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : []
    } catch {
      return []
    }
  })
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error
  )
  expect(error).toBeInstanceOf(TaskLoadError)
  return (error as TaskLoadError).message
}

const refusedSource = async (source: string) => {
  const folder = await folderOf({ 'task.ts': source })
  return refusal(bundleTask('task.ts', { cwd: folder }))
}

describe('bundling a task', () => {
  it('bundleTask takes a path, the text of a file URL or a URL object, and includes the modules that the task imports', async () => {
    const bundles = await Promise.all([
      bundleTask(SUMS),
      bundleTask(pathToFileURL(SUMS).href),
      bundleTask(pathToFileURL(SUMS)),
      bundleTask('deep/sums.ts', { cwd: join(SUMS, '../..') })
    ])
    const [bundle] = bundles
    expect(new Set(bundles.map(({ sha256 }) => sha256)).size).toBe(1)
    expect(bundle).toMatchObject({ name: 'sums', folder: join(SUMS, '..'), external: [] })
    expect(bundle?.sha256).toBe(codeHash(bundle?.code as Uint8Array))
    expect(await runOnOneThread(bundle as (typeof bundles)[0], 25)).toEqual({ total: 300 })
  })

  it('a bundle has the same SHA-256 in any folder', async () => {
    const files = join(SUMS, '../..')
    const hashes: string[] = []
    for (const name of ['a', 'other/b']) {
      const folder = join(await folderOf({}), name)
      await mkdir(folder, { recursive: true })
      await cp(files, folder, { recursive: true })
      hashes.push((await bundleTask('deep/sums.ts', { cwd: folder })).sha256)
    }
    expect(hashes[0]).toBe(hashes[1])
  })

  it('a task without a name is named after its file', async () => {
    const folder = await folderOf({ 'word-count.js': 'export default { run: chunk => chunk }' })
    expect((await bundleTask('word-count.js', { cwd: folder })).name).toBe('word-count')
  })

  it('a bundle includes CommonJS packages, and these packages can use require and __dirname', async () => {
    const folder = await folderOf({
      'task.ts': `
        import { defineTask } from 'p2p-worker'
        import { createRequire } from 'node:module'
        import { dirname } from 'node:path'
        import { fileURLToPath } from 'node:url'
        import shout, { where } from 'shout'
        const require = createRequire(import.meta.url)
        const __dirname = dirname(fileURLToPath(import.meta.url))
        export default defineTask({ run: (word: string) => [shout(word), typeof where, typeof __dirname, require('node:path').sep] })`,
      'node_modules/shout/package.json': '{ "name": "shout", "version": "1.0.0", "main": "main.js" }',
      'node_modules/shout/main.js': `
        const { EOL } = require('os')
        const upper = require('./lib/upper')
        module.exports = text => upper(text) + EOL.length
        module.exports.where = __dirname`,
      'node_modules/shout/lib/upper.js': 'exports = module.exports = text => text.toUpperCase()'
    })
    const bundle = await bundleTask('task.ts', { cwd: folder })
    expect(await runOnOneThread(bundle, ['a'])).toEqual([['A1', 'string', 'string', '/']])
  })

  it('bundleTask accepts a CommonJS task, both handwritten and compiled from an ES module', async () => {
    const folder = await folderOf({
      'plain.cjs': 'module.exports = { run: chunk => chunk + 1 }',
      'compiled.cjs': `
        Object.defineProperty(exports, '__esModule', { value: true })
        exports.default = { run: chunk => chunk + 2 }`
    })
    expect(await runOnOneThread(await bundleTask('plain.cjs', { cwd: folder }), [1])).toEqual([2])
    expect(await runOnOneThread(await bundleTask('compiled.cjs', { cwd: folder }), [1])).toEqual([3])
  })

  it('bundleTask refuses a file that does not exist, a folder, and a URL that is not a file', async () => {
    const folder = await folderOf({})
    expect(await refusal(bundleTask('none.ts', { cwd: folder }))).toContain(join(folder, 'none.ts'))
    expect(await refusal(bundleTask(folder))).toContain('is no file')
    expect(await refusal(bundleTask(new URL('https://example.org/task.ts')))).toContain('no file URL')
  })

  it("bundleTask refuses a syntax error, and reports the compiler's message with the file, line and column", async () => {
    const message = await refusedSource('export default {\n  run(chunk) { return chunk + }\n}\n')
    expect(message).toContain('task.ts:2:30')
    expect(message).toContain('Unexpected "}"')
  })

  it('bundleTask refuses a missing import and names the importing file', async () => {
    const message = await refusedSource("import './missing.ts'\nexport default { run() {} }\n")
    expect(message).toContain('Could not resolve "./missing.ts"')
    expect(message).toContain('task.ts:1:7')
  })

  it('bundleTask refuses a native module and explains --external', async () => {
    const folder = await folderOf({
      'task.ts': "import fast from 'fast'\nexport default { run: () => fast }\n",
      'node_modules/fast/package.json': '{ "name": "fast", "main": "index.js" }',
      'node_modules/fast/index.js': "module.exports = require('./build/fast.node')",
      'node_modules/fast/build/fast.node': 'ELF'
    })
    const message = await refusal(bundleTask('task.ts', { cwd: folder }))
    expect(message).toContain('"./build/fast.node" is a native module')
    expect(message).toContain('--external')
    expect(message).toContain('node_modules/fast/index.js:1:')
  })

  it.each<[string, string, string]>([
    ['has no default export', 'export const run = () => 1', 'no default export'],
    ['exports a function', 'export default () => 1', 'its default export is a function'],
    ['lacks run', 'export default { split: () => [] }', 'lacks the function `run`'],
    ['has a `run` that is not a function', 'export default { run: 1 }', '`run` is a number'],
    ['has a `split` that is not a function', 'export default { run() {}, split: [] }', '`split` is an array'],
    ['has a `finish` that is not a function', 'export default { run() {}, finish: null }', '`finish` is null'],
    ['has `reduce` without `initial`', 'export default { run() {}, reduce() {} }', '`reduce` needs `initial`'],
    ['has `combine` without `reduce`', 'export default { run() {}, combine() {} }', '`combine` needs `reduce`'],
    [
      'is an iteration with `combine`',
      'export default { start() {}, run() {}, next() {}, until() {}, combine() {}, initial: 0, reduce() {} }',
      '`combine` is not for iterations'
    ],
    ['has a name of two lines', 'export default { run() {}, name: "a\\nb" }', '`name` must be'],
    ['throws when it is loaded', "export default { run() {} }\nthrow new Error('at the top')", 'at the top'],
    ['ends its thread when it is loaded', 'process.exit(7)', 'process.exit(7)']
  ])('bundleTask refuses a module that %s', async (_, source, problem) => {
    expect(await refusedSource(source)).toContain(problem)
  })

  it("when a module throws at its top level, the error of bundleTask points into the user's file", async () => {
    const folder = await folderOf({ 'my task.ts': "const n: number = 1\nthrow new Error('top ' + n)\n" })
    const message = await refusal(bundleTask('my task.ts', { cwd: folder }))
    expect(message).toContain(`${join(folder, 'my task.ts')}:2:7`)
  })

  it("bundleTask does not run the module's top level on the main thread", async () => {
    const folder = await folderOf({ 'task.js': 'globalThis.touched = true\nexport default { run() {} }' })
    await bundleTask('task.js', { cwd: folder })
    expect('touched' in globalThis).toBe(false)
  })

  it('bundleTask can be aborted while the module never finishes loading', async () => {
    const folder = await folderOf({ 'task.js': 'for (;;) {}\nexport default { run() {} }' })
    await expect(bundleTask('task.js', { cwd: folder, signal: AbortSignal.timeout(300) })).rejects.toThrow(/timeout/i)
  })

  it.skipIf(process.platform !== 'linux')('bundling leaves no compiler process behind', async () => {
    await Promise.all([bundleTask(SUMS), bundleTask(SUMS)])
    expect(childrenOf(process.pid).filter(command => command.includes('esbuild'))).toEqual([])
  })
})

describe('an external package', () => {
  const FILES = {
    'task.ts': "import { version } from 'big'\nexport default { run: () => version }",
    'peer/node_modules/big/package.json': '{ "name": "big", "main": "index.js" }',
    'peer/node_modules/big/index.js': "exports.version = 'of the peer'"
  }

  it('a peer resolves an external package from the folder where the peer was started, and the submitting machine need not have the package', async () => {
    const folder = await realpath(await folderOf(FILES))
    const bundle = await bundleTask('task.ts', { cwd: folder, external: ['big'] })
    expect(bundle.external).toEqual(['big'])
    const executor = await executorOf([bundle], { external: ['big'], cwd: join(folder, 'peer') })
    expect([...(await runValues(executor, bundle, [0])).partials.values()]).toEqual(['of the peer'])
  })

  it('a task that imports an external package that the peer does not offer fails with advice', async () => {
    const folder = await folderOf(FILES)
    const bundle = await bundleTask('task.ts', { cwd: folder, external: ['big'] })
    const executor = await executorOf([bundle], { cwd: join(folder, 'peer') })
    const { errors } = await runValues(executor, bundle, [0])
    expect(errors.get(0)).toMatchObject({ function: 'load' })
    expect(errors.get(0)?.message).toContain('join --external big')
  })

  it('bundleTask and the executor accept only names of npm packages as external packages', async () => {
    await expect(bundleTask(SUMS, { external: ['./big'] })).rejects.toThrow(InvalidOptionError)
    await expect(executorOf([], { external: ['a b'] })).rejects.toThrow(InvalidOptionError)
  })

  it('when an offered external package is not installed, the error names the folder of the search', async () => {
    const folder = await folderOf(FILES)
    const bundle = await bundleTask('task.ts', { cwd: folder, external: ['big'] })
    const executor = await executorOf([bundle], { external: ['big'], cwd: folder })
    const { errors } = await runValues(executor, bundle, [0])
    expect(errors.get(0)?.message).toContain(`was not found from ${folder}`)
  })
})
