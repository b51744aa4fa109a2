/**
 * A peer's data folder. It contains the identity of the peer, and the state that a restarted peer needs to find its
 * cluster.
 */
import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, stat, unlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { generateKeyPair, privateKeyFromProtobuf, privateKeyToProtobuf } from '@libp2p/crypto/keys'
import type { PrivateKey } from '@libp2p/interface'
import { InvalidOptionError, P2pWorkerError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { DataDirMeter } from './data-dir-meter.ts'
import type { DataDirStats, DiskSpace } from './data-dir-stats.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { DurableLog } from './log/durable-log.ts'
import { type FolderCluster, PeerState } from './peer-state.ts'
import { writePrivate } from './private-file.ts'

export const IDENTITY = 'identity.key'
/** The file in which older versions kept the state of the peer. */
export const STATE = 'state.json'
/** The folder of the log below the data folder. */
export const LOG = 'log'
/**
 * Permission bits of other users. Group permissions are allowed: Kubernetes opens a volume's files to the pod's group.
 */
const EVERYBODY = 0o007
const PROBE = new Uint8Array(1)

export interface DataDirOptions {
  folder: string
  /** The folder of a peer works for one cluster only. */
  cluster: FolderCluster
  /** How many bytes of the log the journal may take until a leader refuses new jobs. Default 1 GiB. */
  journalBytes?: number
  logger?: Logger | undefined
}

/** A folder that this process has locked. */
export interface LockedFolder {
  path: string
  lock: FolderLock
  privateKey: PrivateKey
}

/** A peer's data folder. This process holds the lock of the folder until it closes the folder. */
export class DataDir {
  readonly privateKey: PrivateKey
  /** The state that changes while the peer runs. */
  readonly state: PeerState
  /** The log with the state and the journal. */
  readonly log: DurableLog
  readonly #meter: DataDirMeter
  readonly #lock: FolderLock

  private constructor(
    privateKey: PrivateKey,
    state: PeerState,
    log: DurableLog,
    meter: DataDirMeter,
    lock: FolderLock
  ) {
    this.privateKey = privateKey
    this.state = state
    this.log = log
    this.#meter = meter
    this.#lock = lock
  }

  /**
   * Opens a folder. Creates the folder and the identity if they are missing.
   *
   * @throws InvalidOptionError when the folder cannot be used: another process uses it, it belongs to another cluster,
   * its files are broken, or its key is readable by every user
   */
  static async open(options: DataDirOptions): Promise<DataDir> {
    return await DataDir.read(await DataDir.lock(options.folder), options)
  }

  /** Does the first part of {@link DataDir.open}, which is quick, also if the journal is long. */
  static lock(folder: string): Promise<LockedFolder> {
    return inFolder(folder, async path => {
      await mkdir(path, { recursive: true, mode: 0o700 })
      const lock = await lockFolder(path)
      try {
        return { path, lock, privateKey: await readOrMakeIdentity(join(path, IDENTITY)) }
      } catch (error) {
        await lock.release()
        throw error
      }
    })
  }

  /** Does the second part. Gives the lock back if that fails. */
  static read(
    { path: folder, lock, privateKey }: LockedFolder,
    { cluster, journalBytes = 2 ** 30, logger }: Omit<DataDirOptions, 'folder'>
  ): Promise<DataDir> {
    return inFolder(folder, async path => {
      let log: DurableLog | undefined
      let meter: DataDirMeter | undefined
      try {
        log = await DurableLog.open(join(path, LOG))
        meter = new DataDirMeter({ folder: path, log, journalBytes, logger })
        await meter.measure()
        const state = await PeerState.read(log, { file: join(path, STATE), cluster })
        return new DataDir(privateKey, state, log, meter, lock)
      } catch (error) {
        meter?.stop()
        await close(log, lock)
        throw error
      }
    })
  }

  /** The space of the disk, as it was some seconds ago; undefined if the system does not tell. */
  get disk(): DiskSpace | undefined {
    return this.#meter.disk
  }

  get journalBytes(): number {
    return this.#meter.journalBytes
  }

  stats(): DataDirStats {
    return this.#meter.read()
  }

  async close(): Promise<void> {
    this.state.close()
    this.#meter.stop()
    await close(this.log, this.#lock)
  }
}

/** Closes the log, and gives the lock back. If a write hangs, this process keeps the lock until the write has ended. */
async function close(log: DurableLog | undefined, lock: FolderLock): Promise<void> {
  if (log === undefined || (await log.close())) await lock.release()
  else void log.ended.then(() => lock.release())
}

/**
 * Returns the identity in a folder. Creates the identity if there is none. Also works while a running peer uses the
 * folder.
 *
 * @throws InvalidOptionError when the identity is broken or readable by every user, or the folder cannot be used
 */
export async function identityIn(folder: string): Promise<PrivateKey> {
  const kept = await inFolder(folder, path => readIdentity(join(path, IDENTITY)))
  if (kept !== undefined) return kept
  const { lock, privateKey } = await DataDir.lock(folder)
  await lock.release()
  return privateKey
}

/** @throws InvalidOptionError that names the folder if the folder cannot be used */
export async function inFolder<Result>(folder: string, use: (path: string) => Promise<Result>): Promise<Result> {
  const path = resolve(folder)
  try {
    return await use(path)
  } catch (cause) {
    if (cause instanceof P2pWorkerError) throw cause
    const { code = '', message } = cause as NodeJS.ErrnoException
    throw new InvalidOptionError(`the data folder ${path} cannot be used: ${message}${adviceOn(code)}`, { cause })
  }
}

/** Returns what to do after an error of the file system. */
export function adviceOn(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return '; make room there, or name a folder on another disk'
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return '; make it writable, or name another folder'
    case 'EIO':
      return '; repair its disk, or name another folder'
    default:
      return ''
  }
}

/**
 * Reads the identity, or creates it. If several processes create an identity at the same time, all of them get the
 * first identity.
 */
export async function readOrMakeIdentity(file: string): Promise<PrivateKey> {
  const found = await readIdentity(file)
  if (found !== undefined) return found
  const key = await generateKeyPair('Ed25519')
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`
  await writePrivate(draft, `${Buffer.from(privateKeyToProtobuf(key)).toString('base64')}\n`)
  try {
    await link(draft, file)
    return key
  } catch (error) {
    const first = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await readIdentity(file) : undefined
    if (first === undefined) throw error
    return first
  } finally {
    await unlink(draft)
  }
}

/** The identity in a file; `undefined` if the file does not exist. */
export async function readIdentity(file: string): Promise<PrivateKey | undefined> {
  let text: string
  try {
    await checkPrivate(file)
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const key = privateKeyFromProtobuf(Buffer.from(text, 'base64'))
    // The file has the private and the public key, so that a damaged one does not fit the other.
    if (!(await key.publicKey.verify(PROBE, await key.sign(PROBE)))) throw new Error('its two keys do not fit')
    return key
  } catch (cause) {
    throw new InvalidOptionError(
      `${file} holds no identity: put it back from a copy, or remove it, and this peer gets a new PeerId`,
      { cause }
    )
  }
}

async function checkPrivate(file: string): Promise<void> {
  const { mode } = await stat(file)
  if (process.platform === 'win32' || (mode & EVERYBODY) === 0) return
  throw new InvalidOptionError(
    `${file} is open to all users of this machine (mode ${(mode & 0o777).toString(8)}), so it is not used: run \`chmod 600 ${file}\`, or remove it if somebody may have read it, and this peer gets a new PeerId`
  )
}
