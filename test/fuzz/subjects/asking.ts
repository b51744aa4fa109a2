/** Protocols of questions and answers. The side that asks is fuzzed with answers, and the side that answers is fuzzed with questions. */

import { attachProtocol } from '../../../src/attach/view.ts'
import { END_REASONS } from '../../../src/election/audit-log.ts'
import { overviewProtocol } from '../../../src/jobs/protocol/overview-messages.ts'
import { HistoryMessage } from '../../../src/wire/election.gen.ts'
import { overview as anOverview } from '../../jobs/drawn.ts'
import fc from '../../properties.ts'
import { metadataOf } from '../../simulation/membership.ts'
import type { Random } from '../random.ts'
import type { Subject } from '../subject.ts'
import type { World } from '../world/world.ts'
import { aNumber, anEpoch, anId } from './known.ts'

/** Draws the id of a question. Ids count from 1, so mostly a low number is drawn. */
const someId = (random: Random): number => (random.chance(0.8) ? 1 + random.below(40) : aNumber(random) % 2 ** 32)

export const history: Subject = {
  name: 'history',
  kind: 'protocol',
  pool: (world, random) =>
    Array.from({ length: 400 }, () => {
      const record = () => ({
        leader: anId(world, random),
        epoch: anEpoch(world, random),
        from: random.pick([0, 1, -1, 8.64e15, 8.65e15, Number.NaN]),
        ...(random.chance(0.5)
          ? { until: random.pick([0, 5, -1, Number.POSITIVE_INFINITY]), why: random.pick(END_REASONS) }
          : { why: '' })
      })
      const answer = { records: Array.from({ length: random.below(4) }, record) }
      return HistoryMessage.encode({ id: someId(random), ...(random.chance(0.8) && { answer }) })
    })
}

function view(world: World, random: Random): Uint8Array {
  const members = Array.from({ length: random.below(4) }, () => ({
    ...metadataOf(world.hostile.self),
    id: anId(world, random),
    addresses: [],
    state: random.pick(['alive', 'suspect', 'dead', 'left'] as const),
    incarnation: aNumber(random),
    revision: aNumber(random),
    since: random.pick([0, -1, 1e308, 8.65e15]),
    ...(random.chance(0.5) && { rtt: random.pick([0, 1, 1e308]) })
  }))
  const id = anId(world, random)
  const leader = { id, epoch: anEpoch(world, random), rank: { priority: 0, id } }
  const voters = random.chance(0.2) ? [id] : undefined
  const stats = { changes: aNumber(random), leaderless: random.pick([0, 1, 1e308]) }
  const now = random.pick([undefined, 0, -1, 1e308])
  return attachProtocol.codec.encode({
    type: 'view',
    view: { cluster: 'fuzz', leader: random.chance(0.8) ? leader : undefined, members, now, voters, stats }
  })
}

export const attach: Subject = {
  name: 'attach',
  kind: 'protocol',
  victims: ['leader', 'follower', 'client', 'client'],
  pool: (world, random) =>
    Array.from({ length: 300 }, () => {
      const { encode } = attachProtocol.codec
      const kind = random.below(6)
      if (kind < 3) return view(world, random)
      // A valid view makes the client connect again.
      if (kind === 3) return world.hostile.view()
      return encode({ type: random.pick(['subscribe', 'ping', 'pong'] as const) })
    })
}

export const overview: Subject = {
  name: 'overview',
  kind: 'protocol',
  pool: (_, random) => {
    const seed = random.below(2 ** 31)
    return fc
      .sample(anOverview, { seed, numRuns: 300 })
      .map(message => overviewProtocol.codec.encode({ ...message, id: someId(random) }))
  }
}
