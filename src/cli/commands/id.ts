import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { identityIn } from '../../persistence/data-dir.ts'
import { exitCodes } from '../exit-codes.ts'
import { print } from '../terminal/output.ts'

export async function id({ dataDir }: { dataDir: string }): Promise<number> {
  await print(peerIdFromPrivateKey(await identityIn(dataDir)).toString())
  return exitCodes.done
}
