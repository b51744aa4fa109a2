/** Puts suspended jobs into the data folder of a peer, as if the cluster had forgotten how they ended. */
import { fileURLToPath } from 'node:url'
import { prepareJob } from '../../src/api/prepare-job.ts'
import { silent } from '../../src/common/logger.ts'
import { submissionOf } from '../../src/jobs/client/submission.ts'
import { recordOf } from '../../src/journal/record.ts'
import { ReplicaDisk } from '../../src/journal/replica-disk.ts'
import { DataDir } from '../../src/persistence/data-dir.ts'

/** The task of the jobs, whose result is `none`. */
export const DUE = fileURLToPath(new URL('./tasks/due.ts', import.meta.url))

/** @param cluster - the name of the peer's cluster */
export async function putSuspended(folder: string, cluster: string, ids: readonly string[]): Promise<void> {
  const dataDir = await DataDir.open({ folder, cluster: { name: cluster, id: undefined } })
  const leader = dataDir.privateKey.publicKey.toString()
  const { replica, whenSynced } = await ReplicaDisk.open(dataDir.log, silent)
  const writer = { epoch: 1, rank: { priority: 0, id: leader } }
  replica.read(writer)
  const submission = await submissionOf(await prepareJob(DUE, {}, {}), {})
  for (const job of ids) {
    replica.write({
      job,
      stamp: { ...writer, version: 1 },
      submissionId: job,
      end: undefined,
      hasOutcome: false,
      next: 0,
      durable: 0,
      isSuspended: true,
      record: recordOf(submission, 1, { leader, epoch: 1 })
    })
  }
  await new Promise<boolean>(resolve => whenSynced(resolve))
  await dataDir.close()
}
