/** Copies a data folder, also while a peer uses it. */
import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { InvalidOptionError, P2pWorkerError } from '../common/errors.ts'
import { adviceOn, IDENTITY, inFolder, LOG } from './data-dir.ts'
import { inspectLog, type LogReport } from './inspect-log.ts'
import { isThere } from './is-there.ts'
import { FolderDisk } from './log/disk.ts'
import { markAsCut } from './log/key-value-log.ts'
import { LogSnapshot } from './log/log-snapshot.ts'

/** Files of a data folder that belong to a process. */
const OF_A_PROCESS = /^lock\.|\.tmp$/
/** The bytes that are copied at a time. */
const PART = 2 ** 20

/**
 * Copies a data folder to a new folder, which appears when the copy is complete and on disk. The copy has all commits up to one moment, and says of
 * itself that later ones are missing.
 *
 * @throws InvalidOptionError if the data folder is no peer's, or a newer version wrote it, or the target exists or has no room; P2pWorkerError if the data folder is damaged; the
 * reason of the signal
 */
export async function backUp(folder: string, target: string, signal: AbortSignal): Promise<LogReport> {
  const to = resolve(target)
  await inFolder(folder, async path => {
    await checkFolder(path)
    await checkTarget(to, path)
  })
  const draft = join(dirname(to), `.${basename(to)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const report = await inTarget(to, () => copy(resolve(folder), draft, signal))
    await inTarget(to, () => rename(draft, to))
    await inTarget(to, () => syncPath(dirname(to)))
    return report
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

async function copy(folder: string, draft: string, signal: AbortSignal): Promise<LogReport> {
  await mkdir(draft, { mode: 0o700 })
  await mkdir(join(draft, LOG), { mode: 0o700 })
  for (const { name } of (await readdir(folder, { withFileTypes: true })).filter(entry => entry.isFile())) {
    if (OF_A_PROCESS.test(name)) continue
    await copyFile(join(folder, name), join(draft, name))
    await syncPath(join(draft, name))
  }
  if (await isThere(join(folder, LOG))) await copyLog(join(folder, LOG), join(draft, LOG), signal)
  const report = checked(join(draft, LOG))
  await syncPath(join(draft, LOG))
  await syncPath(draft)
  return report
}

async function copyLog(from: string, to: string, signal: AbortSignal): Promise<void> {
  const snapshot = LogSnapshot.open(from)
  try {
    for (const name of snapshot.segments()) {
      const file = await open(join(to, name), 'wx', 0o600)
      try {
        for (let at = 0; at < snapshot.size(name); at += PART) {
          signal.throwIfAborted()
          await file.writeFile(snapshot.read(name, at, PART))
        }
        await file.sync()
      } finally {
        await file.close()
      }
    }
  } finally {
    snapshot.close()
  }
}

/** Opens the copy, which removes what is behind its last commit, and reads all of it. */
function checked(log: string): LogReport {
  const disk = new FolderDisk(log)
  try {
    const report = inspectLog(disk)
    const { damaged } = report
    if (damaged > 0) {
      throw new P2pWorkerError(
        `the data folder is damaged: ${damaged} values cannot be read, so it is not copied. Restart its peer, which gets them again from others, and repeat this`
      )
    }
    markAsCut(disk)
    return report
  } finally {
    disk.close()
  }
}

async function checkFolder(path: string): Promise<void> {
  if (await isThere(join(path, IDENTITY))) return
  throw new InvalidOptionError(
    `${path} holds no identity of a peer: name the folder that was given to \`join --data-dir\``
  )
}

async function checkTarget(to: string, from: string): Promise<void> {
  if (!relative(from, to).startsWith('..'))
    throw new InvalidOptionError(`${to} is in the data folder itself: name a folder elsewhere`)
  const found = await readdir(to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') return [to]
    throw error
  })
  if (found.length > 0)
    throw new InvalidOptionError(
      `${to} exists, and is no empty folder: name a new one, so that no other backup is replaced`
    )
}

/** @throws InvalidOptionError that names the target if it cannot be written */
async function inTarget<Result>(target: string, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use()
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (cause instanceof P2pWorkerError || code === undefined || !code.startsWith('E')) throw cause
    throw new InvalidOptionError(
      `the backup ${target} cannot be written: ${message}${adviceOn(code)}. Nothing was left there`,
      { cause }
    )
  }
}

async function syncPath(path: string): Promise<void> {
  const isFolder = (await stat(path)).isDirectory()
  // Windows cannot sync a folder.
  if (isFolder && process.platform === 'win32') return
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
