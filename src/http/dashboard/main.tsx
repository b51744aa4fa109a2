/** @jsxImportSource preact */
/** The dashboard. It follows the events of its peer, and redraws the page once a second, or immediately after an urgent event. */
import { render } from 'preact'
import { pauseAfter } from './model/locks.ts'
import { type Happening, happen, type Model, START } from './model/model.ts'
import type { WireJobEvent, WireLeaderEvent, WireMemberEvent, WireStatus } from './model/wire.ts'
import { Redraw } from './redraw.ts'
import { EVERY_SECOND, follow } from './stream.ts'
import { App } from './view/app.tsx'

let model: Model = START
const root = document.getElementById('app')!
const redraw = new Redraw(() => {
  const { cluster, connection } = model
  if (cluster !== undefined) document.title = `p2p-worker · ${cluster}`
  if (connection.state !== 'opening') document.body.dataset.connected = String(connection.state === 'open')
  render(<App model={model} onSchedule={schedules.soon} />, root)
})

/** How long a request for a list may take, in ms. */
const LIST_MS = 30_000
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

/** Asks the peer again and again for a list, which no event carries. */
class List {
  readonly #type: 'locks' | 'schedules'
  /** The earliest time of the next request, by `performance.now()`. */
  #next = 0

  constructor(type: 'locks' | 'schedules') {
    this.#type = type
  }

  readonly soon = (): void => {
    this.#next = 0
    void this.ask()
  }

  async ask(): Promise<void> {
    const isUseful = !document.hidden && model.connection.state === 'open' && model.leader !== undefined
    if (!isUseful || performance.now() < this.#next) return
    this.#next = Number.POSITIVE_INFINITY
    try {
      const response = await fetch(`/api/${this.#type}`, { cache: 'no-store', signal: AbortSignal.timeout(LIST_MS) })
      if (response.ok) tell({ type: this.#type, at: Date.now(), data: await response.json() })
    } catch {
      // The events tell whether the peer is lost. The page keeps the last list.
    } finally {
      // The timer of this page may be early.
      this.#next = performance.now() + pauseAfter(model[this.#type]) - 100
    }
  }
}

const locks = new List('locks')
const schedules = new List('schedules')

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
  void locks.ask()
  void schedules.ask()
}, 1_000)

redraw.wanted(true)
