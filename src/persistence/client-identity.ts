/** The identity of clients, in a folder that several clients may share, but no peer may use. */
import { access, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PrivateKey } from '@libp2p/interface'
import { InvalidOptionError } from '../common/errors.ts'
import { IDENTITY, inFolder, readOrMakeIdentity, STATE } from './data-dir.ts'
import { isLocked } from './folder-lock.ts'

/** Whether a peer uses this folder, or has used it: two processes with one PeerId could not talk to each other. */
export function isPeersFolder(folder: string): Promise<boolean> {
  return inFolder(folder, async path => {
    const hasState = await access(join(path, STATE)).then(
      () => true,
      () => false
    )
    return hasState || (await isLocked(path))
  })
}

/**
 * The identity that a folder keeps for clients, created if there is none.
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
    // Without a lock, which would keep a peer from starting.
    return await readOrMakeIdentity(join(path, IDENTITY))
  })
}
