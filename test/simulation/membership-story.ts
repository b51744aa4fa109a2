/** Traces the actions and the conclusions of a process, each with its reason, so that a reader can follow the trace of a world. */
import type { Member } from '../../src/membership/core/member.ts'
import type { SwimEffect, SwimEvent } from '../../src/membership/core/messages.ts'
import type { Accusation, MemberRecord, SelfRecord } from '../../src/membership/core/record.ts'
import type { SwimObserver } from './membership.ts'
import { against } from './membership-truth.ts'

const NONE: readonly Accusation[] = []

/** Returns all accusations that an event brings. */
export function accusationsIn(event: SwimEvent): readonly Accusation[] {
  if (event.type === 'gossip') return event.record.record.type === 'accusation' ? [event.record.record] : NONE
  if (event.type !== 'message') return NONE
  const { message } = event
  switch (message.type) {
    case 'ping':
      return message.accusations.length === 0 ? NONE : message.accusations.map(({ record }) => record)
    case 'records':
      return message.records.flatMap(({ record }) => (record.type === 'accusation' ? [record] : NONE))
    case 'sync':
      return message.entries.flatMap(({ accusations }) => accusations.map(({ record }) => record))
    default:
      return NONE
  }
}

export class Story implements SwimObserver {
  readonly #id: string
  readonly #tell: (text: string) => void
  readonly #now: () => number
  /** The newest accusation of each target by each accuser, including the accusations that this process makes. */
  readonly #said = new Map<string, Map<string, Accusation>>()
  /** The refusals that this process has withdrawn, by target and incarnation. */
  readonly #takenBack = new Set<string>()
  #own: SelfRecord | undefined
  /** The accusations against this process in the event that is being handled. */
  #accused: Accusation[] = []

  constructor(id: string, tell: (text: string) => void, now: () => number) {
    this.#id = id
    this.#tell = tell
    this.#now = now
  }

  event(event: SwimEvent): void {
    const accusations = accusationsIn(event)
    this.#accused = accusations.filter(({ target }) => target === this.#id)
    for (const accusation of accusations) {
      const isTakenBack = accusation.accuser === this.#id && this.#takenBack.has(against(accusation))
      if (!isTakenBack) this.#note(accusation)
    }
    if (event.type === 'connected') this.#takeBack(event.peer)
  }

  signed(record: MemberRecord): void {
    if (record.type === 'self') this.#ownRecord(record)
    else {
      this.#takenBack.delete(against(record))
      this.#note(record)
    }
  }

  handled(effects: readonly SwimEffect[]): void {
    for (const effect of effects) {
      if (effect.type === 'ready') this.#tell('is ready')
      else if (effect.type === 'gossip' && effect.record.record.type === 'accusation')
        this.#accuses(effect.record.record)
      else if (effect.type === 'member' && effect.member.id !== this.#id) this.#member(effect.member, effect.previous)
    }
  }

  #takeBack(peer: string): void {
    const said = this.#said.get(peer)
    const own = said?.get(this.#id)
    if (own?.kind !== 'refused') return
    said?.delete(this.#id)
    this.#takenBack.add(against(own))
  }

  #accuses({ target, incarnation, kind }: Accusation): void {
    this.#tell(
      `accuses ${against({ target, incarnation })}: ${kind === 'silent' ? 'it does not answer' : 'its port refuses'}`
    )
  }

  #note(accusation: Accusation): void {
    const { target, accuser } = accusation
    const said = this.#said.get(target) ?? new Map<string, Accusation>()
    this.#said.set(target, said)
    const known = said.get(accuser)
    const isNews = known === undefined || known.incarnation < accusation.incarnation || accusation.kind === 'refused'
    if (isNews) said.set(accuser, accusation)
  }

  #ownRecord(record: SelfRecord): void {
    const before = this.#own
    this.#own = record
    if (before === undefined) return
    if (record.state === 'left') this.#tell('says good-bye')
    else if (record.incarnation !== before.incarnation)
      this.#tell(`${this.#whyRaised(before)}: is @${record.incarnation} now`)
    else if (record.metadata.slots !== before.metadata.slots)
      this.#tell(`says that it has ${record.metadata.slots} slots (@${record.incarnation}.${record.revision})`)
  }

  #whyRaised({ incarnation }: SelfRecord): string {
    const accusers = this.#accused
      .filter(accusation => accusation.incarnation === incarnation)
      .map(({ accuser }) => accuser)
    return accusers.length === 0 ? 'goes above what it was in an earlier life' : `refutes what ${list(accusers)} said`
  }

  #member(member: Member, previous: Member | undefined): void {
    const { id, state, incarnation } = member
    const who = name(id, incarnation)
    if (previous === undefined) this.#tell(`hears of ${who}${state === 'alive' ? '' : `, which is ${state}`}`)
    else if (state === previous.state && incarnation === previous.incarnation) return
    else if (state === 'left') this.#tell(`knows that ${who} has left`)
    else if (state === 'suspect') this.#tell(`suspects ${who}: ${this.#evidence(member)}`)
    else if (state === 'dead') this.#tell(`concludes that ${who} is dead: ${this.#whyDead(member, previous)}`)
    else this.#tell(this.#back(member, previous))
  }

  #back({ id, incarnation }: Member, previous: Member): string {
    const raised = incarnation > previous.incarnation
    if (previous.state === 'alive') return `sees ${name(id, incarnation)}, which was @${previous.incarnation}`
    if (previous.state === 'suspect')
      return raised
        ? `believes ${id} again: it has refuted with @${incarnation}`
        : `believes ${name(id, incarnation)} again: it reached it after all`
    return `sees ${id} back, @${incarnation}; it was ${previous.state} @${previous.incarnation}`
  }

  #whyDead(member: Member, previous: Member): string {
    const suspected = previous.state === 'suspect' ? Math.round(this.#now() - previous.since) : 0
    return `${suspected === 0 ? 'at once' : `not refuted for ${suspected} ms`}; ${this.#evidence(member)}`
  }

  #evidence({ id, incarnation }: Member): string {
    const said = [...(this.#said.get(id)?.values() ?? [])].filter(accusation => accusation.incarnation === incarnation)
    if (said.length === 0) return 'for no reason'
    const by = (kind: Accusation['kind']): string[] =>
      said
        .filter(accusation => accusation.kind === kind)
        .map(({ accuser }) => (accuser === this.#id ? 'itself' : accuser))
    const silent = by('silent')
    const refused = by('refused')
    return [
      ...(silent.length > 0 ? [`no answer to ${list(silent)}`] : []),
      ...(refused.length > 0 ? [`refused to ${list(refused)}`] : [])
    ].join(', ')
  }
}

function name(id: string, incarnation: number): string {
  return `${id} @${incarnation}`
}

function list(ids: readonly string[]): string {
  return [...new Set(ids)].join(' and ')
}
