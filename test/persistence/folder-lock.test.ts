import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder } from '../../src/persistence/folder-lock.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

/** A process that takes the folder (as the built package does it), says so, and lives on. */
const built = new URL('../../dist/persistence/folder-lock.js', import.meta.url).href
const holder = `
const { lockFolder } = await import(${JSON.stringify(built)})
try { await lockFolder(process.argv[1]) } catch (error) { console.log(error.name); process.exit() }
console.log('taken')
setInterval(() => {}, 1000)
`
const args = ['--input-type=module', '--eval', holder]

test('a folder is one process’s at a time, and free again when that one gives it up', async () => {
  const lock = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toThrow(/another process uses the data folder .*end it first/)
  await lock.release()
  expect(await readdir(folder)).toEqual([])
  await (await lockFolder(folder)).release()
})

test('a process that was killed holds nothing, and one that is stopped does', async () => {
  const child = spawn(process.execPath, [...args, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  await expect(lockFolder(folder)).rejects.toThrow(/another process/)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const lock = await lockFolder(folder)
  await lock.release()
  expect(await readdir(folder)).toEqual([])
})

test('of many that take what a killed process left, one gets it', async () => {
  const dead = createServer()
  await new Promise<void>(resolve => dead.listen(join(folder, 'x'), resolve))
  // The name of a socket at which nobody answers any more: closing removes only the name that it was bound to.
  await rename(join(folder, 'x'), join(folder, 'lock'))
  await new Promise(resolve => dead.close(resolve))
  const takers = Array.from({ length: 8 }, () =>
    spawn(process.execPath, [...args, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  )
  try {
    const said = await Promise.all(takers.map(async child => String((await once(child.stdout, 'data'))[0]).trim()))
    expect(said.toSorted()).toEqual([...Array(7).fill('InvalidOptionError'), 'taken'])
  } finally {
    for (const child of takers) child.kill('SIGKILL')
  }
})

test('who was put aside by mistake gets the folder back from the next one that tries', async () => {
  const lock = await lockFolder(folder)
  // As a process does that found a dead one’s lock, and was overtaken by this one.
  await rename(join(folder, 'lock'), join(folder, 'lock.0123456789ab.old'))
  await expect(lockFolder(folder)).rejects.toThrow(/another process/)
  expect(await readdir(folder)).toEqual(['lock'])
  await lock.release()
  expect(await readdir(folder)).toEqual([])
})

test('a folder whose path is longer than a socket’s may be works as well', async () => {
  const deep = join(folder, 'd'.repeat(100), 'e'.repeat(100))
  await mkdir(deep, { recursive: true })
  const lock = await lockFolder(deep)
  await expect(lockFolder(deep)).rejects.toThrow(/another process/)
  await lock.release()
  expect(await readdir(deep)).toEqual([])
})

test('a lock does not keep its process alive', async () => {
  const script = `const { lockFolder } = await import(${JSON.stringify(built)}); await lockFolder(process.argv[1])`
  const run = promisify(execFile)
  await run(process.execPath, ['--input-type=module', '--eval', script, folder], { timeout: 20_000 })
  await (await lockFolder(folder)).release()
})
