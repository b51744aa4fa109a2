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

/**
 * The script of a process that tries to lock the folder with the built package. With the lock, the process prints
 * `taken` and stays alive; otherwise it prints the name of the error and exits.
 */
const built = new URL('../../dist/persistence/folder-lock.js', import.meta.url).href
const holder = `
const { lockFolder } = await import(${JSON.stringify(built)})
try { await lockFolder(process.argv[1]) } catch (error) { console.log(error.name); process.exit() }
console.log('taken')
setInterval(() => {}, 1000)
`
const args = ['--input-type=module', '--eval', holder]

test('a locked folder cannot be locked again until the owner releases the lock', async () => {
  const lock = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toThrow(/another process uses the data folder .*end it first/)
  await lock.release()
  await (await lockFolder(folder)).release()
  // The folder contains one lock file, not one for each attempt.
  expect(await readdir(folder)).toEqual(['lock.2'])
})

test('a killed process loses its lock, and a stopped (SIGSTOP) process keeps it', async () => {
  const child = spawn(process.execPath, [...args, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  await expect(lockFolder(folder)).rejects.toThrow(/another process/)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await (await lockFolder(folder)).release()
  expect(await readdir(folder)).toEqual(['lock.2'])
})

/** Leaves a socket file without a listener. Closing the server removes only the name that the socket was bound to. */
async function leaveDead(name: string): Promise<void> {
  const dead = createServer()
  await new Promise<void>(resolve => dead.listen(join(folder, 'bound'), resolve))
  await rename(join(folder, 'bound'), join(folder, name))
  await new Promise(resolve => dead.close(resolve))
}

test.each([1, 2, 3, 4, 5])('exactly one of many processes gets the lock of a dead process (%i)', async () => {
  await leaveDead('lock.7')
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

test('exactly one of many concurrent calls in one process gets the lock, in each of 300 rounds', async () => {
  for (let round = 0; round < 300; round++) {
    // Every second round uses a new folder.
    const wanted = round % 2 === 0 ? await mkdtemp(join(folder, 'new-')) : folder
    const tried = await Promise.allSettled(Array.from({ length: 10 }, () => lockFolder(wanted)))
    const locks = tried.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
    expect(locks).toHaveLength(1)
    for (const lock of locks) await lock.release()
  }
})

test('the owner of a lock removes the drafts of processes that ended while they tried to get the lock', async () => {
  await leaveDead('lock.3')
  await leaveDead('lock.0123456789ab.new')
  await (await lockFolder(folder)).release()
  expect(await readdir(folder)).toEqual(['lock.4'])
})

test('a folder can be locked even if its path is longer than a socket’s path may be', async () => {
  const deep = join(folder, 'd'.repeat(100), 'e'.repeat(100))
  await mkdir(deep, { recursive: true })
  const lock = await lockFolder(deep)
  await expect(lockFolder(deep)).rejects.toThrow(/another process/)
  await lock.release()
  expect(await readdir(deep)).toEqual(['lock.1'])
})

test('a lock does not keep its process alive', async () => {
  const script = `const { lockFolder } = await import(${JSON.stringify(built)}); await lockFolder(process.argv[1])`
  const run = promisify(execFile)
  await run(process.execPath, ['--input-type=module', '--eval', script, folder], { timeout: 20_000 })
  await (await lockFolder(folder)).release()
})
