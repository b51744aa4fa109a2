/** Checks a peer's data folder. A folder that a peer uses is only read. */
import { randomBytes } from 'node:crypto'
import { access, open, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isPeersFolder } from '../persistence/client-identity.ts'
import { IDENTITY, LOG, STATE } from '../persistence/data-dir.ts'
import { spaceAt } from '../persistence/data-dir-stats.ts'
import { ownerOf } from '../persistence/folder-lock.ts'
import { inspectLog } from '../persistence/inspect-log.ts'
import { LogSnapshot } from '../persistence/log/log-snapshot.ts'
import { LogVersionError } from '../persistence/log/segment.ts'
import { clusterIn, type FolderCluster, whyNotFor } from '../persistence/peer-state.ts'
import type { Finding } from './findings.ts'

const MIB = 2 ** 20
/** A sync that takes longer, in ms, makes jobs and votes late. */
const SLOW_SYNC = 100

const LOST: { readonly [losses: string]: string } = {
  entries: 'jobs',
  promises: 'promises',
  'entries,promises': 'jobs or promises'
}

/**
 * Passes each finding about a data folder to `tell` as soon as the check has ended. Writes nothing into a folder that no peer has used.
 *
 * @param isNamed - whether the user has named the folder, which has to exist then
 */
export async function checkFolder(
  folder: string,
  cluster: FolderCluster,
  tell: (finding: Finding) => void,
  isNamed = true
): Promise<void> {
  const path = resolve(folder)
  try {
    const isUsed = (await ownerOf(path)) === 'living'
    if (!isUsed && !(await isPeersFolder(path))) return tell(await unused(path, isNamed))
    tell(await ownership(path, isUsed))
    const found = await log(path, isUsed)
    for (const finding of found.findings) tell(finding)
    const refusal = found.cluster && whyNotFor(cluster, found.cluster)
    if (refusal !== undefined) tell({ what: 'data folder', verdict: 'trouble', text: `it ${refusal}` })
    const free = await space(path)
    if (free !== undefined) tell(free)
    if (!isUsed) tell(await sync(path))
  } catch (error) {
    tell({ what: 'data folder', verdict: 'trouble', text: `it cannot be read: ${(error as Error).message}` })
  }
}

/** The finding about a folder without a log, which no process uses. */
async function unused(path: string, isNamed: boolean): Promise<Finding> {
  const what = 'data folder'
  if (await access(join(path, IDENTITY)).then(() => true, isMissing)) {
    const text = `${path} has an identity but no log: the folder of a client, or of a peer that has lost its jobs: is its disk mounted?`
    return { what, verdict: 'note', text }
  }
  const isThere = await access(path).then(() => true, isMissing)
  const text = `${path} ${isThere ? `holds no ${IDENTITY} and no log` : 'does not exist'}: check the path, and that its disk is mounted`
  return { what, verdict: isNamed ? 'trouble' : 'note', text }
}

async function ownership(path: string, isUsed: boolean): Promise<Finding> {
  const what = 'data folder'
  const hasIdentity = await readFile(join(path, IDENTITY)).then(() => true, isMissing)
  if (!hasIdentity) {
    const text = `${path} holds no ${IDENTITY}: the peer that starts there gets a new PeerId`
    return { what, verdict: 'note', text }
  }
  return { what, verdict: 'fine', text: isUsed ? `a running peer uses ${path}` : `no process uses ${path}` }
}

/** Returns false if a file is missing. @throws the error otherwise */
function isMissing(error: NodeJS.ErrnoException): false {
  if (error.code !== 'ENOENT') throw error
  return false
}

async function log(
  path: string,
  isUsed: boolean
): Promise<{ findings: Finding[]; cluster: FolderCluster | undefined }> {
  const what = 'log'
  const snapshot = snapshotOf(join(path, LOG))
  if (snapshot === undefined) {
    const old = await readFile(join(path, STATE), 'utf8').catch(isMissing)
    if (old === false) return { findings: [{ what, verdict: 'note', text: 'there is none yet' }], cluster: undefined }
    const text = `an older version wrote the folder: the next start takes ${STATE} over`
    return { findings: [{ what, verdict: 'note', text }], cluster: clusterIn(old) }
  }
  try {
    const { entries, damage, damaged, losses, bytes, liveBytes, tornBytes, cluster } = inspectLog(snapshot)
    const size = `${entries} entries, ${mib(liveBytes)} of ${mib(bytes)} MiB live`
    const findings: Finding[] = [{ what, verdict: 'fine', text: size }]
    if (damaged > 0) {
      const text = `${damaged} places are damaged: a start drops what they held, and gets it again from other members that hold it. Look for faults of the disk`
      findings.push({ what, verdict: 'trouble', text })
    } else if (damage.damaged > 0) {
      const text = `${damage.damaged} places were damaged, and what they held was found again: they go when the log is rewritten. Look for faults of the disk`
      findings.push({ what, verdict: 'note', text })
    }
    if (damage.isCut) {
      const text =
        'its end is missing: the folder is a backup, or its disk has lost what was synced. Other members may know later states of its jobs'
      findings.push({ what, verdict: 'note', text })
    }
    if (losses.length > 0) {
      const text = `it has lost ${LOST[losses.join()]}: if this peer is a voter, it counts again when a majority of the other voters, which have lost nothing, has told it. docs/operations.md says what to do if these are lost`
      findings.push({ what, verdict: 'note', text })
    }
    if (tornBytes > 0 && !isUsed) {
      const text = `its last ${tornBytes} bytes are a write that did not end: the next start removes them`
      findings.push({ what, verdict: 'note', text })
    }
    return { findings, cluster }
  } catch (error) {
    if (!(error instanceof LogVersionError)) throw error
    return { findings: [{ what, verdict: 'trouble', text: error.message }], cluster: undefined }
  } finally {
    snapshot.close()
  }
}

function snapshotOf(folder: string): LogSnapshot | undefined {
  try {
    return LogSnapshot.open(folder)
  } catch (error) {
    isMissing(error as NodeJS.ErrnoException)
    return undefined
  }
}

async function space(path: string): Promise<Finding | undefined> {
  const found = await spaceAt(path)
  if (found === undefined) return undefined
  const text = `${mib(found.free)} MiB are free`
  if (found.free >= found.reserve) return { what: 'disk', verdict: 'fine', text }
  const limit = `below ${mib(found.reserve)} a leader refuses new jobs: make room there`
  return { what: 'disk', verdict: 'trouble', text: `${text}, and ${limit}` }
}

/** Writes and syncs a small file, and removes it. */
async function sync(path: string): Promise<Finding> {
  const what = 'disk'
  const file = join(path, `doctor.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const handle = await open(file, 'wx', 0o600)
    let ms: number
    try {
      await handle.writeFile('p2p-worker doctor\n')
      const began = performance.now()
      await handle.datasync()
      ms = performance.now() - began
    } finally {
      await handle.close()
      await rm(file, { force: true })
    }
    const text = `a sync took ${ms.toFixed(1)} ms`
    if (ms <= SLOW_SYNC) return { what, verdict: 'fine', text }
    return { what, verdict: 'note', text: `${text}: jobs are accepted late, use a faster disk that others use less` }
  } catch (error) {
    return { what, verdict: 'trouble', text: `it takes no writes: ${(error as Error).message}` }
  }
}

function mib(bytes: number): string {
  return (bytes / MIB).toLocaleString('en', { maximumFractionDigits: 1 })
}
