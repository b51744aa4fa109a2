/** Bugs planted into the membership core: each breaks one rule, which the simulation must notice. */
import type { SwimEvent, SwimMessage } from '../../../src/membership/core/messages.ts'
import type { MemberRecord, Signed } from '../../../src/membership/core/record.ts'
import { type SwimRules, swimRules } from '../../../src/membership/core/rules.ts'
import { profiles } from '../../../src/membership/profile.ts'
import type { Bend } from '../membership.ts'
import { crashSeveral, pauseSome } from '../membership-calm.ts'
import { type Bug, runSeed } from '../membership-scenario.ts'
import { Violation } from '../membership-truth.ts'
import { type PlantedBugs, thrownBy } from './planted-bug.ts'

/** Bugs that the worlds with all kinds of fault show. Each key says what the broken core does. */
const BUGS: { readonly [name: string]: Bug } = {
  'ignores accusations instead of refuting them': { rules: { mustRefute: () => false } },
  'refutes without raising its incarnation': { bend: withoutRaising },
  'takes old records as new ones': { rules: { supersedes: () => true } },
  'lets a member that left return within the same incarnation': { rules: { supersedes: supersedesLeft } },
  'counts accusations against any incarnation': {
    rules: { counts: (accusation, record) => record.state === 'alive' && accusation.target === record.member }
  },
  'keeps refuted accusations': { rules: { outlive: () => true } },
  'does not raise its incarnation above its earlier life': { rules: { mustGoAbove: () => false } },
  'takes one refusal as proof of a crash': { rules: { provesCrash: ({ accusers }) => accusers.size >= 1 } },
  'gives suspects less time than it should': {
    profile: { suspicionMin: profiles.lan.suspicionMin / 2, suspicionMax: profiles.lan.suspicionMin / 2 }
  },
  'never ends a suspicion': {
    profile: { suspicionMin: Number.POSITIVE_INFINITY, suspicionMax: Number.POSITIVE_INFINITY }
  },
  'gives suspects no more time after it was paused': { profile: { stallTolerance: Number.POSITIVE_INFINITY } },
  'does not withdraw a refusal after a new connection': {
    bend: () => ({
      event: (event, get) => (event.type === 'connected' && get(event.peer)?.state === 'suspect' ? undefined : event)
    })
  },
  'never tries dead members again': { profile: { healInterval: Number.POSITIVE_INFINITY } },
  'never exchanges tables by itself': { profile: { pushPullInterval: Number.POSITIVE_INFINITY } },
  'leaves accusations out of push-pulls': { bend: () => saying(withoutAccusations) },
  'does not tell suspects their accusations': { bend: () => saying(silentPing) },
  'accuses without asking others to ping the target': {
    bend: () => saying(message => (message.type === 'ping-req' ? undefined : message))
  },
  'ignores relayed answers': {
    bend: () => ({ ackProofs: sound => ({ ...sound, verify: () => false }) })
  },
  'takes a nack as an ack, and needs no proof': {
    bend: () => ({ ...hearing(nackAsAck), ackProofs: sound => ({ ...sound, verify: () => true }) })
  },
  'relays pings without naming the asker': {
    bend: () => saying(message => (message.type === 'ping' ? { ...message, asker: undefined } : message))
  },
  'proves its relayed answers to the relay instead of the asker': {
    bend: () => ({ ackProofs: sound => ({ ...sound, sign: ({ nonce }) => sound.sign({ origin: 'relay', nonce }) }) })
  },
  'acknowledges for a target before it has heard the target': { bend: () => saying(nackToAck) },
  'does not repeat its refutation to members that missed it': { bend: saidOnce },
  'does not answer push-pulls': {
    bend: () => saying(message => (message.type === 'sync' && message.reply ? undefined : message))
  },
  'tells dead members nothing when they speak': { bend: () => withoutRecords(isGoodBye => !isGoodBye) },
  'says good-bye by gossip only': { bend: () => withoutRecords(isGoodBye => isGoodBye) },
  'raises the incarnation of another member': { bend: () => hearing(raised) }
}

/** Bugs that delay the detection of a crash. */
const SLOW: { readonly [name: string]: Partial<SwimRules> } = {
  'takes no refusal as proof of a crash': { provesCrash: () => false },
  'waits for a second witness that does not exist': { provesCrash: ({ accusers }) => accusers.size >= 2 }
}

export const membershipBugs: PlantedBugs = {
  ...Object.fromEntries(
    Object.entries(BUGS).map(([name, bug]) => [
      name,
      {
        find: seed => {
          const { failure } = runSeed(seed, bug)
          if (failure !== undefined && !(failure instanceof Violation)) throw failure
          return failure?.message
        }
      }
    ])
  ),
  ...Object.fromEntries(
    Object.entries(SLOW).map(([name, bug]) => [
      name,
      { find: seed => thrownBy(() => crashSeveral(seed, { rules: { ...swimRules, ...bug } })), notice: /not dead/ }
    ])
  ),
  'does not doubt itself after a pause': {
    find: seed =>
      thrownBy(() => pauseSome(seed, { profile: { ...profiles.lan, stallTolerance: Number.POSITIVE_INFINITY } })),
    notice: /never away/
  }
}

function hearing(event: (event: SwimEvent) => SwimEvent): Bend {
  return { event }
}

/** Changes the messages that a core sends, or drops those for which `change` returns `undefined`. */
function saying(change: (message: SwimMessage) => SwimMessage | undefined): Bend {
  return {
    effect: effect => {
      if (effect.type !== 'send') return effect
      const message = change(effect.message)
      return message && { ...effect, message }
    }
  }
}

function supersedesLeft(...[incoming, current]: Parameters<SwimRules['supersedes']>): boolean {
  if (incoming.incarnation !== current.incarnation) return incoming.incarnation > current.incarnation
  return incoming.state !== current.state || incoming.revision > current.revision
}

function withoutRaising(): Bend {
  let incarnation: number | undefined
  return {
    sign<R extends MemberRecord>(record: R): R {
      if (record.type !== 'self') return record
      incarnation ??= record.incarnation
      return { ...record, incarnation }
    }
  }
}

function withoutAccusations(message: SwimMessage): SwimMessage {
  if (message.type !== 'sync') return message
  return { ...message, entries: message.entries.map(entry => ({ ...entry, accusations: [] })) }
}

function silentPing(message: SwimMessage): SwimMessage {
  return message.type === 'ping' ? { ...message, accusations: [] } : message
}

/** Drops some of the records that the core sends directly: `isLost` decides for good-byes and for all other records. */
function withoutRecords(isLost: (isGoodBye: boolean) => boolean): Bend {
  return {
    effect: effect => {
      if (effect.type !== 'send' || effect.message.type !== 'records') return effect
      const isGoodBye = effect.message.records.every(
        ({ record }) => record.type === 'self' && record.state === 'left' && record.member !== effect.to
      )
      return isLost(isGoodBye) ? undefined : effect
    }
  }
}

function nackToAck(message: SwimMessage): SwimMessage {
  return message.type === 'nack' ? { type: 'ack', seq: message.seq } : message
}

function nackAsAck(event: SwimEvent): SwimEvent {
  if (event.type !== 'message' || event.message.type !== 'nack') return event
  return { ...event, message: { type: 'ack', seq: event.message.seq } }
}

function raised(event: SwimEvent): SwimEvent {
  if (event.type !== 'gossip' || event.record.record.type !== 'self') return event
  const { record, envelope } = event.record
  const raised: Signed = { record: { ...record, incarnation: record.incarnation + 1 }, envelope }
  return { ...event, record: raised }
}

function saidOnce(): Bend {
  let said: MemberRecord | undefined
  return {
    effect: effect => {
      if (effect.type !== 'gossip' || effect.record.record.type !== 'self') return effect
      if (effect.record.record === said) return undefined
      said = effect.record.record
      return effect
    }
  }
}
