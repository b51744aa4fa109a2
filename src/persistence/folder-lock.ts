/**
 * Locks a folder for one process at a time. Node has no `flock`, and a process id in a file is meaningless to another
 * container with the same volume. So the lock is a Unix socket in the folder: the owner of the lock listens while its
 * process lives, and other processes try to connect.
 *
 * Each owner creates a socket `lock.<generation>`, one generation above the previous owner. A process claims a
 * generation with a hard link, which only one process can create, and then yields to any higher generation. Names of
 * dead owners are never reused, and the newest socket is never removed, so no slow process can mistake an old
 * generation for the newest generation.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type FileHandle, link, open, readdir, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { InvalidOptionError } from '../common/errors.ts'

const OWNER = /^lock\.(\d+)$/
const DRAFT = /^lock\.[0-9a-f]+\.new$/
/** Error codes of a disk that takes no file, a socket or another. */
const OF_ANY_FILE = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES']
/** The limit of a Unix socket's path in bytes (107 on Linux, 103 on macOS). */
const LONGEST_PATH = 100

export interface FolderLock {
  release(): Promise<void>
}

/**
 * Locks the folder for this process.
 *
 * @throws InvalidOptionError if another process has locked the folder, or if the file system has no Unix sockets; the error of the disk
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const handle = await open(folder)
  try {
    const lock = new SocketLock(folder, handle)
    await lock.take()
    return lock
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Whether a process has locked the folder. */
export async function isLocked(folder: string): Promise<boolean> {
  return (await ownerOf(folder)) === 'living'
}

/** Returns the state of the last process that locked the folder; `none` if no process has ever locked the folder. */
export async function ownerOf(folder: string): Promise<'living' | 'dead' | 'none'> {
  let handle: FileHandle
  try {
    handle = await open(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none'
    throw error
  }
  try {
    return await new SocketLock(folder, handle).owner()
  } finally {
    await handle.close()
  }
}

class SocketLock implements FolderLock {
  readonly #folder: string
  readonly #handle: FileHandle
  readonly #server: Server = createServer(socket => socket.destroy())

  constructor(folder: string, handle: FileHandle) {
    this.#folder = folder
    this.#handle = handle
  }

  async take(): Promise<void> {
    // The socket listens before it gets its final name, so the socket of a live owner always answers.
    const draft = `lock.${randomBytes(6).toString('hex')}.new`
    await this.#listen(draft)
    try {
      for (;;) {
        const newest = Math.max(0, ...(await this.#generations()))
        if (newest > 0 && (await answers(this.#path(`lock.${newest}`)))) throw this.#taken()
        if (await this.#claim(draft, newest + 1)) break
      }
      await this.#tidy()
    } catch (error) {
      this.#server.close()
      throw error
    } finally {
      await this.#remove(draft)
    }
  }

  async owner(): Promise<'living' | 'dead' | 'none'> {
    const newest = Math.max(0, ...(await this.#generations()))
    if (newest === 0) return 'none'
    return (await answers(this.#path(`lock.${newest}`))) ? 'living' : 'dead'
  }

  /** Stops listening. The socket file stays in the folder, but connections to it are refused. */
  async release(): Promise<void> {
    await new Promise(resolve => this.#server.close(resolve))
    await this.#handle.close()
  }

  async #listen(name: string): Promise<void> {
    this.#server.listen(this.#path(name))
    await once(this.#server, 'listening').catch((cause: NodeJS.ErrnoException) => {
      if (OF_ANY_FILE.includes(cause.code ?? '')) throw cause
      throw new InvalidOptionError(
        `the folder ${this.#folder} cannot be locked: ${cause.message}; name a folder on a file system with Unix sockets, such as a local disk`,
        { cause }
      )
    })
    // An error of `accept` is ignored, because a connection that waits also shows that the owner lives.
    this.#server.on('error', () => {})
    // The lock does not keep the process alive.
    this.#server.unref()
  }

  async #claim(draft: string, generation: number): Promise<boolean> {
    const name = `lock.${generation}`
    try {
      await link(join(this.#folder, draft), join(this.#folder, name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
    const isNewest = (await this.#generations()).every(other => other <= generation)
    // The name was free only because the owner of a higher generation has removed the older sockets.
    if (!isNewest) await this.#remove(name)
    return isNewest
  }

  /** Removes the sockets of earlier owners, and the drafts of processes that ended while they tried to get the lock. */
  async #tidy(): Promise<void> {
    const generations = await this.#generations()
    const newest = Math.max(...generations)
    for (const generation of generations) if (generation < newest) await this.#remove(`lock.${generation}`)
    for (const draft of (await readdir(this.#folder)).filter(name => DRAFT.test(name))) {
      if (!(await answers(this.#path(draft)))) await this.#remove(draft)
    }
  }

  async #generations(): Promise<number[]> {
    return (await readdir(this.#folder)).flatMap(name => (OWNER.test(name) ? Number(name.slice(5)) : []))
  }

  async #remove(name: string): Promise<void> {
    await unlink(join(this.#folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }

  #taken(): InvalidOptionError {
    return new InvalidOptionError(
      `another process uses the data folder ${this.#folder}: end it first, or give each peer a folder of its own`
    )
  }

  /** Returns the path of a socket in the folder, in a shorter form if the path exceeds the limit. */
  #path(name: string): string {
    const path = join(this.#folder, name)
    const isLong = Buffer.byteLength(path) > LONGEST_PATH
    return isLong && process.platform === 'linux' ? `/proc/self/fd/${this.#handle.fd}/${name}` : path
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // ECONNRESET: the owner closed while the connection waited.
      if (['ECONNREFUSED', 'ENOENT', 'ECONNRESET'].includes(error.code ?? '')) resolve(false)
      // EAGAIN: the owner's backlog is full, so the owner lives.
      else if (error.code === 'EAGAIN') resolve(true)
      else reject(error)
    })
  })
}
