/**
 * Measures the CPU time that a link takes, both ends together: bare `node:tls`, libp2p as it comes, and the channel of this project.
 *
 *     npm run bench -- transport [--quick] [ROW]…
 *
 * ROW is one of bulk, trips and links. The transports take turns, each in two processes of its own. The row `links` compares with noise
 * (`npm install --no-save @chainsafe/libp2p-noise`) if it is installed.
 */
import { endOnSignals, using } from './membership/resources.ts'
import { MeasuredRows, tell, WantedRows } from './rows.ts'
import { median } from './statistics.ts'
import { hasNoise, Link, type Transport } from './transport/links.ts'

endOnSignals()
const wanted = new WantedRows(['bulk', 'trips', 'links'])
const rows = new MeasuredRows(wanted)
const ROUNDS = wanted.quick ? 2 : 5
const GIB = 2 ** 30
const BULK = wanted.quick ? GIB / 16 : GIB
const TRIPS = wanted.quick ? 1_000 : 20_000
const LINKS = wanted.quick ? 10 : 100

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

/** Returns what it costs to do something so many times, after a tenth of them as a warm-up. */
const costOf = (role: 'dial' | 'links', what: 'bulk' | 'trips' | 'links', count: number) => (kind: Transport) =>
  using(Link.open(kind, role), async link => {
    await link.cost(what, Math.ceil(count / 10))
    return await link.cost(what, count)
  })

await rows.measure('bulk', () =>
  byTurns(
    'CPU of both ends per GiB in messages of 1 MiB, one way',
    'at most 2 × bare `node:tls`',
    ['tls', 'stock', 'channel'],
    costOf('dial', 'bulk', BULK),
    µs => `${((µs / 1e6 / BULK) * GIB).toFixed(2)} s`
  )
)
await rows.measure('trips', () =>
  byTurns(
    'CPU of both ends for a round trip of 100 bytes',
    'at most 3 × bare `node:tls`',
    ['tls', 'stock', 'channel'],
    costOf('dial', 'trips', TRIPS),
    µs => `${(µs / TRIPS).toFixed(0)} µs`
  )
)
await rows.measure('links', () =>
  byTurns(
    'CPU of both ends for a link, from its dial until a message has come back, and its end',
    'at most 1.2 × noise',
    [...(hasNoise ? (['noise'] as const) : []), 'stock', 'channel'],
    costOf('links', 'links', LINKS),
    µs => `${(µs / 1_000 / LINKS).toFixed(1)} ms`
  )
)
rows.print()
