/**
 * A folder that belongs to one process at a time. Node has no `flock`, and a file with a process id in it means nothing to
 * another container that has the same volume; so the lock is a Unix socket in the folder: its process listens for as long as
 * it lives, however it ends, and who finds the name taken asks whether somebody answers there.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type FileHandle, link, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { InvalidOptionError } from '../errors.ts'

const NAME = 'lock'
/** A Unix socket's path has room for so many bytes (107 on Linux, 103 on macOS). */
const LONGEST_PATH = 100
/** Another process may take, or give up, the lock while this one looks. */
const ATTEMPTS = 5

export interface FolderLock {
  release(): Promise<void>
}

/**
 * Takes the folder for this process.
 *
 * @throws InvalidOptionError when another process has it, or the folder's file system knows no Unix sockets
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

class SocketLock implements FolderLock {
  readonly #folder: string
  readonly #handle: FileHandle
  readonly #server: Server = createServer(socket => socket.destroy())
  #own: bigint | undefined

  constructor(folder: string, handle: FileHandle) {
    this.#folder = folder
    this.#handle = handle
  }

  async take(): Promise<void> {
    const draft = this.#unique('new')
    await this.#listen(draft)
    try {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (await this.#claim(draft)) return
        if (await this.#isTaken()) break
      }
      throw new InvalidOptionError(
        `another process uses the data folder ${this.#folder}: end it first, or give each peer a folder of its own`
      )
    } catch (error) {
      this.#server.close()
      throw error
    } finally {
      await unlink(join(this.#folder, draft)).catch(ignore('ENOENT'))
    }
  }

  async release(): Promise<void> {
    const file = join(this.#folder, NAME)
    // Never somebody else's, should the folder have been emptied and used again meanwhile.
    if (this.#own !== undefined && (await inode(file)) === this.#own) await unlink(file).catch(ignore('ENOENT'))
    await new Promise(resolve => this.#server.close(resolve))
    await this.#handle.close()
  }

  async #listen(name: string): Promise<void> {
    const path = this.#path(name)
    this.#server.listen(path)
    await once(this.#server, 'listening').catch((cause: Error) => {
      throw new InvalidOptionError(`the data folder ${this.#folder} cannot be locked: ${cause.message}`, { cause })
    })
    // Who asks and is not accepted has been told that somebody is there all the same.
    this.#server.on('error', () => {})
    // It holds the folder, and not the process.
    this.#server.unref()
  }

  /** A link appears only if the name is free: of two that take it at once, one gets it. */
  async #claim(draft: string): Promise<boolean> {
    const file = join(this.#folder, NAME)
    try {
      await link(join(this.#folder, draft), file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
    if (await this.#isDisplaced()) return false
    this.#own = await inode(file)
    return true
  }

  /** Whether somebody who has the folder was put aside by mistake: then the name is theirs again. Remains are removed. */
  async #isDisplaced(): Promise<boolean> {
    const asides = (await readdir(this.#folder)).filter(name => name.startsWith(`${NAME}.`) && name.endsWith('.old'))
    for (const aside of asides) {
      const path = join(this.#folder, aside)
      if (await answers(this.#path(aside))) {
        await rename(path, join(this.#folder, NAME))
        return true
      }
      await unlink(path).catch(ignore('ENOENT'))
    }
    return false
  }

  /** Whether somebody answers at the lock. What a dead process left is removed. */
  async #isTaken(): Promise<boolean> {
    if (await answers(this.#path(NAME))) return true
    const aside = this.#unique('old')
    try {
      await rename(join(this.#folder, NAME), join(this.#folder, aside))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
    // Between the question and the renaming another process may have removed the old one and put its own there.
    const mistaken = await answers(this.#path(aside))
    try {
      if (mistaken) await link(join(this.#folder, aside), join(this.#folder, NAME))
      await unlink(join(this.#folder, aside)).catch(ignore('ENOENT'))
    } catch (error) {
      // Yet another process has taken the name meanwhile. It finds what was put aside, and gives way (see #isDisplaced).
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    return mistaken
  }

  #unique(what: string): string {
    return `${NAME}.${randomBytes(6).toString('hex')}.${what}`
  }

  /** The path of a socket in the folder, short enough to be one. */
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
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(false)
      // A full queue is somebody's too.
      else if (error.code === 'EAGAIN') resolve(true)
      else reject(error)
    })
  })
}

async function inode(file: string): Promise<bigint | undefined> {
  return await stat(file, { bigint: true }).then(
    found => found.ino,
    () => undefined
  )
}

function ignore(code: string): (error: unknown) => void {
  return error => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error
  }
}
