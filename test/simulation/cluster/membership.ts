/** The membership and the election that the jobs use, on top of simulated processes. */
import { TypedEventEmitter } from 'main-event'
import type { LeadershipRecord } from '../../../src/election/audit-log.ts'
import type { CoreEffect } from '../../../src/election/core/events.ts'
import type { ElectionEvents, HandOff, Leadership } from '../../../src/election/types.ts'
import { isLive, type Member, type Role } from '../../../src/membership/core/member.ts'
import type { MembershipEvents } from '../../../src/membership/types.ts'
import type { ElectionProcess } from '../election.ts'

/** A time longer than any hand-off. A hand-off takes as long as the jobs need, and the simulated election must not time the hand-off out. */
const NEVER_MS = 1e9

export interface PeerTraits {
  id: string
  role: Role
  priority: number
  slots: number
}

export class JobsMembership extends TypedEventEmitter<MembershipEvents> {
  readonly #traitsOf: (id: string) => PeerTraits
  readonly #id: string
  readonly #members = new Map<string, Member>()

  constructor(id: string, traitsOf: (id: string) => PeerTraits) {
    super()
    this.#id = id
    this.#traitsOf = traitsOf
    this.set(id, 'alive')
  }

  get self(): Member {
    return this.#members.get(this.#id)!
  }

  get(id: string): Member | undefined {
    return this.#members.get(id)
  }

  live(): Member[] {
    return [...this.#members.values()].filter(isLive)
  }

  set(id: string, state: Member['state']): void {
    const previous = this.#members.get(id)
    if (previous?.state === state) return
    const { role, priority: electionPriority, slots } = this.#traitsOf(id)
    const constant = {
      incarnation: 0,
      revision: 0,
      since: 0,
      addresses: [],
      tags: {},
      version: '',
      node: '',
      host: '',
      electorate: '',
      hasDisk: false
    }
    const member: Member = { ...constant, id, state, role, electionPriority, slots }
    this.#members.set(id, member)
    this.dispatchEvent(new CustomEvent('member', { detail: { member, previous } }))
  }
}

export class JobsElection extends TypedEventEmitter<ElectionEvents> {
  /** Set as soon as the process exists. */
  process!: ElectionProcess
  readonly voters: readonly string[] | undefined
  leader: Leadership | undefined
  readonly #self: string
  readonly #history: LeadershipRecord[] = []
  readonly #handOffs: HandOff[] = []
  #handOff: AbortController | undefined
  #onLeft: () => void = () => {}

  constructor(self: string, voters: readonly string[] | undefined) {
    super()
    this.#self = self
    this.voters = voters
  }

  get isLeader(): boolean {
    return this.leader?.id === this.#self && this.process.leads
  }

  get remaining(): number {
    return this.isLeader ? 1 : 0
  }

  history(): LeadershipRecord[] {
    return this.#history
  }

  accepts(from: string, epoch: number): boolean {
    return this.process.core.peer.obeys(from, epoch)
  }

  onHandOff(handOff: HandOff): void {
    this.#handOffs.push(handOff)
  }

  /** Makes this peer leave the election. Resolves when the peer has stopped leading and cannot be elected again. */
  leave(): Promise<void> {
    return new Promise(resolve => {
      this.#onLeft = resolve
      this.process.leave()
    })
  }

  readonly handOff = (): { delay: number; ok: boolean } => ({ delay: NEVER_MS, ok: false })

  readonly watch = (effect: CoreEffect): void => {
    switch (effect.type) {
      case 'leader':
        // The simulated process learns of the change right after this effect.
        queueMicrotask(() => this.#changed(effect.leader))
        break
      case 'handOff': {
        const { to } = effect
        const handOff = new AbortController()
        this.#handOff = handOff
        const tell = (ok: boolean): void => {
          if (!handOff.signal.aborted) this.process.inject({ type: 'handedOff', to, ok })
        }
        Promise.all(this.#handOffs.map(each => each(to, handOff.signal))).then(
          () => tell(true),
          () => tell(false)
        )
        break
      }
      case 'cancelHandOff':
        this.#handOff?.abort(new Error('the hand-off was given up'))
        break
      case 'left':
        this.#onLeft()
        break
      default:
    }
  }

  #changed(leader: Leadership | undefined): void {
    const previous = this.leader
    this.leader = leader
    if (leader !== undefined)
      this.#history.push({ leader: leader.id, epoch: leader.epoch, from: 0, until: undefined, why: undefined })
    this.dispatchEvent(new CustomEvent('leader', { detail: { leader, previous } }))
  }
}
