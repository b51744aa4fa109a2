import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bareEnvironment, cli } from './process.ts'

/** Node 22.1 and later have a compile cache. */
const CAN_CACHE = 'enableCompileCache' in module

let folder: string
const kept = (): string => join(folder, 'node-compile-cache')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

async function version(more: NodeJS.ProcessEnv = {}): Promise<void> {
  expect(await cli(['--version'], bareEnvironment(folder, { TMPDIR: folder, ...more }))).toMatchObject({ code: 0 })
}

describe('the cache of compiled code', () => {
  it('a command keeps a compile cache in a folder that only the user can write, if Node supports the cache', async () => {
    await version()
    expect(await readdir(folder)).toEqual(CAN_CACHE ? ['node-compile-cache'] : [])
    if (!CAN_CACHE) return
    expect((await readdir(kept())).length).toBe(1)
    expect((await stat(kept())).mode & 0o022).toBe(0)
  })

  it('a command writes no compile cache to a folder that other users can write', async () => {
    await mkdir(kept())
    await chmod(kept(), 0o777)
    await version()
    expect(await readdir(kept())).toEqual([])
  })

  it('a command writes no compile cache with NODE_DISABLE_COMPILE_CACHE=1', async () => {
    await mkdir(kept(), { mode: 0o755 })
    await version({ NODE_DISABLE_COMPILE_CACHE: '1' })
    expect(await readdir(kept())).toEqual([])
  })
})
