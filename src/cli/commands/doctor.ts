import type { Finding } from '../../doctor/findings.ts'
import { exitCodes } from '../exit-codes.ts'
import { keyForDoctor } from '../keys/key.ts'
import type { ClientFlags, JsonFlag } from '../options/flags.ts'
import { checkMultiaddrs } from '../peers/addresses.ts'
import { clientFolder } from '../peers/client.ts'
import { createLogger } from '../peers/logger.ts'
import { onInterruption } from '../terminal/interruption.ts'
import { paint, print, printable } from '../terminal/output.ts'

const SIGNS = { fine: '✓', note: '•', trouble: '✗' } as const
const TONES = { fine: 'good', note: 'caution', trouble: 'bad' } as const

/** Prints the reasons why peers do not find each other. */
export async function doctor(flags: ClientFlags & JsonFlag): Promise<number> {
  const interruption = onInterruption()
  await checkMultiaddrs('--bootstrap', flags.bootstrap)
  const findings: Finding[] = []
  const printed: Promise<void>[] = []
  const tell = (finding: Finding): void => {
    findings.push(finding)
    if (flags.json) return
    const { what, verdict, text } = finding
    const sign = paint(TONES[verdict], SIGNS[verdict], process.stdout)
    printed.push(print(`${sign} ${printable(`${what}: ${text}`)}`))
  }
  const key = await keyForDoctor(flags, flags.cluster)
  tell(key.finding)
  const [{ checkFolder, diagnose }, { clusterIdentity, parseClusterKey }, { keptClientIdentity }] = await Promise.all([
    import('../../doctor/doctor.ts'),
    import('../../network/cluster-key.ts'),
    import('../../persistence/client-identity.ts')
  ])
  try {
    const { cluster, bootstrap = [], mdns, wait, dataDir } = flags
    const keys = key.keys?.map(parseClusterKey)
    const isKnown = keys !== undefined || flags.insecure === true
    const id = isKnown ? clusterIdentity(cluster, keys).clusterId : undefined
    if (dataDir !== undefined) await checkFolder(dataDir, { name: cluster, id }, tell, !flags.sharesDataDir)
    const isSound = findings.every(({ what, verdict }) => what === 'key' || verdict !== 'trouble')
    const folder = await clientFolder(flags)
    const privateKey = folder === undefined ? undefined : await keptClientIdentity(folder)
    const logger = await createLogger(flags)
    const options = { cluster, key: keys, privateKey, bootstrap, mdns, wait, logger, signal: interruption.signal }
    const diagnosis = await diagnose(options, tell)
    if (flags.json) await print(JSON.stringify({ diagnosis, findings }))
    if (diagnosis === 'attached') return isSound ? exitCodes.done : exitCodes.failed
    return diagnosis === 'refused' ? exitCodes.notAdmitted : exitCodes.noCluster
  } catch (error) {
    if (interruption.exitCode === undefined) throw error
    return interruption.exitCode
  } finally {
    await Promise.all(printed)
  }
}
