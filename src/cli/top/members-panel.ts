/** The panel of members: the state, rank and load of each member. */
import { rankPositions } from '../../api/rank-positions.ts'
import { isLive, type Member, type MemberState } from '../../membership/core/member.ts'
import { MEMBER_TONES } from '../../views/states.ts'
import { bar, preciseDuration, shortId } from '../../views/words.ts'
import { shownAddress } from '../terminal/status-view.ts'
import type { Column } from './columns.ts'
import { piece } from './line.ts'
import type { Model } from './model.ts'

/** The sign of each state. The signs differ in shape, so that a user can tell the states apart without colours. */
const SIGNS: Record<MemberState, string> = { alive: '●', suspect: '◐', dead: '✕', left: '○' }
const MOST_BAR_CELLS = 8
/** Shown only if a member has a data folder. */
const DISK: Column<Member> = { title: 'DISK', width: 4, keep: 3, cell: ({ hasDisk }) => piece(hasDisk ? 'yes' : '-') }

export function memberColumns(model: Model): Array<Column<Member>> {
  const { leader, busy } = model
  const ranks = rankPositions(model.members)
  const busyAt = ({ id }: Member): number => busy?.get(id) ?? 0
  const rttOf = (member: Member): string =>
    member.rtt === undefined || !isLive(member) ? '-' : preciseDuration(member.rtt)
  return [
    {
      title: 'MEMBER',
      width: 10,
      cell: ({ id }) => (id === leader?.id ? piece(`★ ${shortId(id)}`, 'strong') : piece(`  ${shortId(id)}`))
    },
    { title: 'RANK', width: 4, align: 'right', keep: 3, cell: ({ id }) => piece(String(ranks.get(id) ?? '-')) },
    { title: 'STATE', width: 9, cell: ({ state }) => piece(`${SIGNS[state]} ${state}`, MEMBER_TONES[state]) },
    { title: 'ROLE', width: 6, keep: 2, cell: ({ role }) => piece(role) },
    {
      title: 'BUSY',
      width: 7,
      align: 'right',
      cell: member => {
        if (!isLive(member)) return piece('-')
        return piece(busy === undefined ? `?/${member.slots}` : `${busyAt(member)}/${member.slots}`)
      }
    },
    {
      title: '',
      width: MOST_BAR_CELLS,
      keep: 1,
      cell: (member, cells) => {
        if (!isLive(member) || busy === undefined || member.role === 'leader') return piece('')
        return piece(bar(busyAt(member), member.slots, Math.min(cells, Math.max(2, member.slots))))
      }
    },
    ...(model.members.some(({ hasDisk }) => hasDisk) ? [DISK] : []),
    { title: 'RTT', width: 7, align: 'right', keep: 4, cell: member => piece(rttOf(member)) },
    // A name that is cut in half is useless, so this column is shown only if the screen has enough room.
    {
      title: 'ADDRESS',
      width: 20,
      grows: 1,
      keep: 0,
      cell: ({ addresses }) => piece(shownAddress(addresses), 'gone')
    }
  ]
}
