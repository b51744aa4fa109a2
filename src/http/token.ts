/** The token that lets somebody submit: in a file that only the peer's owner can read, never in arguments, environment or logs. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, mkdir, open, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { InvalidOptionError, P2pWorkerError } from '../common/errors.ts'
import { writePrivate } from '../persistence/private-file.ts'

const TOKEN_BYTES = 32
const FORM = /^[A-Za-z0-9_-]{43}$/
/** Bits of a mode that let the group or others in. */
const OTHERS = 0o077
/** Windows has no owners and modes of this kind. */
const HAS_MODES = process.platform !== 'win32'

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** Whether that is the token; how long it takes does not tell how much of it is right. */
export function isToken(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}

/** What an `Authorization` header bears; undefined where it is none of a token. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w~+/.-]+=*) *$/i.exec(authorization ?? '')?.[1]
}

/**
 * The token of a file, made where there is none.
 *
 * @throws InvalidOptionError when others could read it, or have put it there, or it cannot be used
 */
export async function tokenIn(file: string): Promise<string> {
  const path = resolve(file)
  try {
    const folder = dirname(path)
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
    // As it is, whatever the process's umask says.
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
  // A link could lead to a file of somebody else's; a pipe would keep this waiting.
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
