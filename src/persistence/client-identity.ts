/** The identity of clients, in a folder that several clients may share but that no peer may use. */
import { access, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PrivateKey } from '@libp2p/interface'
import { InvalidOptionError } from '../common/errors.ts'
import { IDENTITY, inFolder, LOG, readIdentity, readOrMakeIdentity, STATE } from './data-dir.ts'
import { isLocked } from './folder-lock.ts'

/**
 * Whether a peer uses this folder or has used it. Two processes with the same PeerId could not connect to each other.
 */
export function isPeersFolder(folder: string): Promise<boolean> {
  return inFolder(folder, async path => {
    return (await isThere(join(path, LOG))) || (await isThere(join(path, STATE))) || (await isLocked(path))
  })
}

/**
 * Returns the identity that a folder stores for clients. Creates the identity if there is none.
 *
 * @throws InvalidOptionError if a peer uses the folder, or the folder cannot be used
 */
export function clientIdentityIn(folder: string): Promise<PrivateKey> {
  return inFolder(folder, async path => {
    if (await isPeersFolder(path)) {
      throw new InvalidOptionError(
        `the data folder ${path} is a peer's, and a client with the same PeerId could not talk to that peer: give the client a folder of its own`
      )
    }
    await mkdir(path, { recursive: true, mode: 0o700 })
    // A client takes no lock, because a lock would mark the folder as the folder of a peer.
    return await readOrMakeIdentity(join(path, IDENTITY))
  })
}

/**
 * Returns the identity that a folder stores for clients; undefined if there is none, or the folder is a peer's. Writes nothing.
 *
 * @throws InvalidOptionError if the identity or the folder cannot be used
 */
export function keptClientIdentity(folder: string): Promise<PrivateKey | undefined> {
  return inFolder(folder, async path => {
    return (await isPeersFolder(path)) ? undefined : await readIdentity(join(path, IDENTITY))
  })
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false
  )
}
