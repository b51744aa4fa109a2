/**
 * Stores the user's cluster keys: one file for each cluster, which only the user can read. Only the command line uses
 * these keys.
 */
import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { InvalidOptionError, P2pWorkerError } from '../../common/errors.ts'
import { clusterIdentity, parseClusterKey } from '../../network/cluster-key.ts'
import { writePrivate } from '../../persistence/private-file.ts'
import { parseKeys } from './key-file.ts'

/** The permission bits that give the group or other users access. */
const OTHERS = 0o077

/** Returns the folder of this user's data: `P2P_WORKER_HOME`, or otherwise the system's data folder. */
export async function homeFolder(): Promise<string> {
  const home = process.env.P2P_WORKER_HOME
  if (home) return resolve(home)
  const { default: envPaths } = await import('env-paths')
  return envPaths('p2p-worker', { suffix: '' }).data
}

/** The file of a cluster's saved keys. */
export async function savedKeyFile(cluster: string): Promise<string> {
  return join(await homeFolder(), 'keys', `${cluster}.key`)
}

function code(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

async function checkPrivate(file: string): Promise<void> {
  if (process.platform === 'win32') return
  const { mode } = await stat(file)
  if ((mode & OTHERS) !== 0) {
    throw new InvalidOptionError(
      `the saved key ${file} is open to other users of this machine (mode ${(mode & 0o777).toString(8)}), so it is not used: run \`chmod 600 ${file}\`, and make another key if somebody may have read it`
    )
  }
}

/** Reads the file of a cluster's saved keys. Resolves with undefined if the file does not exist. */
export async function readSavedKey(cluster: string): Promise<string | undefined> {
  const file = await savedKeyFile(cluster)
  try {
    await checkPrivate(file)
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    if (code(cause) === 'ENOENT') return undefined
    if (cause instanceof P2pWorkerError) throw cause
    throw new InvalidOptionError(`the saved key ${file} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

/** Saves a key unless another key is saved already. Returns whether the key was saved. */
async function saveFirst(file: string, key: string): Promise<boolean> {
  // A hard link is created atomically, and only if the name is free. So one of two concurrent saves wins.
  const draft = await writeDraft(file, `${key}\n`)
  try {
    return await linkFirst(draft, file)
  } finally {
    await unlink(draft).catch(() => rm(draft, { force: true }))
  }
}

async function writeDraft(file: string, text: string): Promise<string> {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`
  await writePrivate(draft, text)
  return draft
}

/** Creates a hard link. Returns false if the name is taken. */
async function linkFirst(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (code(error) === 'EEXIST') return false
    throw error
  }
}

/** Returns the saved key of a cluster, or creates and saves a key. Two concurrent processes get the same key. */
export async function readOrMakeKey(
  cluster: string,
  make: () => string
): Promise<{ key: string; file: string; made: boolean }> {
  const file = await savedKeyFile(cluster)
  const saved = await readSavedKey(cluster)
  if (saved !== undefined) return { key: saved, file, made: false }
  try {
    const key = make()
    if (await saveFirst(file, key)) return { key, file, made: true }
  } catch (cause) {
    throw new InvalidOptionError(
      `no key was given, and a new one cannot be saved in ${file} (${(cause as Error).message}): give --key or --key-file, or name a folder with P2P_WORKER_HOME`,
      { cause }
    )
  }
  const winner = await readSavedKey(cluster)
  if (winner === undefined) throw new P2pWorkerError(`the saved key ${file} went away while it was read: try again`)
  return { key: winner, file, made: false }
}

/** The outcome of saving the key of a token. */
export interface Adoption {
  /** The file of the cluster's saved keys. */
  file: string
  /** The content of the file of saved keys; undefined if the file could not be written. */
  text: string | undefined
  /**
   * `new`: no key was saved before. `instead`: the key replaced the key of another cluster. `other`: the key is not
   * saved, because other keys of the same cluster are saved. Undefined: the key was saved before, or saving it failed.
   */
  saved?: 'new' | 'instead' | 'other'
  /** The file to which the keys of another cluster with this name were moved. */
  kept?: string
  /** The reason why the key could not be saved. */
  problem?: string
}

/**
 * The number of retries after concurrent changes by other processes. After these retries, the change counts as an
 * error.
 */
const MOST_TRIES = 20

/**
 * Saves the key of a token like a key that was created on this machine. After that, the name of the cluster stands for
 * the cluster of the token: keys of another cluster with the same name are moved to a second file. Keys of the same
 * cluster stay unchanged, because they may have replaced the key of the token, and a replaced key must not come back.
 *
 * @throws InvalidOptionError when the saved key is malformed, or readable by other users
 */
export async function adoptKey(cluster: string, key: string): Promise<Adoption> {
  const file = await savedKeyFile(cluster)
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const saved = await readSavedKey(cluster)
    const keys: readonly string[] = saved === undefined ? [] : parseKeys(saved, file)
    if (saved !== undefined && keys.includes(key)) return { file, text: saved }
    if (saved !== undefined && idOf(cluster, key) === idOf(cluster, keys[0] ?? key)) {
      return { file, text: saved, saved: 'other' }
    }
    try {
      const adoption = saved === undefined ? await saveNew(file, key) : await saveInstead(cluster, file, key, saved)
      if (adoption !== undefined) return adoption
    } catch (cause) {
      if (cause instanceof P2pWorkerError) throw cause
      return { file, text: undefined, problem: (cause as Error).message }
    }
  }
  throw new P2pWorkerError(`other processes go on changing ${file}: try again`)
}

/** Saves the first key of a cluster. Resolves with undefined if another process saved a key first. */
async function saveNew(file: string, key: string): Promise<Adoption | undefined> {
  return (await saveFirst(file, key)) ? { file, text: `${key}\n`, saved: 'new' } : undefined
}

/**
 * Replaces the keys of another cluster. Resolves with undefined if another process has changed the file since it was
 * read.
 */
async function saveInstead(cluster: string, file: string, key: string, before: string): Promise<Adoption | undefined> {
  const kept = await keepBeside(file, `${before}\n`)
  const draft = await writeDraft(file, `${key}\n`)
  try {
    if ((await readSavedKey(cluster)) !== before) return undefined
    await rename(draft, file)
    return { file, text: `${key}\n`, saved: 'instead', kept }
  } finally {
    await rm(draft, { force: true })
  }
}

function idOf(cluster: string, key: string): string {
  return clusterIdentity(cluster, parseClusterKey(key)).clusterId
}

/**
 * Writes old keys to a second file in the same folder. Repeated and concurrent writes of the same text create only one
 * file.
 */
async function keepBeside(file: string, text: string): Promise<string> {
  const draft = await writeDraft(file, text)
  try {
    for (let n = 1; ; n++) {
      const name = n === 1 ? `${file}.old` : `${file}.old-${n}`
      if ((await linkFirst(draft, name)) || (await readFile(name, 'utf8')) === text) return name
    }
  } finally {
    await rm(draft, { force: true })
  }
}
