import type { PastLeadership } from '../../api/types.ts'
import { duration, shortId } from '../../views/words.ts'
import type { ClientFlags, JsonFlag } from '../options/flags.ts'
import { look } from '../peers/client.ts'
import { print } from '../terminal/output.ts'
import { type Screen, screenOf } from '../terminal/screen.ts'
import { type Column, table } from '../terminal/table.ts'

export async function history(flags: ClientFlags & JsonFlag): Promise<number> {
  return await look(flags, async (client, { signal }) => {
    const past = await client.history({ signal })
    await print(
      flags.json ? JSON.stringify(historyJson(past)) : historyTable(past, Date.now(), screenOf(process.stdout))
    )
  })
}

function historyJson(past: readonly PastLeadership[]): object[] {
  const time = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString())
  return past.map(({ leader, epoch, from, until, why, seenBy }) => {
    return { peerId: leader, epoch, from: time(from), until: time(until), why: why ?? null, seenBy }
  })
}

export function historyTable(past: readonly PastLeadership[], now: number, { columns: room }: Screen): string {
  if (past.length === 0) return 'no peer has led yet'
  const rows = past.map(({ leader, epoch, from, until, why, seenBy }) => [
    String(epoch),
    shortId(leader),
    new Date(from).toISOString(),
    duration((until ?? now) - from),
    why ?? 'leads',
    String(seenBy)
  ])
  const columns: Column[] = [
    { title: 'EPOCH', align: 'right' },
    { title: 'LEADER' },
    { title: 'FROM', drop: 2 },
    { title: 'FOR', align: 'right', drop: 1 },
    { title: 'END', shrink: { turn: 1, least: 8 } },
    { title: 'SEEN BY', align: 'right', drop: 3 }
  ]
  return table(columns, rows, room)
}
