import type { Client } from '../api.ts'
import { closeClient, connectClient } from './client.ts'
import { exitCodes } from './exit-codes.ts'
import type { ClientFlags, JsonFlag } from './flags.ts'
import { count, span } from './format.ts'
import { onInterruption } from './interruption.ts'
import { print, printable } from './output.ts'
import { headline, jobsTable, membersTable, statusJson } from './status-view.ts'

export async function status(flags: ClientFlags & JsonFlag): Promise<number> {
  const interruption = onInterruption()
  let client: Client | undefined
  try {
    client = await connectClient(flags, interruption.signal, false)
    const seen = await client.status({ signal: interruption.signal })
    if (flags.json) await print(JSON.stringify(statusJson(seen)))
    else {
      await print(headline(seen.cluster, seen.leader, seen.members))
      if (seen.noLeader !== undefined) await print(`no leader: ${printable(seen.noLeader)}`)
      await print(`${count(seen.leaderChanges, 'leadership')} so far, ${span(seen.leaderless)} without a leader`)
      await print(`\n${membersTable(seen.leader, seen.members, Date.now())}`)
      await print(seen.jobs.length === 0 ? '\nno jobs' : `\n${jobsTable(seen.jobs)}`)
    }
    return exitCodes.done
  } catch (error) {
    if (interruption.exitCode === undefined) throw error
    return interruption.exitCode
  } finally {
    if (client !== undefined) await closeClient(client)
  }
}
