/**
 * The token that clients need to submit jobs. The token is stored in a file that only the owner of the peer can read. It never appears
 * in arguments, the environment or logs.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, mkdir, open, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { InvalidOptionError, P2pWorkerError } from '../common/errors.ts'
import { writePrivate } from '../persistence/private-file.ts'

const TOKEN_BYTES = 32
const FORM = /^[A-Za-z0-9_-]{43}$/
/** The permission bits that give access to the group or to other users. */
const OTHERS = 0o077
/** Whether files have owners and permission bits as in POSIX. Windows has neither. */
const HAS_MODES = process.platform !== 'win32'

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** Compares tokens in constant time, so that the time does not reveal how many characters of the given token are right. */
export function isToken(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}

/** Returns the token in an `Authorization` header, or undefined when the header has another form. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w~+/.-]+=*) *$/i.exec(authorization ?? '')?.[1]
}

/**
 * Reads the token from a file. If the file does not exist, creates the file with a new token.
 *
 * @throws InvalidOptionError when another user can open or has created the file, or the file cannot be used
 */
export async function tokenIn(file: string): Promise<string> {
  const path = resolve(file)
  try {
    const folder = dirname(path)
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
    // The mode is set explicitly, because the umask may have changed it.
    if (made !== undefined) await chmod(folder, 0o700)
    const token = newToken()
    try {
      await writePrivate(path, `${token}\n`)
      return token
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      return await readToken(path)
    }
  } catch (cause) {
    if (cause instanceof P2pWorkerError) throw cause
    throw new InvalidOptionError(`the token of the HTTP API cannot be kept in ${path}: ${(cause as Error).message}`, {
      cause
    })
  }
}

async function readToken(path: string): Promise<string> {
  const unsafe = (why: string): InvalidOptionError =>
    new InvalidOptionError(
      `the token of the HTTP API is not taken from ${path}: ${why}; delete it, and a new one is made`
    )
  // A link could point to another user's file, and a pipe would block.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(path, flags).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'ELOOP' ? unsafe('it is a link') : cause
  })
  try {
    const status = await handle.stat()
    if (!status.isFile()) throw unsafe('it is no file')
    if (HAS_MODES && (status.mode & OTHERS) !== 0)
      throw unsafe(`other users of this machine can open it (mode ${(status.mode & 0o777).toString(8)})`)
    if (HAS_MODES && status.uid !== process.getuid?.()) throw unsafe('it belongs to another user')
    const token = (await handle.readFile('utf8')).trim()
    if (!FORM.test(token)) throw unsafe('it holds no token')
    return token
  } finally {
    await handle.close()
  }
}

export async function removeToken(file: string): Promise<void> {
  await rm(file, { force: true })
}
