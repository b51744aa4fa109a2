import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { silent } from '../../src/common/logger.ts'
import { DataDir } from '../../src/persistence/data-dir.ts'
import { LAB } from './folders.ts'

let parent: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
})

afterEach(async () => {
  await rm(parent, { recursive: true, force: true })
})

it('the stats of a data folder count its bytes, its syncs, and each time when the disk stops taking writes', async () => {
  const folder = join(parent, 'peer')
  const [error, warn] = [vi.fn(), vi.fn()]
  const dir = await DataDir.open({ folder, cluster: LAB, logger: { ...silent, error, warn } })
  const syncs = (): number => dir.stats().syncs.counts.reduce((sum, count) => sum + count, 0)
  try {
    expect(dir.stats()).toMatchObject({ bytes: 0, isWritable: true, failures: 0 })

    // Without its folder the log cannot create its first file.
    await rename(join(folder, 'log'), join(parent, 'away'))
    const failed = new Promise<void>(resolve => dir.log.onFailure(() => resolve()))
    const written = new Promise<void>(resolve => dir.log.write([{ key: 'a', value: new Uint8Array(1_000) }], resolve))
    await failed
    expect(dir.stats()).toMatchObject({ bytes: 0, isWritable: false, failures: 1 })
    expect(error).toHaveBeenCalledOnce()
    await rename(join(parent, 'away'), join(folder, 'log'))
    await written
    expect(dir.stats()).toMatchObject({ isWritable: true, failures: 1 })
    expect([error, warn].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
    const before = syncs()
    expect(before).toBeGreaterThan(0)
    expect(dir.stats().syncs.sum).toBeGreaterThan(0)

    await new Promise<void>(resolve => dir.log.write([{ key: 'a', value: undefined }], resolve))
    const { bytes, liveBytes } = dir.stats()
    expect(bytes).toBeGreaterThan(1_000)
    expect(liveBytes).toBeLessThan(100)
    expect(syncs()).toBe(before + 1)
  } finally {
    await dir.close()
  }
})
