/** @jsxImportSource preact */
/** The dashboard. It follows the events of its peer, and redraws the page once a second, or immediately after an urgent event. */
import { render } from 'preact'
import { pauseAfter } from './model/locks.ts'
import { type Happening, happen, type Model, START } from './model/model.ts'
import type { WireJobEvent, WireLeaderEvent, WireLock, WireMemberEvent, WireStatus } from './model/wire.ts'
import { Redraw } from './redraw.ts'
import { EVERY_SECOND, follow } from './stream.ts'
import { App } from './view/app.tsx'

let model: Model = START
const root = document.getElementById('app')!
const redraw = new Redraw(() => {
  const { cluster, connection } = model
  if (cluster !== undefined) document.title = `p2p-worker · ${cluster}`
  if (connection.state !== 'opening') document.body.dataset.connected = String(connection.state === 'open')
  render(<App model={model} />, root)
})

/** How long a request for the locks may take, in ms. */
const LOCKS_MS = 30_000
/** The urgent events. The page shows them in the next frame. */
const URGENT: readonly string[] = ['leader', 'member', 'lost']

function tell(happening: Happening): void {
  const before = model
  model = happen(model, happening)
  if (model === before) return
  const isUrgent = URGENT.includes(happening.type) || model.connection.state !== before.connection.state
  redraw.wanted(isUrgent || before.cluster === undefined)
}

function parse(event: string, data: string): Happening | undefined {
  const at = Date.now()
  switch (event) {
    case 'status':
      return { type: event, at, data: JSON.parse(data) as WireStatus }
    case 'member':
      return { type: event, at, data: JSON.parse(data) as WireMemberEvent }
    case 'leader':
      return { type: event, at, data: JSON.parse(data) as WireLeaderEvent }
    case 'job':
      return { type: event, at, data: JSON.parse(data) as WireJobEvent }
    default:
      return undefined
  }
}

// The signal never aborts: the dashboard runs as long as the page is open.
const { signal } = new AbortController()
void follow(
  '/api/events',
  {
    opened: () => tell({ type: 'opened', at: Date.now() }),
    event({ event, data }) {
      const happening = parse(event, data)
      if (happening !== undefined) tell(happening)
    },
    found: () => tell({ type: 'found', at: Date.now() }),
    lost: (since, why) => tell({ type: 'lost', at: Date.now(), since, why })
  },
  EVERY_SECOND,
  signal
)
setInterval(() => {
  tell({ type: 'tick', at: Date.now() })
  void askLocks()
}, 1_000)

/** The earliest time of the next request for the locks, by `performance.now()`. */
let nextLocks = 0

async function askLocks(): Promise<void> {
  const isUseful = !document.hidden && model.connection.state === 'open' && model.leader !== undefined
  if (!isUseful || performance.now() < nextLocks) return
  nextLocks = Number.POSITIVE_INFINITY
  try {
    const response = await fetch('/api/locks', { cache: 'no-store', signal: AbortSignal.timeout(LOCKS_MS) })
    if (response.ok) tell({ type: 'locks', at: Date.now(), data: (await response.json()) as WireLock[] })
  } catch {
    // The events tell whether the peer is lost. The page keeps the last locks.
  } finally {
    // The timer of this page may be early.
    nextLocks = performance.now() + pauseAfter(model.locks) - 100
  }
}

redraw.wanted(true)
