/** The identity of clients, in a folder that several of them may use at a time, but no peer. */
import { access, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { PrivateKey } from '@libp2p/interface'
import { InvalidOptionError } from '../common/errors.ts'
import { IDENTITY, readOrMakeIdentity, STATE, unusable } from './data-dir.ts'
import { isLocked } from './folder-lock.ts'

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
    // Without a lock, which would keep a peer from starting.
    return await readOrMakeIdentity(join(path, IDENTITY))
  } catch (cause) {
    throw unusable(path, cause)
  }
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false
  )
}
