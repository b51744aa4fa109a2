import type { LockInfo } from '../../api/lock-types.ts'
import { duration, shortId } from '../../views/words.ts'
import type { ClientFlags, JsonFlag } from '../options/flags.ts'
import { withClient } from '../peers/client.ts'
import { print } from '../terminal/output.ts'
import { screenOf } from '../terminal/screen.ts'
import { table } from '../terminal/table.ts'
import { oneLine } from '../terminal/text-width.ts'

export async function locks(flags: ClientFlags & JsonFlag): Promise<number> {
  return await withClient(flags, async (client, { signal }) => {
    const locks = await client.locks({ signal })
    await print(flags.json ? JSON.stringify(locks) : locksTable(locks, Date.now(), screenOf(process.stdout).columns))
  })
}

/** Returns one row for each session that holds or waits for a lock. */
export function locksTable(locks: readonly LockInfo[], now: number, columns = Number.POSITIVE_INFINITY): string {
  if (locks.length === 0) return 'nobody holds or waits for a lock'
  const rows = locks.flatMap(({ kind, name, limit, holders, waiters }) => {
    const what = oneLine(name)
    const row = (state: string, who: { owner: string; client: string; since: number }, token: string): string[] => [
      what,
      kind === 'lock' ? (limit === 1 ? 'lock' : `lock of ${limit}`) : kind,
      state,
      oneLine(who.owner),
      shortId(who.client),
      duration(Math.max(0, now - who.since)),
      token
    ]
    return [
      ...holders.map(holder => row('holds', holder, String(holder.token))),
      ...waiters.map((waiter, at) => row(`waits ${at + 1}`, waiter, ''))
    ]
  })
  const titles = [
    { title: 'NAME', shrink: { turn: 1, least: 8 } },
    { title: 'KIND', drop: 2 },
    { title: 'STATE' },
    { title: 'OWNER', shrink: { turn: 2, least: 8 } },
    { title: 'CLIENT', drop: 1 },
    { title: 'SINCE', align: 'right' as const },
    { title: 'TOKEN', align: 'right' as const, drop: 3 }
  ]
  return table(titles, rows, columns)
}
