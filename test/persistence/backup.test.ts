import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InvalidOptionError, P2pWorkerError } from '../../src/common/errors.ts'
import { backUp } from '../../src/persistence/backup.ts'
import { DataDir } from '../../src/persistence/data-dir.ts'
import { LAB, makeNewer } from './folders.ts'

let parent: string
let folder: string
let target: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  folder = join(parent, 'peer')
  target = join(parent, 'copy')
})

afterEach(() => rm(parent, { recursive: true, force: true }))

const open = (path: string): Promise<DataDir> => DataDir.open({ folder: path, cluster: LAB })
const never = new AbortController().signal
const content = (): Uint8Array => new Uint8Array(100_000).fill(7)
const written = (dir: DataDir, key: string): Promise<void> =>
  new Promise(resolve => dir.log.write([{ key, value: Buffer.from(key), contents: [content()] }], resolve))

async function once<Result>(path: string, use: (dir: DataDir) => Promise<Result>): Promise<Result> {
  const dir = await open(path)
  try {
    return await use(dir)
  } finally {
    await dir.close()
  }
}

async function keysIn(dir: DataDir): Promise<string[]> {
  const keys: string[] = []
  for await (const values of dir.log.values()) {
    for (const [key, { contents }] of values) {
      expect(Buffer.compare(contents[0]!, content())).toBe(0)
      keys.push(key)
    }
  }
  return keys.sort()
}

describe('a backup', () => {
  it('a backup of a folder in use has its identity, its state and all that was synced, and is opened as a copy whose original may have gone on', async () => {
    const id = await once(folder, async dir => {
      await dir.state.raise({ incarnation: 4 })
      await writeFile(join(folder, 'http-token'), 'secret', { mode: 0o600 })
      await written(dir, 'a')
      await written(dir, 'b')
      const report = await backUp(folder, target, never)
      expect(report).toMatchObject({ cluster: LAB, entries: 2, lost: 0 })
      await written(dir, 'later')
      return dir.privateKey.publicKey.toString()
    })
    expect(await readFile(join(target, 'http-token'), 'utf8')).toBe('secret')
    expect((await readdir(target)).filter(name => name.startsWith('lock'))).toEqual([])
    for (const path of [target, join(target, 'identity.key'), join(target, 'http-token')])
      expect((await stat(path)).mode & 0o077).toBe(0)
    await once(target, async dir => {
      expect(dir.privateKey.publicKey.toString()).toBe(id)
      expect(dir.state.remembered.incarnation).toBe(4)
      expect(dir.log.damage).toEqual({ damaged: 0, isCut: true })
      expect(await keysIn(dir)).toEqual(['a', 'b'])
    })
    await once(folder, async dir => expect(await keysIn(dir)).toEqual(['a', 'b', 'later']))
  })

  it('a folder of an older version and one that no process uses can be copied, too', async () => {
    await once(folder, async () => {})
    await rm(join(folder, 'log'), { recursive: true })
    const state = '{"version":1,"cluster":"lab","incarnation":3,"epoch":0,"addresses":[]}'
    await writeFile(join(folder, 'state.json'), state)
    await backUp(folder, target, never)
    expect(await readFile(join(folder, 'state.json'), 'utf8')).toBe(state)
    await once(target, async dir => expect(dir.state.remembered.incarnation).toBe(3))
  })

  it.each([
    [
      'a folder with files',
      /no empty folder/,
      async () => {
        await mkdir(target)
        await writeFile(join(target, 'mine'), '')
      }
    ],
    ['a file', /no empty folder/, async () => writeFile(target, '')],
    [
      'a folder below the data folder',
      /in the data folder itself/,
      async () => {
        target = join(folder, 'copy')
      }
    ],
    [
      'a folder in one that does not exist',
      /cannot be written: ENOENT/,
      async () => {
        target = join(parent, 'missing', 'copy')
      }
    ]
  ])('%s is refused as the target, and left unchanged', async (_, message, prepare) => {
    await once(folder, async () => {})
    await prepare()
    const before = await readdir(parent, { recursive: true })
    const error = await backUp(folder, target, never).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(InvalidOptionError)
    expect((error as Error).message).toMatch(message)
    expect(await readdir(parent, { recursive: true })).toEqual(before)
  })

  it('an empty folder is taken as the target', async () => {
    await once(folder, async () => {})
    await mkdir(target)
    await backUp(folder, target, never)
    await once(target, async () => {})
  })

  it('a folder without an identity is not copied', async () => {
    await mkdir(folder)
    await expect(backUp(folder, target, never)).rejects.toThrow(/holds no identity of a peer/)
    await expect(backUp(join(parent, 'missing'), target, never)).rejects.toThrow(/holds no identity of a peer/)
  })

  it('a folder that a newer version wrote is not copied, and the error says to use that version', async () => {
    await once(folder, dir => written(dir, 'a'))
    await makeNewer(folder)
    const refused = await backUp(folder, target, never).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(InvalidOptionError)
    expect(String(refused)).toMatch(/a newer version of p2p-worker wrote the data folder.*use that version again/)
    expect(await readdir(parent)).toEqual(['peer'])
  })

  it('a damaged folder is not copied, and an aborted backup leaves nothing', async () => {
    await once(folder, async dir => {
      await written(dir, 'a')
      const aborted = AbortSignal.abort(new Error('enough'))
      await expect(backUp(folder, target, aborted)).rejects.toThrow('enough')
    })
    for (const name of await readdir(join(folder, 'log'))) {
      const file = join(folder, 'log', name)
      const bytes = await readFile(file)
      const at = bytes.indexOf(content().subarray(0, 1_000))
      if (at >= 0) bytes[at] = 8
      await writeFile(file, bytes)
    }
    await expect(backUp(folder, target, never)).rejects.toBeInstanceOf(P2pWorkerError)
    await expect(backUp(folder, target, never)).rejects.toThrow(/is damaged: 1 values cannot be read/)
    expect(await readdir(parent)).toEqual(['peer'])
  })

  it('a folder whose damage is old is copied once what it lost was found again', async () => {
    await once(folder, async dir => {
      await written(dir, 'a')
      await written(dir, 'b')
    })
    const file = join(folder, 'log', '00000001.log')
    const bytes = await readFile(file)
    // In the list of its contents.
    bytes[bytes.indexOf('v/a') + 10]! ^= 1
    await writeFile(file, bytes)
    await once(folder, async () => {})
    await expect(backUp(folder, target, never)).rejects.toThrow(/is damaged: 1 values cannot be read/)
    await once(folder, async ({ log }) => {
      log.setLost('entries', false)
      log.setLost('promises', false)
    })
    expect(await backUp(folder, target, never)).toMatchObject({ entries: 1, damage: { damaged: 1 } })
  })
})
