/** @jsxImportSource preact */
/** Draws the members as a ring, and shows elections as they happen. */
import type { JSX } from 'preact'
import { count, shortId } from '../../../views/words.ts'
import type { Model } from '../model/model.ts'
import { HALF, orbitOf, type Place, places } from '../model/ring.ts'
import { Elapsed } from './elapsed.tsx'
import { STAR } from './header.tsx'
import { StateMark } from './state-mark.tsx'

export function Ring({ model }: { model: Model }): JSX.Element {
  const { members, leader, leaderlessSince } = model
  const all = places(members, leader?.id)
  const leading = all.find(({ member }) => member.peerId === leader?.id)
  const isElecting = leaderlessSince !== undefined
  return (
    <section class="panel" aria-labelledby="ring-title">
      <h2 id="ring-title">Peers</h2>
      <svg id="ring" role="img" aria-label={describe(model)} viewBox={`${-HALF} ${-HALF} ${2 * HALF} ${2 * HALF}`}>
        <circle class={isElecting ? 'orbit electing' : 'orbit'} r={orbitOf(members.length)} />
        {leading !== undefined && (
          <line key={`${leader?.id} ${leader?.epoch}`} class="spoke" x2={0.9 * leading.x} y2={0.9 * leading.y} />
        )}
        <Middle model={model} />
        {all.map(place => (
          <Node key={place.member.peerId} place={place} isLeader={place === leading} />
        ))}
      </svg>
    </section>
  )
}

function Node({ place, isLeader }: { place: Place; isLeader: boolean }): JSX.Element {
  const { member, x, y, radius, label } = place
  return (
    <g
      data-ring-peer={member.peerId}
      data-state={member.state}
      data-is-leader={isLeader || undefined}
      class={isLeader ? 'node leads' : 'node'}
      transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
    >
      <title>{`${member.peerId}: ${member.state}${isLeader ? ', leader' : ''}`}</title>
      {isLeader && <path class="star" d={STAR} transform={`scale(${(radius / 10).toFixed(2)})`} />}
      <StateMark state={member.state} radius={isLeader ? radius * 0.32 : radius} />
      {label.kind !== 'none' && (
        <text
          class={label.kind}
          transform={`rotate(${label.turn.toFixed(1)})`}
          x={label.x}
          y={label.y}
          text-anchor={label.anchor}
          dy="0.33em"
        >
          {shortId(member.peerId)}
        </text>
      )}
    </g>
  )
}

function Middle({ model }: { model: Model }): JSX.Element | null {
  const { leader, leaderlessSince, whyNoLeader, connection } = model
  if (leader !== undefined) {
    return (
      <g key={leader.epoch} class="middle arrives">
        <rect class="plate" x={-52} y={-36} width={104} height={72} rx={10} />
        <text class="small" y={-16}>
          leader
        </text>
        <text class="big" y={5}>
          {shortId(leader.id)}
        </text>
        <text class="small" y={25}>
          epoch {leader.epoch}
        </text>
      </g>
    )
  }
  if (leaderlessSince === undefined) return null
  return (
    <g class="middle none">
      <text class="big" y={-4}>
        no leader
      </text>
      {connection.state === 'open' && (
        <text class="small" y={16}>
          since <Elapsed from={leaderlessSince} />
        </text>
      )}
      {whyNoLeader !== undefined && <title>{whyNoLeader}</title>}
    </g>
  )
}

function describe({ members, leader }: Model): string {
  const states = ['alive', 'suspect', 'dead', 'left'] as const
  const counts = states.map(state => [members.filter(member => member.state === state).length, state] as const)
  const told = counts.filter(([many]) => many > 0).map(([many, state]) => `${many} ${state}`)
  const who = leader === undefined ? 'no leader' : `${shortId(leader.id)} leads`
  return `Ring of ${count(members.length, 'peer')}: ${[...told, who].join(', ')}. The table of members has the same.`
}
