import { membersJson, type ShownMember } from '../../api/status-json.ts'
import type { Client } from '../../api/types.ts'
import { shortId } from '../../views/words.ts'
import type { MembersFlags } from '../options/flags.ts'
import { look } from '../peers/client.ts'
import { onViewChange } from '../peers/view-changes.ts'
import { aborted, type Interruption } from '../terminal/interruption.ts'
import { isInteractive, print } from '../terminal/output.ts'
import { ENDLESS, type Screen, screenOf } from '../terminal/screen.ts'
import { headLines, membersTable } from '../terminal/status-view.ts'

/** The interval at which a watched table is redrawn, in ms. The table shows times, which change each second. */
const REDRAW_MS = 1_000
const TOP_LEFT = '\u001b[H'
const TO_END_OF_LINE = '\u001b[K'
const ALL_BELOW = '\u001b[J'

function view(
  cluster: string,
  client: Client,
  screen: Screen,
  members: readonly ShownMember[] = client.members()
): string {
  const { leader } = client
  const head = headLines(cluster, leader, members, screen.columns)
  // Two rows are for an empty line and the titles of the table.
  const room = { ...screen, rows: screen.rows - head.length - 2 }
  const table = membersTable(leader, members, Date.now(), room, 'p2p-worker members, or a larger screen')
  return [...head, '', table].join('\n')
}

/**
 * Draws a screen over the previous screen, line by line, in one write. The screen does not flicker. It does not scroll,
 * because the last row stays free.
 */
function redraw(cluster: string, client: Client): void {
  const { columns, rows } = screenOf(process.stdout)
  const lines = view(cluster, client, { columns, rows: rows - 1 }).split('\n')
  process.stdout.write(TOP_LEFT + lines.map(line => `${line}${TO_END_OF_LINE}\n`).join('') + ALL_BELOW)
}

/** Prints each change as a line. Output that is not a terminal cannot be redrawn. */
function plainLines(client: Client): () => string[] {
  let before = new Map<string, string>()
  let leaderBefore: string | undefined
  return () => {
    const now = new Date().toISOString()
    const after = new Map(client.members().map(({ id, state }) => [id, state]))
    const lines = [...after].flatMap(([id, state]) =>
      before.get(id) === state ? [] : [`${now} ${shortId(id)} ${state}`]
    )
    const { leader } = client
    const leads = leader === undefined ? 'no leader' : `${shortId(leader.id)} leads (epoch ${leader.epoch})`
    if (leads !== leaderBefore) lines.push(`${now} ${leads}`)
    before = after
    leaderBefore = leads
    return lines
  }
}

async function watch(client: Client, flags: MembersFlags, interruption: Interruption): Promise<void> {
  const redraws = !flags.json && isInteractive(process.stdout)
  const changes = plainLines(client)
  let shown = ''
  const show = (): void => {
    if (redraws) {
      redraw(flags.cluster, client)
      return
    }
    if (!flags.json) {
      for (const line of changes()) void print(line)
      return
    }
    const text = JSON.stringify(membersJson(flags.cluster, client.leader, client.members()))
    if (text !== shown) void print(text)
    shown = text
  }

  const unfollow = onViewChange(client, show)
  const clock = redraws ? setInterval(show, REDRAW_MS) : undefined
  if (redraws) process.stdout.on('resize', show)
  show()
  await aborted(interruption.signal)
  clearInterval(clock)
  unfollow()
  process.stdout.off('resize', show)
}

export async function members(flags: MembersFlags): Promise<number> {
  return await look(flags, async (client, interruption) => {
    if (flags.watch) {
      await watch(client, flags, interruption)
      return
    }
    const seen = await client.status({ signal: interruption.signal })
    if (flags.json) await print(JSON.stringify(membersJson(seen.cluster, seen.leader, seen.members)))
    else
      await print(view(seen.cluster, client, { ...ENDLESS, columns: screenOf(process.stdout).columns }, seen.members))
  })
}
