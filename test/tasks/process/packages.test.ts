import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { InvalidOptionError } from '../../../src/common/errors.ts'
import { DEFAULT_LIMITS } from '../../../src/common/limits.ts'
import { bundleTask } from '../../../src/tasks/bundle/bundle.ts'
import { packageFolders } from '../../../src/tasks/process/package-folders.ts'
import { TaskProcesses } from '../../../src/tasks/process/task-processes.ts'
import { folderOf } from '../helpers.ts'
import { isolatedExecutor, outcomeOf } from './isolated.ts'

const TASK = `import { greet } from 'greeter'
export default { run: (chunk: string) => greet(chunk) }`

async function userFolder(): Promise<string> {
  return await folderOf({
    'node_modules/greeter/package.json': '{ "name": "greeter", "version": "1.0.0", "main": "index.cjs" }',
    'node_modules/greeter/index.cjs': "exports.greet = name => require('./words.json').hello + name",
    'node_modules/greeter/words.json': '{ "hello": "hello " }',
    'secret.txt': 'secret',
    'task.ts': TASK,
    'nosy.ts': `import { readFileSync } from 'node:fs'
import 'greeter'
export default { run: (file: string) => readFileSync(file, 'utf8') }`
  })
}

it('a task can read the packages that the peer offers, but no file beside these packages', async () => {
  const folder = await userFolder()
  const external = ['greeter']
  const [task, nosy] = await Promise.all(
    ['task.ts', 'nosy.ts'].map(name => bundleTask(join(folder, name), { external, cwd: folder }))
  )
  const executor = await isolatedExecutor([task!, nosy!], { external, cwd: folder })
  expect(await outcomeOf(executor, task!, 'you')).toEqual({ partial: 'hello you', error: undefined })
  const { error } = await outcomeOf(executor, nosy!, join(folder, 'secret.txt'))
  expect(error?.message).toContain('restricted')
  expect(error?.message).toContain('this peer runs tasks under --isolation process')
})

it('a task can read the dependencies of an offered package, but no other folders, not even through a link', async () => {
  const folder = await folderOf({
    'node_modules/greeter/package.json': '{ "name": "greeter", "main": "index.cjs", "dependencies": { "words": "1" } }',
    'node_modules/greeter/index.cjs': "exports.greet = name => require('words') + name",
    'node_modules/words/package.json': '{ "name": "words", "main": "index.cjs" }',
    'node_modules/words/index.cjs': "module.exports = 'hello '",
    'node_modules/other/index.cjs': "module.exports = 'other'",
    'elsewhere/secret.cjs': "module.exports = 'secret'",
    'task.ts': TASK,
    'nosy.ts': `import { createRequire } from 'node:module'
import 'greeter'
export default { run: (file: string) => createRequire(file)(file) }`
  })
  await symlink(join(folder, 'elsewhere'), join(folder, 'node_modules', 'linked'))
  await symlink(join(folder, 'elsewhere'), join(folder, 'node_modules', 'greeter', 'linked'))
  expect(packageFolders('greeter', folder)).toEqual(
    ['greeter', 'words'].map(name => join(folder, 'node_modules', name))
  )
  const external = ['greeter']
  const [task, nosy] = await Promise.all(
    ['task.ts', 'nosy.ts'].map(name => bundleTask(join(folder, name), { external, cwd: folder }))
  )
  const executor = await isolatedExecutor([task!, nosy!], { external, cwd: folder })
  expect((await outcomeOf(executor, task!, 'you')).partial).toBe('hello you')
  for (const file of ['node_modules/other/index.cjs', 'node_modules/linked/secret.cjs', 'elsewhere/secret.cjs'])
    expect((await outcomeOf(executor, nosy!, join(folder, file))).error?.message).toContain('restricted')
})

it('isolation refuses a folder whose name the permission model would misread', () => {
  const isolation = { limits: DEFAULT_LIMITS, environment: [] }
  const settings = { external: ['greeter'], cwd: '/srv/a,b', lenient: false }
  expect(() => new TaskProcesses({ settings, maxHeapMb: undefined, isolation })).toThrow(InvalidOptionError)
})
