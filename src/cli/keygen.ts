import { generateClusterKey } from '../network/cluster-key.ts'
import { exitCodes } from './exit-codes.ts'
import { print } from './output.ts'

export async function keygen(): Promise<number> {
  await print(generateClusterKey())
  return exitCodes.done
}
