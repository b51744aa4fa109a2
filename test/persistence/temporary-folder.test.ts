import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FOLDER_PREFIX, makeTemporaryFolder, removeStaleFolders } from '../../src/persistence/temporary-folder.ts'
import { needs } from '../needs.ts'
import { folderOf } from '../tasks/helpers.ts'
import { CONTAINER } from '../tools.ts'

const built = new URL('../../dist/persistence/temporary-folder.js', import.meta.url).href
/**
 * The script of a process that removes stale folders, makes a folder of its own, prints its process id and the path of
 * this folder, and stays alive.
 */
const OWNER = `
const { makeTemporaryFolder, removeStaleFolders } = await import(${JSON.stringify(built)})
await removeStaleFolders(process.argv[1])
const { path } = await makeTemporaryFolder(process.argv[1])
console.log(process.pid + ' ' + path)
setInterval(() => {}, 1000)
`

interface Owner {
  pid: number
  folder: string
  kill(): Promise<void>
}

/** @param pidOf - the process id of the owner, whose end also ends the child */
async function ownerOf(child: ChildProcess, pidOf: () => number): Promise<Owner> {
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    process.kill(pidOf(), 'SIGKILL')
    await ended
  }
  onTestFinished(kill)
  const [data] = await once(child.stdout!, 'data')
  const [, pid, folder] = /^(\d+) (.+)\n$/.exec(String(data))!
  return { pid: Number(pid), folder: basename(folder!), kill }
}

const nodeArguments = (parent: string): string[] => ['--input-type=module', '--eval', OWNER, parent]

/** Starts an owner in this process's PID namespace. */
function start(parent: string): Promise<Owner> {
  const child = spawn(process.execPath, nodeArguments(parent), { stdio: ['ignore', 'pipe', 'inherit'] })
  return ownerOf(child, () => child.pid!)
}

/**
 * Starts an owner as the first process of a container, with a separate PID namespace and host name. Killing the owner
 * ends the container.
 */
function startIn(host: string, parent: string): Promise<Owner> {
  const script = `hostname ${host} && exec "$@"`
  const command = ['sh', '-c', script, 'sh', process.execPath, ...nodeArguments(parent)]
  const child = spawn('unshare', [...CONTAINER, ...command], { stdio: ['ignore', 'pipe', 'ignore'] })
  // The child reaps the owner, so once the child has ended, the owner has no file open.
  return ownerOf(child, () => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')))
}

describe('temporary folders of dead processes', () => {
  it('the next process removes the folder of a dead process, and no other folder', async () => {
    const parent = await folderOf({})
    const own = await makeTemporaryFolder(parent)
    onTestFinished(() => own.release())
    const [dead, living] = [await start(parent), await start(parent)]
    await dead.kill()
    const { pid } = spawnSync(process.execPath, ['-e', '0'])
    const [boot, host, space] = FOLDER_PREFIX.split('-').slice(3) as [string, string, string]
    const withoutLock = `p2p-worker-code-${boot}-${host}-${space}-${pid}-abcdef`
    const notYetLocked = [
      `${FOLDER_PREFIX}abcdef`,
      `p2p-worker-code-${boot}-${host}-00000000-${pid}-abcdef`,
      `p2p-worker-code-00000000-00000000-${space}-${pid}-abcdef`
    ]
    for (const name of [withoutLock, ...notYetLocked, 'unrelated']) await mkdir(join(parent, name))
    await removeStaleFolders(parent)
    const left = [basename(own.path), living.folder, ...notYetLocked, 'unrelated']
    expect((await readdir(parent)).sort()).toEqual(left.sort())
  })

  it('the next process removes the folder of a dead process even if a living process has the same process id', async () => {
    const parent = await folderOf({})
    const dead = await start(parent)
    await dead.kill()
    await rename(join(parent, dead.folder), join(parent, `${FOLDER_PREFIX}abcdef`))
    await removeStaleFolders(parent)
    expect(await readdir(parent)).toEqual([])
  })

  it('a process keeps the temporary folder of another machine on the same file system', async () => {
    const parent = await folderOf({})
    const dead = await start(parent)
    await dead.kill()
    const elsewhere = dead.folder.replace(/code-\w+-\w+/, 'code-00000000-00000000')
    await rename(join(parent, dead.folder), join(parent, elsewhere))
    await removeStaleFolders(parent)
    expect(await readdir(parent)).toEqual([elsewhere])
  })
})

needs('containers').describe('a container that shares the folder of temporary files', () => {
  it.each([
    ['a restarted container', 'first', 'first'],
    ['another container', 'first', 'second']
  ])('a container removes the folder of a killed process with the same process id (%s)', async (_, before, after) => {
    const parent = await folderOf({})
    const dead = await startIn(before, parent)
    await dead.kill()
    expect(await readdir(parent)).toEqual([dead.folder])
    const next = await startIn(after, parent)
    expect(next.pid).toBe(dead.pid)
    expect(await readdir(parent)).toEqual([next.folder])
  })

  it('a container keeps the folders of living processes of other containers', async () => {
    const parent = await folderOf({})
    const owners = [await startIn('first', parent), await startIn('second', parent), await start(parent)]
    await removeStaleFolders(parent)
    expect((await readdir(parent)).sort()).toEqual(owners.map(({ folder }) => folder).sort())
  })
})
