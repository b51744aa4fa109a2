import { execFileSync } from 'node:child_process'
import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, open as openFile, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { InvalidOptionError } from '../../src/common/errors.ts'
import { clusterIdentity, generateClusterKey, parseClusterKey, replacementKey } from '../../src/network/cluster-key.ts'
import { DataDir, identityIn, inFolder } from '../../src/persistence/data-dir.ts'
import { isLocked } from '../../src/persistence/folder-lock.ts'
import { LAB, makeNewer } from './folders.ts'

let folder: string

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'p2p-worker-test-')), 'peer')
})

afterEach(async () => {
  await rm(join(folder, '..'), { recursive: true, force: true })
})

const open = (cluster = LAB) => DataDir.open({ folder, cluster })
const idOf = (dir: DataDir) => dir.privateKey.publicKey.toString()

/** Opens the data folder, runs a function with the open folder, and closes the folder. */
async function once(run: (dir: DataDir) => void | Promise<void>): Promise<void> {
  const dir = await open()
  try {
    await run(dir)
  } finally {
    await dir.close()
  }
}

describe('a data folder', () => {
  it('a new data folder has an identity that only the user can read', async () => {
    await once(() => {})
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, 'identity.key'))).mode & 0o777).toBe(0o600)
  })

  it('a reopened data folder returns the same identity', async () => {
    const ids: string[] = []
    await once(dir => void ids.push(idOf(dir)))
    await once(dir => void ids.push(idOf(dir)))
    expect(ids[0]).toBe(ids[1])
  })

  it('a data folder cannot be opened twice at the same time', async () => {
    await once(async () => {
      await expect(open()).rejects.toThrow(/another process uses the data folder/)
    })
  })

  it('a data folder stays locked after it was closed until a write that hangs has ended', async () => {
    const dir = await open()
    const close = dir.log.close.bind(dir.log)
    vi.spyOn(dir.log, 'close').mockResolvedValue(false)
    await dir.close()
    await expect(open()).rejects.toThrow(/another process uses the data folder/)
    expect(await close()).toBe(true)
    await dir.log.ended
    await vi.waitFor(async () => expect(await isLocked(folder)).toBe(false))
    await once(() => {})
  })

  it('a data folder keeps incarnation, epoch, promise, leadership and members, and the numbers never decrease', async () => {
    await once(async ({ state }) => {
      expect(state.remembered).toEqual({
        incarnation: undefined,
        epoch: 0,
        promised: undefined,
        accepted: undefined,
        addresses: [],
        members: []
      })
      void state.raise({ incarnation: 3 })
      void state.raise({ incarnation: 1 })
      void state.keepAccepted(Uint8Array.of(1, 2), 9)
      expect(await state.keepPromise({ epoch: 8, holder: 'somebody' })).toBe(true)
      state.remember(() => ({ addresses: ['/ip4/192.0.2.1/tcp/1'], members: ['somebody'] }))
      state.remember(() => ({ addresses: ['/ip4/192.0.2.2/tcp/2'], members: ['else'] }))
    })
    await once(async ({ state }) => {
      const members = { addresses: ['/ip4/192.0.2.2/tcp/2'], members: ['else'] }
      expect(state.remembered).toMatchObject({ incarnation: 3, epoch: 9, ...members })
      expect(state.promised).toEqual({ epoch: 8, holder: 'somebody' })
      expect([...state.accepted!]).toEqual([1, 2])
    })
  })

  it('a write does not wait for calls that occupy the whole thread pool of the process', async () => {
    const fifo = join(folder, 'fifo')
    const dataDir = await open()
    execFileSync('mkfifo', [fifo])
    // Each call occupies a thread of the pool until a reader opens the other end of the pipe.
    const blocked = [1, 2, 3, 4].map(() => openFile(fifo, 'w'))
    try {
      expect(await dataDir.state.raise({ incarnation: 1 })).toBe(true)
    } finally {
      const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
      for (const file of await Promise.all(blocked)) await file.close()
      closeSync(reader)
      await dataDir.close()
    }
  })

  it('a data folder cannot be opened for another cluster, and the error names the cluster of the folder', async () => {
    await once(async ({ state }) => void (await state.raise({ incarnation: 1 })))
    await expect(open({ ...LAB, name: 'office' })).rejects.toThrow(/belongs to a peer of cluster lab, not of office/)
    await once(() => {})
  })

  describe('of a cluster with a key', () => {
    const key = generateClusterKey()
    const idOf = (...keys: string[]): string => clusterIdentity('lab', keys.map(parseClusterKey)).clusterId
    const opened = async (id: string | undefined): Promise<void> => {
      const dir = await open({ name: 'lab', id })
      await dir.state.raise({ incarnation: (dir.state.remembered.incarnation ?? 0) + 1 })
      await dir.close()
    }

    it('is refused by a cluster of the same name with another key or none, and the error has the cluster id', async () => {
      await opened(idOf(key))
      for (const other of [idOf(generateClusterKey()), LAB.id]) {
        const refused = await opened(other).catch((error: unknown) => error)
        expect(refused).toBeInstanceOf(InvalidOptionError)
        expect(String(refused)).toContain(
          `${folder} belongs to a peer of another cluster lab, with another key or none`
        )
        expect(String(refused)).toContain(`if it is lost, a new key with .${idOf(key)} behind it`)
      }
      await opened(idOf(key))
    })

    it('opens with each key that has replaced the first, also if its peer was stopped meanwhile', async () => {
      const second = replacementKey('lab', key)
      const third = replacementKey('lab', second)
      await opened(idOf(key))
      await opened(idOf(second, third))
      await opened(idOf(third))
    })

    it('opens with a new key that has the cluster id behind it, when the first key is lost', async () => {
      await opened(idOf(key))
      await opened(idOf(`${generateClusterKey()}.${idOf(key)}`))
    })

    it('belongs to the first cluster of its name that uses it, if an older version wrote it', async () => {
      await opened(undefined)
      await opened(idOf(key))
      await expect(opened(idOf(generateClusterKey()))).rejects.toThrow(InvalidOptionError)
    })
  })

  it.each([
    ['not JSON', '{'],
    ['an unknown version', '{"version":0,"cluster":"lab","epoch":0,"addresses":[]}'],
    ['a negative epoch', '{"version":1,"cluster":"lab","epoch":-1,"addresses":[]}'],
    ['an incomplete promise', '{"version":1,"cluster":"lab","epoch":1,"promised":{"epoch":1},"addresses":[]}'],
    ['an invalid cluster id', '{"version":1,"cluster":"lab","clusterId":1,"epoch":1,"addresses":[]}'],
    ['an invalid address', '{"version":1,"cluster":"lab","epoch":1,"addresses":[7]}'],
    ['nothing', 'null']
  ])('a broken state file of an older version (%s) is refused by name and left unchanged', async (_, text) => {
    await mkdir(folder)
    const file = join(folder, 'state.json')
    await writeFile(file, text)
    await expect(open()).rejects.toThrow(InvalidOptionError)
    await expect(open()).rejects.toThrow(/state\.json is broken.*remove it/)
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('a state file of a newer version is refused and left unchanged', async () => {
    await mkdir(folder)
    const file = join(folder, 'state.json')
    const text = '{"version":2,"cluster":"lab","epoch":0,"addresses":[]}'
    await writeFile(file, text)
    await expect(open()).rejects.toThrow(/a newer version of p2p-worker wrote .*state\.json: use that version again/)
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('a data folder takes over the state file of an older version, and removes it', async () => {
    await mkdir(folder)
    const promised = { epoch: 5, holder: 'somebody' }
    const state = { incarnation: 2, epoch: 7, promised, accepted: 'AQI=', addresses: ['/ip4/192.0.2.1/tcp/1'] }
    const file = join(folder, 'state.json')
    await writeFile(file, JSON.stringify({ version: 1, cluster: 'lab', ...state }))
    await once(dir => expect(dir.state.remembered).toEqual({ ...state, members: [] }))
    expect(existsSync(file)).toBe(false)
    await once(dir => expect(dir.state.remembered).toEqual({ ...state, members: [] }))
  })

  it('a data folder that a newer version wrote is refused, and left unchanged', async () => {
    await once(async ({ state }) => void (await state.raise({ incarnation: 1 })))
    const [[file, log] = []] = await makeNewer(folder)
    const newer = await readFile(file!)
    await expect(open()).rejects.toThrow(InvalidOptionError)
    await expect(open()).rejects.toThrow(/a newer version of p2p-worker wrote the data folder.*use that version again/)
    expect(Buffer.compare(await readFile(file!), newer)).toBe(0)
    await writeFile(file!, log!)
    await once(dir => expect(dir.state.remembered.incarnation).toBe(1))
  })

  it('an identity of which any byte is damaged is refused', async () => {
    await once(() => {})
    const file = join(folder, 'identity.key')
    const whole = await readFile(file)
    const dir = await open()
    const id = idOf(dir)
    await dir.close()
    // The last byte is the end of the line.
    for (let at = 0; at < whole.byteLength - 1; at++) {
      const damaged = Buffer.from(whole)
      damaged[at]! ^= 1
      await writeFile(file, damaged)
      const found = await identityIn(folder).then(
        key => key.publicKey.toString(),
        (error: unknown) => error
      )
      // Bits that no byte of the key has may change.
      if (found !== id)
        expect(found).toMatchObject({ message: expect.stringMatching(/identity\.key holds no identity/) })
    }
  })

  it('an identity that is broken or open to all users is refused and left unchanged', async () => {
    await once(() => {})
    const file = join(folder, 'identity.key')
    const text = await readFile(file, 'utf8')
    await chmod(file, 0o644)
    await expect(open()).rejects.toThrow(/identity\.key is open to all users .*chmod 600/)
    await chmod(file, 0o600)
    await writeFile(file, text.slice(0, 20))
    await expect(open()).rejects.toThrow(/identity\.key holds no identity/)
    await writeFile(file, text)
    await once(() => {})
  })

  it.each([
    ['EACCES', 'make it writable'],
    ['EROFS', 'make it writable'],
    ['ENOSPC', 'make room there'],
    ['EDQUOT', 'make room there']
  ])('the error of a folder that fails with %s says what to do', async (code, advice) => {
    const failing = inFolder(folder, async () => {
      throw Object.assign(new Error(`${code}: that does not work`), { code })
    })
    await expect(failing).rejects.toBeInstanceOf(InvalidOptionError)
    await expect(failing).rejects.toThrow(
      `the data folder ${folder} cannot be used: ${code}: that does not work; ${advice}`
    )
  })

  it('a path that is not a folder is refused', async () => {
    await writeFile(folder, 'a file')
    await expect(open()).rejects.toThrow(/the data folder .* cannot be used/)
  })
})
