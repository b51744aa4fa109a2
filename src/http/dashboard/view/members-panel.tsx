/** @jsxImportSource preact */
import type { JSX } from 'preact'
import { capacityOf } from '../../../views/members.ts'
import { number, preciseDuration, shortId } from '../../../views/words.ts'
import type { ShownMember } from '../model/model.ts'
import { Scroll } from './scroll.tsx'
import { State } from './state-mark.tsx'
import { Titles } from './titles.tsx'

interface Props {
  members: readonly ShownMember[]
  leader: string | undefined
  /** The number of slots in which chunks run. */
  busy: number
}

export function MembersPanel({ members, leader, busy }: Props): JSX.Element {
  const { live, slots } = capacityOf(members)
  const hasDisks = members.some(({ hasDisk }) => hasDisk)
  return (
    <section class="panel" aria-labelledby="members-title">
      <h2 id="members-title">
        Members <small>{`${live.length} live of ${members.length} · ${busy} of ${number(slots)} slots busy`}</small>
      </h2>
      <Scroll label="Table of members" tall>
        <table id="members">
          <Titles
            titles={['Peer', 'State', 'Role', ...(hasDisks ? ['Disk'] : [])]}
            numbers={['Rank', 'Slots', 'Busy', 'RTT']}
          />
          <tbody>
            {members.map(member => (
              <Row key={member.peerId} member={member} isLeader={member.peerId === leader} hasDisks={hasDisks} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}

interface RowProps {
  member: ShownMember
  isLeader: boolean
  /** Whether the table says which members have a data folder. */
  hasDisks: boolean
}

function Row({ member, isLeader, hasDisks }: RowProps): JSX.Element {
  const { peerId, state, role, rank, slots, busy, rttMs, hasDisk } = member
  const isBusy = typeof busy === 'number' && busy > 0
  return (
    <tr data-peer={peerId} data-state={state} data-is-leader={isLeader || undefined}>
      <th scope="row">
        <code title={peerId}>{shortId(peerId)}</code>
        {isLeader && <span class="badge">leader</span>}
      </th>
      <td>
        <State state={state} />
      </td>
      <td>{role ?? '–'}</td>
      {hasDisks && <td>{hasDisk ? 'yes' : '–'}</td>}
      <td class="end">{rank ?? '–'}</td>
      <td class="end">{slots ?? '–'}</td>
      <td class={isBusy ? 'end busy' : 'end'}>{busy ?? '–'}</td>
      <td class="end">{typeof rttMs === 'number' ? preciseDuration(rttMs) : '–'}</td>
    </tr>
  )
}
