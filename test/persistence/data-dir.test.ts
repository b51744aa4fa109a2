import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, open as openFile, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { InvalidOptionError } from '../../src/common/errors.ts'
import { DataDir } from '../../src/persistence/data-dir.ts'

let folder: string

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'p2p-worker-test-')), 'peer')
})

afterEach(async () => {
  vi.useRealTimers()
  await rm(join(folder, '..'), { recursive: true, force: true })
})

const open = (cluster = 'lab') => DataDir.open({ folder, cluster })
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

  it('a data folder keeps incarnation, epoch, promise, leadership and addresses, and the numbers never decrease', async () => {
    await once(async ({ state }) => {
      expect(state.remembered).toEqual({
        incarnation: undefined,
        epoch: 0,
        promised: undefined,
        accepted: undefined,
        addresses: []
      })
      void state.raise({ incarnation: 3 })
      void state.raise({ incarnation: 1 })
      void state.keepAccepted(Uint8Array.of(1, 2), 9)
      expect(await state.keepPromise({ epoch: 8, holder: 'somebody' })).toBe(true)
      state.remember(() => ['/ip4/192.0.2.1/tcp/1'])
      state.remember(() => ['/ip4/192.0.2.2/tcp/2'])
    })
    await once(async ({ state }) => {
      expect(state.remembered).toMatchObject({ incarnation: 3, epoch: 9, addresses: ['/ip4/192.0.2.2/tcp/2'] })
      expect(state.promised).toEqual({ epoch: 8, holder: 'somebody' })
      expect([...state.accepted!]).toEqual([1, 2])
    })
  })

  it('keepPromise() resolves with false if the promise cannot be written', async () => {
    const dataDir = await open()
    await dataDir.close()
    expect(await dataDir.state.keepPromise({ epoch: 3, holder: 'somebody' })).toBe(false)
    expect(dataDir.state.promised).toBeUndefined()
  })

  it('failed writes of a state file are logged one time and retried, and then the file contains the newest state', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const said: string[] = []
    const say = (_: object, message: string): void => void said.push(message)
    const logger = { debug: say, info: say, warn: say, error: say }
    const dataDir = await DataDir.open({ folder, cluster: 'lab', logger })
    const { state } = dataDir
    const writable: boolean[] = []
    state.onWritable(now => writable.push(now))
    await state.raise({ incarnation: 1 })
    // A folder in place of the draft file makes the write fail, even for root.
    await mkdir(join(folder, 'state.json.tmp', 'x'), { recursive: true })
    const raised = state.raise({ incarnation: 2 })
    expect(await state.keepPromise({ epoch: 3, holder: 'somebody' })).toBe(false)
    expect(await raised).toBe(false)
    vi.advanceTimersByTime(2_000)
    // The next write waits for the write that the timer started.
    expect(await state.raise({ incarnation: 3 })).toBe(false)
    expect({ writable, said, now: state.writable }).toEqual({
      writable: [false],
      said: [expect.stringContaining('cannot be written')],
      now: false
    })
    await rm(join(folder, 'state.json.tmp'), { recursive: true })
    const again = new Promise<void>(resolve => state.onWritable(now => now && resolve()))
    vi.advanceTimersByTime(2_000)
    await again
    expect({ writable, now: state.writable }).toEqual({ writable: [false, true], now: true })
    expect(said[1]).toContain('can be written again')
    expect(JSON.parse(await readFile(join(folder, 'state.json'), 'utf8'))).toMatchObject({ incarnation: 3, epoch: 0 })
    await dataDir.close()
  })

  it('an epoch is on disk when keepAccepted() resolves', async () => {
    await once(async ({ state }) => {
      await state.keepAccepted(Uint8Array.of(1), 5)
      expect(JSON.parse(await readFile(join(folder, 'state.json'), 'utf8'))).toMatchObject({ epoch: 5, cluster: 'lab' })
    })
  })

  it('the next write of a state file contains all changes that arrive during the present write', async () => {
    await once(async ({ state }) => {
      const ends: string[] = []
      const first = state.raise({ incarnation: 1 }).then(() => ends.push('first'))
      await Promise.resolve()
      const others = [5, 6, 7].map(epoch =>
        state.keepAccepted(Uint8Array.of(epoch), epoch).then(() => ends.push('others'))
      )
      await Promise.all([first, ...others])
      expect(ends).toEqual(['first', 'others', 'others', 'others'])
      expect(JSON.parse(await readFile(join(folder, 'state.json'), 'utf8'))).toMatchObject({ incarnation: 1, epoch: 7 })
    })
  })

  it('a write that hangs counts as failed after a second, and close() does not wait for it', async () => {
    const dataDir = await open()
    const { state } = dataDir
    // No process reads from this pipe, so the thread that opens the pipe for writing waits.
    const fifo = join(folder, 'state.json.tmp')
    execFileSync('mkfifo', [fifo])
    expect(await state.keepPromise({ epoch: 3, holder: 'somebody' })).toBe(false)
    expect(state.writable).toBe(false)
    expect(await state.raise({ incarnation: 1 }), 'the next one fails at once').toBe(false)
    await dataDir.close()
    closeSync(openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK))
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

  it('an error of a listener does not prevent later writes of the state file', async () => {
    const errors: unknown[] = []
    const listen = (error: unknown): void => void errors.push(error)
    const others = process.rawListeners('uncaughtException') as Array<(error: Error) => void>
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', listen)
    try {
      const dataDir = await open()
      dataDir.state.onWritable(() => {
        throw new Error('not my day')
      })
      await mkdir(join(folder, 'state.json.tmp', 'x'), { recursive: true })
      expect(await dataDir.state.raise({ incarnation: 1 })).toBe(false)
      await rm(join(folder, 'state.json.tmp'), { recursive: true })
      expect(await dataDir.state.raise({ incarnation: 2 })).toBe(true)
      await dataDir.close()
    } finally {
      process.removeListener('uncaughtException', listen)
      for (const other of others) process.on('uncaughtException', other)
    }
    expect(errors).toEqual([new Error('not my day'), new Error('not my day')])
  })

  it('a promise that cannot be written does not undo a leadership that is accepted during the same write', async () => {
    const dataDir = await open()
    const { state } = dataDir
    await mkdir(join(folder, 'state.json.tmp', 'x'), { recursive: true })
    const promise = state.keepPromise({ epoch: 9, holder: 'somebody' })
    const accepted = state.keepAccepted(Uint8Array.of(1), 8)
    expect(await promise).toBe(false)
    await accepted
    await rm(join(folder, 'state.json.tmp'), { recursive: true })
    await state.raise({ incarnation: 1 })
    await dataDir.close()
    await once(({ state }) => {
      expect(state.promised).toBeUndefined()
      expect(state.remembered.epoch).toBe(8)
    })
  })

  it('a data folder cannot be opened for another cluster, and the error names the cluster of the folder', async () => {
    await once(async ({ state }) => void (await state.raise({ incarnation: 1 })))
    await expect(open('office')).rejects.toThrow(/belongs to a peer of cluster lab, not of office/)
    await once(() => {})
  })

  it.each([
    ['not JSON', '{'],
    ['another version', '{"version":2,"cluster":"lab","epoch":0,"addresses":[]}'],
    ['a negative epoch', '{"version":1,"cluster":"lab","epoch":-1,"addresses":[]}'],
    ['an incomplete promise', '{"version":1,"cluster":"lab","epoch":1,"promised":{"epoch":1},"addresses":[]}'],
    ['an invalid address', '{"version":1,"cluster":"lab","epoch":1,"addresses":[7]}'],
    ['nothing', 'null']
  ])('a broken state file (%s) is refused by name and left unchanged', async (_, text) => {
    await once(() => {})
    const file = join(folder, 'state.json')
    await writeFile(file, text)
    await expect(open()).rejects.toThrow(InvalidOptionError)
    await expect(open()).rejects.toThrow(/state\.json is broken.*remove it/)
    expect(await readFile(file, 'utf8')).toBe(text)
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

  it('a path that is not a folder is refused', async () => {
    await writeFile(folder, 'a file')
    await expect(open()).rejects.toThrow(/the data folder .* cannot be used/)
  })
})
