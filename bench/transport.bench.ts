/**
 * Measures the CPU time that a link takes, both ends together: bare `node:tls`, libp2p as it comes, and the channel of this project.
 *
 *     npm run bench -- transport [--quick] [ROW]…
 *
 * ROW is one of bulk, trips and links. The transports take turns, each in two processes of its own. The row `links` compares with noise
 * (`npm install --no-save @chainsafe/libp2p-noise`).
 */
import { endOnSignals, using } from './membership/resources.ts'
import { MeasuredRows, tell, WantedRows } from './rows.ts'
import { median } from './statistics.ts'
import { BULK, LINKS, TRIPS, WARM, WARM_LINKS } from './transport/amounts.mjs'
import { Link, type Transport } from './transport/links.ts'

endOnSignals()
const wanted = new WantedRows(['bulk', 'trips', 'links'])
const rows = new MeasuredRows(wanted)
const ROUNDS = wanted.quick ? 2 : 5

const NAMES: Record<Transport, string> = {
  tls: 'bare `node:tls`',
  stock: 'libp2p with TLS and yamux',
  noise: 'libp2p with noise and yamux',
  channel: 'a `Channel`'
}
/** Measures the transports by turns, and adds a row for each: the median, and how many times that of the first one it is. */
async function byTurns(
  what: string,
  must: string,
  transports: Transport[],
  cost: (kind: Transport) => Promise<number>,
  show: (µs: number) => string
): Promise<void> {
  const found = new Map(transports.map(kind => [kind, [] as number[]]))
  for (let round = 0; round < ROUNDS; round++)
    for (const [kind, costs] of found) {
      costs.push(await cost(kind))
      tell(`${what}, ${NAMES[kind]}: ${show(costs.at(-1)!)}`)
    }
  const first = median(found.get(transports[0]!)!)
  for (const [kind, costs] of found) {
    const times = kind === transports[0] ? '' : `, ${(median(costs) / first).toFixed(2)} ×`
    rows.add(`${what}, ${NAMES[kind]}`, kind === 'channel' ? must : '', show(median(costs)) + times, ROUNDS)
  }
}

const GIB = 2 ** 30
await rows.measure('bulk', () =>
  byTurns(
    'CPU of both ends per GiB in messages of 1 MiB, one way',
    'at most 2 × bare `node:tls`',
    ['tls', 'stock', 'channel'],
    kind => using(Link.open(kind, 'dial'), link => link.cost('bulk')),
    µs => `${((µs / 1e6 / BULK) * GIB).toFixed(2)} s`
  )
)
await rows.measure('trips', () =>
  byTurns(
    'CPU of both ends for a round trip of 100 bytes',
    'at most 3 × bare `node:tls`',
    ['tls', 'stock', 'channel'],
    kind =>
      using(Link.open(kind, 'dial'), async link => {
        await link.cost('trips', WARM)
        return await link.cost('trips', TRIPS)
      }),
    µs => `${(µs / TRIPS).toFixed(0)} µs`
  )
)
await rows.measure('links', () =>
  byTurns(
    'CPU of both ends for a link, from its dial until it is ready and closed',
    'at most 1.2 × noise',
    ['noise', 'stock', 'channel'],
    kind =>
      using(Link.open(kind, 'links'), async link => {
        await link.cost('links', WARM_LINKS)
        return await link.cost('links', LINKS)
      }),
    µs => `${(µs / 1_000 / LINKS).toFixed(1)} ms`
  )
)
rows.print()
