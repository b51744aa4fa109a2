/** The commands about data folders. */
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { backUp } from '../../persistence/backup.ts'
import { identityIn } from '../../persistence/data-dir.ts'
import { exitCodes } from '../exit-codes.ts'
import { onInterruption } from '../terminal/interruption.ts'
import { print } from '../terminal/output.ts'

export async function id({ dataDir }: { dataDir: string }): Promise<number> {
  await print(peerIdFromPrivateKey(await identityIn(dataDir)).toString())
  return exitCodes.done
}

/** Copies a data folder, also while a peer uses it. */
export async function backup(target: string, { dataDir }: { dataDir: string }): Promise<number> {
  const interruption = onInterruption()
  try {
    const { entries, bytes } = await backUp(dataDir, target, interruption.signal)
    await print(`${target}: ${entries} entries, ${bytes} bytes`)
    return exitCodes.done
  } catch (error) {
    if (interruption.exitCode === undefined) throw error
    return interruption.exitCode
  }
}
