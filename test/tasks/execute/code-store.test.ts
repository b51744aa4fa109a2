import { spawnSync } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { InvalidMessageError, MessageTooLargeError, P2pWorkerError, StoppedError } from '../../../src/common/errors.ts'
import { CodeStore, codeHash } from '../../../src/tasks/execute/code-store.ts'
import { folderOf } from '../helpers.ts'

const codeOf = (size: number, fill: number) => new Uint8Array(size).fill(fill)

async function storeOf(maxBytes?: number) {
  const parent = await folderOf({})
  const store = new CodeStore({ parent, maxBytes })
  onTestFinished(() => store.stop())
  const put = async (code: Uint8Array) => {
    await store.put(codeHash(code), code)
    return codeHash(code)
  }
  return { store, parent, put }
}

describe('the code store', () => {
  it('the code store keeps a bundle in a private folder, and removes the folder when it stops', async () => {
    const { store, parent, put } = await storeOf()
    expect(await readdir(parent)).toEqual([])
    const sha256 = await put(codeOf(10, 1))
    const { file } = store.lease(sha256)
    expect(Uint8Array.from(await readFile(file))).toEqual(codeOf(10, 1))
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700)
    expect(Uint8Array.from((await store.read(sha256)) as Uint8Array)).toEqual(codeOf(10, 1))
    await store.stop()
    expect(await readdir(parent)).toEqual([])
    await expect(store.put(sha256, codeOf(10, 1))).rejects.toThrow(StoppedError)
  })

  it('the code store refuses code whose hash differs from the given hash', async () => {
    const { store } = await storeOf()
    await expect(store.put(codeHash(codeOf(1, 1)), codeOf(1, 2))).rejects.toThrow(InvalidMessageError)
    expect(store.has(codeHash(codeOf(1, 1)))).toBe(false)
    expect(await store.read('0'.repeat(64))).toBeUndefined()
    expect(() => store.lease('0'.repeat(64))).toThrow(P2pWorkerError)
  })

  it('a full code store evicts the least recently used bundle, but never a bundle in use', async () => {
    const { store, put } = await storeOf(30)
    const [first, second, third] = [await put(codeOf(10, 1)), await put(codeOf(10, 2)), await put(codeOf(10, 3))]
    const lease = store.lease(second as string)
    await store.read(first as string)
    // From the least to the most recently used, the bundles are now the third, the second (in use) and the first.
    const fourth = await put(codeOf(10, 4))
    expect([first, second, third, fourth].map(sha256 => store.has(sha256 as string))).toEqual([true, true, false, true])
    const fifth = await put(codeOf(20, 5))
    expect([first, second, fourth, fifth].map(sha256 => store.has(sha256 as string))).toEqual([
      false,
      true,
      false,
      true
    ])
    const files = (await readdir(dirname(lease.file))).filter(name => name.endsWith('.mjs'))
    expect(files).toEqual([`${second}.mjs`, `${fifth}.mjs`].sort())
    expect(store.bytes).toBe(30)

    await expect(put(codeOf(21, 6))).rejects.toThrow(MessageTooLargeError)
    lease.release()
    await put(codeOf(21, 6))
    expect(store.bytes).toBe(21)
  })

  it('the code store accepts the same bundle from many callers at once', async () => {
    const { store, put } = await storeOf()
    await Promise.all([put(codeOf(10, 1)), put(codeOf(10, 1)), put(codeOf(10, 1))])
    expect(store.bytes).toBe(10)
  })

  it('the code store removes its folder when the process exits, even if the store was not stopped', async () => {
    const parent = await folderOf({})
    const module = new URL('../../../dist/tasks/execute/code-store.js', import.meta.url).href
    const script = `
      import { CodeStore, codeHash } from ${JSON.stringify(module)}
      const code = new Uint8Array(5)
      const store = new CodeStore({ parent: ${JSON.stringify(parent)} })
      await store.put(codeHash(code), code)
      process.exit(store.has(codeHash(code)) ? 0 : 1)`
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', script]).status).toBe(0)
    expect(await readdir(parent)).toEqual([])
  })
})
