/** The commands about data folders. */
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { acceptLoss } from '../../persistence/accept-loss.ts'
import { backUp } from '../../persistence/backup.ts'
import { identityIn } from '../../persistence/data-dir.ts'
import { exitCodes } from '../exit-codes.ts'
import { onInterruption } from '../terminal/interruption.ts'
import { print } from '../terminal/output.ts'

export async function id({ dataDir }: { dataDir: string }): Promise<number> {
  await print(peerIdFromPrivateKey(await identityIn(dataDir)).toString())
  return exitCodes.done
}

/** Lets a voter count again that has lost something, though no other voters have told it what. */
export async function acceptLosses({ dataDir }: { dataDir: string }): Promise<number> {
  const lost = await acceptLoss(dataDir)
  await print(
    lost.length === 0
      ? `${dataDir}: nothing is lost there, so nothing was changed`
      : `${dataDir}: its peer counts again, without what it has lost`
  )
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
