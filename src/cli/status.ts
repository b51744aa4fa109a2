import { statusJson } from '../status-json.ts'
import { look } from './client.ts'
import type { ClientFlags, JsonFlag } from './flags.ts'
import { count, span } from './format.ts'
import { print, printable } from './output.ts'
import { headline, jobsTable, membersTable } from './status-view.ts'

export async function status(flags: ClientFlags & JsonFlag): Promise<number> {
  return await look(flags, async (client, { signal }) => {
    const seen = await client.status({ signal })
    if (flags.json) {
      await print(JSON.stringify(statusJson(seen)))
      return
    }
    await print(headline(seen.cluster, seen.leader, seen.members))
    if (seen.noLeader !== undefined) await print(`no leader: ${printable(seen.noLeader)}`)
    await print(`${count(seen.leaderChanges, 'leadership')} so far, ${span(seen.leaderless)} without a leader`)
    await print(`\n${membersTable(seen.leader, seen.members, Date.now())}`)
    await print(`\n${jobsTable(seen.jobs)}`)
  })
}
