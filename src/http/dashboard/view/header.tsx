/** @jsxImportSource preact */
/** The header: the cluster, its leader, and the state of the page's connection. */
import type { JSX } from 'preact'
import { shortId, timeOfDay } from '../../../views/words.ts'
import type { Connection, Model } from '../model/model.ts'
import { Elapsed } from './elapsed.tsx'

export function Header({ model }: { model: Model }): JSX.Element {
  const { cluster, leader, epoch, leaderlessSince, connection } = model
  return (
    <header class="bar">
      <h1>
        <span class="brand">p2p-worker</span> <span class="cluster">{cluster ?? '…'}</span>
      </h1>
      <p id="leader" class="leader" data-leader-id={leader?.id ?? ''} data-epoch={String(leader?.epoch ?? epoch ?? '')}>
        {leader !== undefined ? (
          <>
            <svg class="mark" viewBox="-12 -12 24 24" aria-hidden="true">
              <path class="star" d={STAR} />
            </svg>
            <span>leader</span> <code title={leader.id}>{shortId(leader.id)}</code> <span>epoch {leader.epoch}</span>
          </>
        ) : leaderlessSince !== undefined ? (
          <strong class="bad">
            no leader
            {connection.state === 'open' && (
              <>
                {' '}
                since <Elapsed from={leaderlessSince} />
              </>
            )}
          </strong>
        ) : (
          <span class="muted">asking the peer…</span>
        )}
      </p>
      {/* The time that goes on is left out: this is read aloud with each change. */}
      <p class="hidden" role="status">
        {leader !== undefined
          ? `${shortId(leader.id)} leads, epoch ${leader.epoch}`
          : leaderlessSince !== undefined && `No leader`}
      </p>
      <p class="connection">
        <span class={`dot ${connection.state}`} aria-hidden="true" />
        {connection.state === 'open' ? 'connected to' : connection.state === 'lost' ? 'lost' : 'connecting to'}{' '}
        <code>{location.host}</code>
      </p>
    </header>
  )
}

/** The path of a star of five points within a radius of 10. */
export const STAR = `M${Array.from({ length: 10 }, (_, index) => {
  const radius = index % 2 === 0 ? 10 : 4.2
  const turn = (index * Math.PI) / 5
  return `${(radius * Math.sin(turn)).toFixed(2)},${(-radius * Math.cos(turn)).toFixed(2)}`
}).join('L')}Z`

interface LostProps {
  connection: Connection
  /** Whether the page shows data, which may be outdated. */
  hasPicture: boolean
}

export function LostPeer({ connection, hasPicture }: LostProps): JSX.Element {
  return (
    <div id="lost" role="alert" hidden={connection.state !== 'lost'}>
      {connection.state === 'lost' && (
        <p>
          <strong>Lost the peer at {location.host}</strong> since <time>{timeOfDay(connection.since)}</time>:{' '}
          {connection.why}. {hasPicture ? 'This page shows the state of that time. ' : ''}The page tries again by
          itself.
        </p>
      )}
    </div>
  )
}
