import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { LocalCluster } from '../../../src/cli/demo/local-cluster.ts'
import { ownerOf } from '../../../src/persistence/folder-lock.ts'
import { removeStaleFolders } from '../../../src/persistence/temporary-folder.ts'
import { folderOf } from '../../tasks/helpers.ts'

/** Starts a cluster whose temporary files are in a folder of the test. */
async function clusterIn(parent: string): Promise<LocalCluster> {
  const before = process.env.TMPDIR
  process.env.TMPDIR = parent
  try {
    return await LocalCluster.create()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

it('the folder of a running demo has a living owner, and is not removed as a stale folder', async () => {
  const parent = await folderOf({})
  const cluster = await clusterIn(parent)
  onTestFinished(() => cluster.stop())
  const [folder] = await readdir(parent)
  expect(await ownerOf(join(parent, folder!))).toBe('living')
  await removeStaleFolders(parent)
  expect(await readdir(parent)).toEqual([folder])
})

it('a demo that stops leaves no folder, lock or listener behind', async () => {
  const parent = await folderOf({})
  const listeners = process.listenerCount('exit')
  const cluster = await clusterIn(parent)
  expect(process.listenerCount('exit')).toBeGreaterThan(listeners)
  await cluster.stop()
  expect(await readdir(parent)).toEqual([])
  expect(process.listenerCount('exit')).toBe(listeners)
})
