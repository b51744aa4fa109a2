import { mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { TaskLoadError } from '../../../src/common/errors.ts'
import { bundleTask, type TaskBundle } from '../../../src/tasks/bundle/bundle.ts'
import { folderOf } from '../helpers.ts'

const FILES = {
  'task.ts': "import { factor } from './lib/index.ts'\nexport default { run: chunk => chunk * factor }\n",
  'lib/index.ts': 'export const factor = 2\n'
}

/** Compiles the task until the cache keeps the bundle: a file that was written a moment ago is always compiled again. */
async function remembered(folder: string): Promise<TaskBundle> {
  const bundle = (): Promise<TaskBundle> => bundleTask('task.ts', { cwd: folder })
  return vi.waitFor(
    async () => {
      const [first, second] = [await bundle(), await bundle()]
      expect(second).toBe(first)
      return first
    },
    { timeout: 60_000 }
  )
}

describe('the bundle cache', () => {
  it('a task is not compiled again while its files are unchanged', async () => {
    const folder = await folderOf(FILES)
    const bundle = await remembered(folder)
    expect(await bundleTask(join(folder, 'task.ts'))).toBe(bundle)
  })

  it('a task is compiled once for concurrent callers', async () => {
    const folder = await folderOf({ ...FILES, 'other.ts': FILES['task.ts'] })
    // When the bundle of `task.ts` is cached, `other.ts` is also old enough to be cached.
    await remembered(folder)
    const bundles = await Promise.all(Array.from({ length: 8 }, () => bundleTask('other.ts', { cwd: folder })))
    expect(new Set(bundles).size).toBe(1)
  })

  it.each<[string, Record<string, string>]>([
    ['its file', { 'task.ts': 'export default { run: chunk => -chunk }\n' }],
    ['a file that it imports', { 'lib/index.ts': 'export const factor = 3\n' }]
  ])('a task is compiled again when %s has changed', async (_, files) => {
    const folder = await folderOf(FILES)
    const bundle = await remembered(folder)
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    expect((await bundleTask('task.ts', { cwd: folder })).sha256).not.toBe(bundle.sha256)
  })

  it('a task is compiled again when a file has new content but the same size and modification time', async () => {
    const folder = await folderOf(FILES)
    const file = join(folder, 'lib/index.ts')
    await utimes(file, 1e9, 1e9)
    const bundle = await remembered(folder)
    await writeFile(file, 'export const factor = 5\n')
    await utimes(file, 1e9, 1e9)
    expect((await bundleTask('task.ts', { cwd: folder })).sha256).not.toBe(bundle.sha256)
  })

  it('a task is compiled again when an import resolves to another file', async () => {
    const folder = await folderOf({ ...FILES, 'task.ts': FILES['task.ts'].replace('/index.ts', '') })
    const bundle = await remembered(folder)
    await writeFile(join(folder, 'lib.ts'), 'export const factor = 4\n')
    expect((await bundleTask('task.ts', { cwd: folder })).sha256).not.toBe(bundle.sha256)
  })

  it('a task is compiled again when a nearer copy of a package is installed', async () => {
    const folder = await folderOf({
      'task.ts': '',
      'node_modules/lib/package.json': '{"main":"main.js"}',
      'node_modules/lib/main.js': 'exports.factor = 2',
      'inner/task.ts': FILES['task.ts'].replace('./lib/index.ts', 'lib')
    })
    const inner = join(folder, 'inner')
    const bundle = await remembered(inner)
    const nearer = join(inner, 'node_modules/lib')
    await mkdir(nearer, { recursive: true })
    await writeFile(join(nearer, 'package.json'), '{"main":"main.js"}')
    await writeFile(join(nearer, 'main.js'), 'exports.factor = 3')
    expect((await bundleTask('task.ts', { cwd: inner })).sha256).not.toBe(bundle.sha256)
  })

  it('a task is compiled again when its tsconfig is removed, and when a config that its tsconfig extends changes', async () => {
    const folder = await folderOf({
      ...FILES,
      'task.ts': "import run from './run.tsx'\nexport default { run }\n",
      'run.tsx':
        'const h = (name: string) => name\nconst g = (name: string) => name + name\nexport default () => <a />\n',
      'base.json': '{"compilerOptions":{"jsxFactory":"h"}}',
      'tsconfig.json': '{"extends":"./base"}'
    })
    const bundle = await remembered(folder)
    await writeFile(join(folder, 'base.json'), '{"compilerOptions":{"jsxFactory":"g"}}')
    const other = await bundleTask('task.ts', { cwd: folder })
    expect(other.sha256).not.toBe(bundle.sha256)
    await rm(join(folder, 'tsconfig.json'))
    await expect(bundleTask('task.ts', { cwd: folder })).resolves.toSatisfy(
      ({ sha256 }: TaskBundle) => sha256 !== other.sha256
    )
  })

  it('a task is compiled each time if its tsconfig maps the names of imports', async () => {
    const folder = await folderOf({
      'task.ts': FILES['task.ts'].replace('./lib/index.ts', 'lib'),
      'near/lib.ts': 'export const factor = 2\n',
      'tsconfig.json': '{"compilerOptions":{"paths":{"lib":["./nearest/lib.ts","./near/lib.ts"]}}}',
      'nearest/other.ts': ''
    })
    // When another folder's bundle is cached, the files above are also old enough to be cached.
    await remembered(await folderOf(FILES))
    const bundle = await bundleTask('task.ts', { cwd: folder })
    await writeFile(join(folder, 'nearest/lib.ts'), 'export const factor = 3\n')
    expect((await bundleTask('task.ts', { cwd: folder })).sha256).not.toBe(bundle.sha256)
  })

  it('a task is compiled each time if an extended tsconfig maps the names of imports', async () => {
    const folder = await folderOf({
      'task.ts': FILES['task.ts'].replace('./lib/index.ts', 'lib'),
      'near/lib.ts': 'export const factor = 2\n',
      'base.json': '{"compilerOptions":{"paths":{"lib":["./nearest/lib.ts","./near/lib.ts"]}}}',
      'tsconfig.json': '{"extends":"./base.json"}',
      'nearest/other.ts': ''
    })
    await remembered(await folderOf(FILES))
    const bundle = await bundleTask('task.ts', { cwd: folder })
    await writeFile(join(folder, 'nearest/lib.ts'), 'export const factor = 3\n')
    expect((await bundleTask('task.ts', { cwd: folder })).sha256).not.toBe(bundle.sha256)
  })

  it('a task is compiled again when a new file matches the pattern of a dynamic import', async () => {
    const folder = await folderOf({
      'task.ts': `export default { run: async name => (await import(\`./words/\${name}/list.ts\`)).default }\n`,
      'words/en/list.ts': 'export default 1\n',
      'words/de/list.ts': 'export default 2\n'
    })
    await remembered(await folderOf(FILES))
    const bundle = await bundleTask('task.ts', { cwd: folder })
    await mkdir(join(folder, 'words/fr'))
    await writeFile(join(folder, 'words/fr/list.ts'), 'export default 3\n')
    expect((await bundleTask('task.ts', { cwd: folder })).sha256).not.toBe(bundle.sha256)
  })

  it('a task is compiled again when a symbolic link on the path to a file changes', async () => {
    const folder = await folderOf({
      'tasks/task.ts': FILES['task.ts'].replace('./lib', '../current/lib'),
      'one/lib/index.ts': 'export const factor = 1\n',
      'two/lib/index.ts': 'export const factor = 2\n'
    })
    const link = join(folder, 'current')
    await symlink('one', link)
    const bundle = await remembered(join(folder, 'tasks'))
    await rm(link)
    await symlink('two', link)
    expect((await bundleTask('task.ts', { cwd: join(folder, 'tasks') })).sha256).not.toBe(bundle.sha256)
  })

  it('a task is compiled again when a scoped package changes', async () => {
    const folder = await folderOf({
      'task.ts': FILES['task.ts'].replace('./lib/index.ts', '@own/lib'),
      'one/package.json': '{"main":"main.js"}',
      'one/main.js': 'exports.factor = 1',
      'two/package.json': '{"main":"main.js"}',
      'two/main.js': 'exports.factor = 2',
      'node_modules/@own/other.txt': ''
    })
    const link = join(folder, 'node_modules/@own/lib')
    await symlink('../../one', link)
    const bundle = await remembered(folder)
    await rm(link)
    await symlink('../../two', link)
    expect((await bundleTask('task.ts', { cwd: folder })).sha256).not.toBe(bundle.sha256)
  })

  it('a task is compiled each time if it tries to load a missing module', async () => {
    const folder = await folderOf({
      'task.ts':
        "let factor = 1\ntry { factor = require('./made/fast.cjs') } catch {}\nexport default { run: chunk => chunk * factor }\n"
    })
    await remembered(await folderOf(FILES))
    const bundle = await bundleTask('task.ts', { cwd: folder })
    await mkdir(join(folder, 'made'))
    await writeFile(join(folder, 'made/fast.cjs'), 'module.exports = 2')
    expect((await bundleTask('task.ts', { cwd: folder })).sha256).not.toBe(bundle.sha256)
  })

  it('a task is refused if the folder of an imported file has been replaced by a file', async () => {
    const folder = await folderOf(FILES)
    await remembered(folder)
    await rm(join(folder, 'lib'), { recursive: true })
    await writeFile(join(folder, 'lib'), '')
    await expect(bundleTask('task.ts', { cwd: folder })).rejects.toThrow(TaskLoadError)
  })

  it('a task with external packages is compiled each time', async () => {
    const folder = await folderOf(FILES)
    await remembered(folder)
    const options = { cwd: folder, external: ['left-pad'] }
    expect(await bundleTask('task.ts', options)).not.toBe(await bundleTask('task.ts', options))
  })
})
