import { jobsJson } from '../../api/status-json.ts'
import { NoClusterError } from '../../common/errors.ts'
import type { ClientFlags, JsonFlag } from '../options/flags.ts'
import { withClient } from '../peers/client.ts'
import { print } from '../terminal/output.ts'
import { ENDLESS, screenOf } from '../terminal/screen.ts'
import { jobsTable } from '../terminal/status-view.ts'

export async function jobs(flags: ClientFlags & JsonFlag): Promise<number> {
  return await withClient(flags, async (client, { signal }) => {
    const { jobs, noLeader } = await client.status({ signal })
    // Only a leader knows the jobs.
    if (noLeader !== undefined) throw new NoClusterError(`there is no leader to ask for the jobs: ${noLeader}`)
    await print(
      flags.json
        ? JSON.stringify(jobsJson(jobs))
        : jobsTable(jobs, { ...ENDLESS, columns: screenOf(process.stdout).columns })
    )
  })
}
