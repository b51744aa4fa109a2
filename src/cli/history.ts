import type { Client, PastLeadership } from '../api.ts'
import { closeClient, connectClient } from './client.ts'
import { exitCodes } from './exit-codes.ts'
import type { ClientFlags, JsonFlag } from './flags.ts'
import { shortId, span } from './format.ts'
import { onInterruption } from './interruption.ts'
import { print } from './output.ts'
import { table } from './table.ts'

export async function history(flags: ClientFlags & JsonFlag): Promise<number> {
  const interruption = onInterruption()
  let client: Client | undefined
  try {
    client = await connectClient(flags, interruption.signal, false)
    const past = await client.history({ signal: interruption.signal })
    await print(flags.json ? JSON.stringify(historyJson(past)) : historyTable(past, Date.now()))
    return exitCodes.done
  } catch (error) {
    if (interruption.exitCode === undefined) throw error
    return interruption.exitCode
  } finally {
    if (client !== undefined) await closeClient(client)
  }
}

function historyJson(past: readonly PastLeadership[]): object[] {
  const time = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString())
  return past.map(({ leader, epoch, from, until, why, seenBy }) => {
    return { peerId: leader, epoch, from: time(from), until: time(until), why: why ?? null, seenBy }
  })
}

function historyTable(past: readonly PastLeadership[], now: number): string {
  if (past.length === 0) return 'nobody has led yet'
  const rows = past.map(({ leader, epoch, from, until, why, seenBy }) => [
    String(epoch),
    shortId(leader),
    new Date(from).toISOString(),
    span((until ?? now) - from),
    why ?? 'leads',
    String(seenBy)
  ])
  const columns = [{ title: 'LEADER' }, { title: 'FROM' }, { title: 'FOR', align: 'right' as const }, { title: 'END' }]
  return table([{ title: 'EPOCH', align: 'right' }, ...columns, { title: 'SEEN BY', align: 'right' }], rows)
}
