/** The identity of clients, in a folder that several of them may use at a time, but no peer. */
import { randomBytes } from 'node:crypto'
import { access, link, mkdir, unlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { generateKeyPair, privateKeyToProtobuf } from '@libp2p/crypto/keys'
import type { PrivateKey } from '@libp2p/interface'
import { InvalidOptionError } from '../common/errors.ts'
import { IDENTITY, readIdentity, STATE, unusable } from './data-dir.ts'
import { isLocked } from './folder-lock.ts'
import { writePrivate } from './private-file.ts'

/** Whether a peer uses this folder, or has done so: two processes with one PeerId could not talk to each other. */
export async function isPeersFolder(folder: string): Promise<boolean> {
  const path = resolve(folder)
  try {
    return (await exists(join(path, STATE))) || (await isLocked(path))
  } catch (cause) {
    throw unusable(path, cause)
  }
}

/**
 * The identity that a folder keeps for clients, made where there is none.
 *
 * @throws InvalidOptionError when it is a peer's folder, or cannot be used
 */
export async function clientIdentityIn(folder: string): Promise<PrivateKey> {
  const path = resolve(folder)
  if (await isPeersFolder(path)) {
    throw new InvalidOptionError(
      `the data folder ${path} is a peer's, and a client with the same PeerId could not talk to that peer: give the client a folder of its own`
    )
  }
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    const file = join(path, IDENTITY)
    return (await readIdentity(file)) ?? (await makeFirst(file))
  } catch (cause) {
    throw unusable(path, cause)
  }
}

/** Without a lock, which would keep a peer from starting: of several that make one at once, all get that of the first. */
async function makeFirst(file: string): Promise<PrivateKey> {
  const key = await generateKeyPair('Ed25519')
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`
  await writePrivate(draft, `${Buffer.from(privateKeyToProtobuf(key)).toString('base64')}\n`)
  try {
    await link(draft, file)
    return key
  } catch (error) {
    const kept = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await readIdentity(file) : undefined
    if (kept === undefined) throw error
    return kept
  } finally {
    await unlink(draft)
  }
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false
  )
}
