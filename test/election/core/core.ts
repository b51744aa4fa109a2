/** Drives one election core by hand: a test passes events to the core, and reads the effects of the core. */

import type { ElectionMember } from '../../../src/election/core/electable-members.ts'
import { ElectionCore } from '../../../src/election/core/election-core.ts'
import type { CoreEffect, CoreEvent } from '../../../src/election/core/events.ts'
import type {
  CoordinatorMessage,
  ElectionMessage,
  GoAhead,
  RelayedMessage,
  Token
} from '../../../src/election/core/messages.ts'
import type { StrategyName } from '../../../src/election/core/strategies/names.ts'
import { electionTimes } from '../../../src/election/profile.ts'
import { profiles } from '../../../src/membership/profile.ts'

const signed = new Uint8Array()

export const times = electionTimes(profiles.lan)

export function coordinator(leader: string, epoch: number, ...goAheads: GoAhead[]): CoordinatorMessage {
  return { leader, epoch, priority: 0, goAheads, signed }
}

export function goAhead(from: string, fromEpoch: number, to: string): GoAhead {
  return { from, fromEpoch, to, signed }
}

export class Driver {
  readonly self: string
  readonly core: ElectionCore
  now = 0
  /** The running timers, with the time at which each timer is due. */
  readonly timers = new Map<string, number>()
  #effects: CoreEffect[] = []

  constructor(
    self: string,
    change: Partial<ElectionMember> = {},
    epoch = 0,
    voters?: string[],
    strategy?: StrategyName
  ) {
    this.self = self
    let nonce = 0
    const signer = {
      coordinator: (claim: Omit<CoordinatorMessage, 'signed'>) => ({ ...claim, signed }),
      goAhead: (goAhead: Omit<GoAhead, 'signed'>) => ({ ...goAhead, signed }),
      relayed: (message: Omit<RelayedMessage, 'signed'>) => ({ ...message, signed }),
      token: (token: Omit<Token, 'signed'>) => ({ ...token, signed }),
      nonce: () => ++nonce
    }
    this.core = new ElectionCore({ self, times, signer, epoch, voters, strategy })
    this.member(self, change)
  }

  do(event: CoreEvent): this {
    for (const effect of this.core.handle(event, this.now)) {
      this.#effects.push(effect)
      if (effect.type !== 'timer') continue
      if (effect.delay === undefined) this.timers.delete(effect.name)
      else this.timers.set(effect.name, this.now + effect.delay)
    }
    return this
  }

  member(id: string, change: Partial<ElectionMember> = {}): this {
    return this.do({ type: 'member', member: { id, priority: 0, electable: true, live: true, ...change } })
  }

  live(...ids: string[]): this {
    for (const id of ids) this.member(id)
    return this
  }

  dies(id: string): this {
    return this.member(id, { live: false })
  }

  ready(): this {
    return this.do({ type: 'ready' })
  }

  hears(from: string, message: ElectionMessage): this {
    return this.do({ type: 'message', from, message })
  }

  accepts(leader: string, epoch: number, ...goAheads: GoAhead[]): this {
    return this.hears(leader, { type: 'coordinator', coordinator: coordinator(leader, epoch, ...goAheads) })
  }

  /** Advances the clock to the next timer, or to the timer `name`, and fires this timer. */
  wait(name?: string): this {
    const [next] = [...this.timers]
      .filter(([timer]) => name === undefined || timer === name)
      .sort((a, b) => a[1] - b[1])
    if (next === undefined) throw new Error(`no timer ${name ?? ''} runs`)
    this.timers.delete(next[0])
    this.now = next[1]
    return this.do({ type: 'timer', name: next[0] })
  }

  /** Returns the effects since the last call as text, without timers and writes. */
  done(): string[] {
    const done = this.#effects.filter(effect => effect.type !== 'timer' && effect.type !== 'persist').map(tell)
    this.#effects = []
    return done
  }

  /** Returns the effects since the last call. */
  take(): CoreEffect[] {
    const effects = this.#effects
    this.#effects = []
    return effects
  }

  /** Drops the effects since the last call. */
  quietly(): this {
    this.#effects = []
    return this
  }

  get follows(): string {
    const { leader } = this.core.peer
    return leader ? `${leader.id} @${leader.epoch}` : 'nobody'
  }
}

function tell(effect: CoreEffect): string {
  switch (effect.type) {
    case 'persist':
      return `write ${tellCoordinator(effect.coordinator)}`
    case 'send':
      return `${tellMessage(effect.message)} -> ${effect.to}`
    case 'gossip':
      return `${tellCoordinator(effect.coordinator)} -> all`
    case 'leader':
      return effect.leader ? `follow ${effect.leader.id} @${effect.leader.epoch}` : 'follow nobody'
    case 'handOff':
      return `hand off to ${effect.to}`
    case 'cancelHandOff':
      return 'cancel the hand-off'
    case 'seek':
      return `seek an epoch above ${effect.above}`
    case 'release':
      return 'release the lease'
    case 'left':
      return 'left'
    case 'timer':
      return effect.name
  }
}

function tellMessage(message: ElectionMessage): string {
  switch (message.type) {
    case 'election':
      return 'ELECTION'
    case 'answer':
      return message.answer
    case 'coordinator':
      return tellCoordinator(message.coordinator)
    case 'rival':
      return `RIVAL ${tellCoordinator(message.coordinator)}`
    case 'request':
      return 'REQUEST'
    case 'goAhead':
      return `GO_AHEAD @${message.goAhead.fromEpoch}`
    case 'token':
      return `TOKEN ${message.token.candidate} above @${message.token.above}`
    case 'relayed':
      return `relayed to ${message.relayed.to}: ${message.relayed.kind}`
  }
}

function tellCoordinator({ leader, epoch, goAheads }: CoordinatorMessage): string {
  const words = goAheads.map(({ from, fromEpoch }) => ` by ${from} @${fromEpoch}`)
  return `COORDINATOR ${leader} @${epoch}${words.join('')}`
}
