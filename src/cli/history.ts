import type { PastLeadership } from '../api.ts'
import { look } from './client.ts'
import type { ClientFlags, JsonFlag } from './flags.ts'
import { shortId, span } from './format.ts'
import { print } from './output.ts'
import { table } from './table.ts'

export async function history(flags: ClientFlags & JsonFlag): Promise<number> {
  return await look(flags, async (client, { signal }) => {
    const past = await client.history({ signal })
    await print(flags.json ? JSON.stringify(historyJson(past)) : historyTable(past, Date.now()))
  })
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
