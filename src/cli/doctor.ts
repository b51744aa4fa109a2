import type { Finding } from '../doctor/doctor.ts'
import { checkMultiaddrs } from './addresses.ts'
import { exitCodes } from './exit-codes.ts'
import type { ClientFlags, JsonFlag } from './flags.ts'
import { onInterruption } from './interruption.ts'
import { keyForDoctor } from './key.ts'
import { paint, print, printable } from './output.ts'

const SIGNS = { fine: '✓', note: '•', trouble: '✗' } as const
const COLOURS = { fine: 'green', note: 'yellow', trouble: 'red' } as const

/** Says why peers don't meet. */
export async function doctor(flags: ClientFlags & JsonFlag): Promise<number> {
  const interruption = onInterruption()
  await checkMultiaddrs('--bootstrap', flags.bootstrap)
  const findings: Finding[] = []
  const tell = (finding: Finding): void => {
    findings.push(finding)
    if (flags.json) return
    const { what, verdict, text } = finding
    void print(`${paint(COLOURS[verdict], SIGNS[verdict], process.stdout)} ${printable(`${what}: ${text}`)}`)
  }
  const key = await keyForDoctor(flags, flags.cluster)
  tell(key.finding)
  const [{ diagnose }, { parseClusterKey }] = await Promise.all([
    import('../doctor/doctor.ts'),
    import('../network/cluster-key.ts')
  ])
  try {
    const { cluster, bootstrap = [], mdns, wait } = flags
    const bytes = key.key === undefined ? undefined : parseClusterKey(key.key)
    const diagnosis = await diagnose({ cluster, key: bytes, bootstrap, mdns, wait, signal: interruption.signal }, tell)
    if (flags.json) await print(JSON.stringify({ diagnosis, findings }))
    if (diagnosis === 'attached') return exitCodes.done
    return diagnosis === 'refused' ? exitCodes.notAdmitted : exitCodes.noCluster
  } catch (error) {
    if (interruption.exitCode === undefined) throw error
    return interruption.exitCode
  }
}
