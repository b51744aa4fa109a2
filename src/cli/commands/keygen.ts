import { InvalidOptionError } from '../../common/errors.ts'
import { generateClusterKey, replacementKey } from '../../network/cluster-key.ts'
import { exitCodes } from '../exit-codes.ts'
import { readKeyFile } from '../keys/key-file.ts'
import { print, say } from '../terminal/output.ts'

export interface KeygenFlags {
  /** The key file whose first key the new key replaces. */
  replace?: string
  cluster: string
}

/** @param namesCluster - whether the command line names the cluster */
export async function keygen({ replace, cluster }: KeygenFlags, namesCluster: boolean): Promise<number> {
  if (replace === undefined && namesCluster) {
    throw new InvalidOptionError(
      '--cluster means nothing without --replace: a new key is of no cluster until a peer is started with it'
    )
  }
  if (replace !== undefined) say(`A key for cluster ${cluster}, to take the place of the first in ${replace}:`)
  await print(
    replace === undefined ? generateClusterKey() : replacementKey(cluster, (await readKeyFile(replace, '--replace'))[0])
  )
  return exitCodes.done
}
