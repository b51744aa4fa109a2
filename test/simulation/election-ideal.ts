/** A membership that polls the true state of the world. It lets a simulation test the election without the effects of SWIM. */
import type { Role } from '../../src/membership/core/member.ts'
import type { MembershipHooks, MembershipProcess } from './election.ts'
import type { Host } from './world.ts'

/** The true state of the world. */
export interface Truth {
  ids(): readonly string[]
  /** Returns whether `a` and `b` both run, and messages between them pass in both directions. */
  areConnected(a: string, b: string): boolean
  roleOf(id: string): Role
  priorityOf(id: string): number
  hasLeft(id: string): boolean
}

export interface IdealTimes {
  /** The time between two polls, in ms. */
  poll: number
  /** The shortest and the longest silence, in ms, after which the membership declares a member dead. */
  silence: [number, number]
  /** The time between two push-pulls, in ms. */
  pushPull: number
}

const TIMER = 'ideal:'
const PUSH_PULL = 'ideal-push-pull'
const LONE_START = 1_000

export class IdealMembership implements MembershipProcess {
  readonly #host: Host
  readonly #hooks: MembershipHooks
  readonly #truth: Truth
  readonly #times: IdealTimes
  readonly #states = new Map<string, 'alive' | 'dead' | 'left'>()
  readonly #priorities = new Map<string, number>()
  /** The time at which the membership declares each silent member dead. */
  readonly #deadlines = new Map<string, number>()
  #isReady = false
  #hasLeft = false

  constructor(host: Host, hooks: MembershipHooks, truth: Truth, times: IdealTimes) {
    this.#host = host
    this.#hooks = hooks
    this.#truth = truth
    this.#times = times
  }

  start(): void {
    this.#set(this.#host.id, 'alive')
    this.#host.timer(`${TIMER}poll`, 0)
    this.#host.timer(`${TIMER}push-pull`, 10)
    this.#host.timer(`${TIMER}lone-start`, LONE_START)
  }

  receive(from: string, protocol: string, message: unknown): boolean {
    if (protocol !== PUSH_PULL) return false
    const { state, isReply } = message as { state: Uint8Array; isReply: boolean }
    if (!isReply) this.#host.send(from, PUSH_PULL, { state: this.#hooks.localState(), isReply: true })
    this.#hooks.mergeRemoteState(from, state)
    this.#deadlines.delete(from)
    this.#set(from, this.#truth.hasLeft(from) ? 'left' : 'alive')
    if (isReply) this.#ready()
    return true
  }

  gossip(): boolean {
    return false
  }

  timer(name: string): boolean {
    if (name === `${TIMER}lone-start`) this.#ready()
    else if (name === `${TIMER}poll`) this.#poll()
    else if (name === `${TIMER}push-pull`) this.#pushPull()
    return name.startsWith(TIMER)
  }

  refused(peer: string): void {
    if (this.#states.get(peer) === 'alive') this.#set(peer, 'dead')
  }

  get(id: string): { state: 'alive' | 'dead' | 'left' } | undefined {
    const state = this.#states.get(id)
    return state && { state }
  }

  /** The other peers read the priority in their next poll. */
  setPriority(): void {
    this.#tell(this.#host.id, 'alive')
  }

  leave(): void {
    this.#hasLeft = true
  }

  get hasLeft(): boolean {
    return this.#hasLeft
  }

  #poll(): void {
    this.#host.timer(`${TIMER}poll`, this.#times.poll)
    const [least, most] = this.#times.silence
    for (const id of this.#truth.ids()) {
      if (id === this.#host.id) continue
      const state = this.#states.get(id)
      if (this.#truth.areConnected(this.#host.id, id)) {
        this.#deadlines.delete(id)
        if (state === 'alive' && this.#priorities.get(id) !== this.#truth.priorityOf(id)) this.#tell(id, state)
        if (this.#truth.hasLeft(id)) this.#set(id, 'left')
        else if (state !== 'alive' && (this.#isReady || state === undefined)) this.#set(id, 'alive')
      } else if (state === 'alive') {
        const deadline = this.#deadlines.get(id)
        if (deadline === undefined)
          this.#deadlines.set(id, this.#host.now() + least + this.#host.random() * (most - least))
        else if (this.#host.now() >= deadline) this.#set(id, 'dead')
      }
    }
  }

  #pushPull(): void {
    const others = [...this.#states].filter(([id, state]) => state === 'alive' && id !== this.#host.id)
    const other = others[Math.floor(this.#host.random() * others.length)]
    if (other !== undefined) this.#host.send(other[0], PUSH_PULL, { state: this.#hooks.localState(), isReply: false })
    this.#host.timer(`${TIMER}push-pull`, this.#isReady ? this.#times.pushPull : 200)
  }

  #ready(): void {
    if (this.#isReady) return
    this.#isReady = true
    this.#hooks.onReady()
  }

  #set(id: string, state: 'alive' | 'dead' | 'left'): void {
    if (this.#states.get(id) === state) return
    this.#states.set(id, state)
    this.#deadlines.delete(id)
    if (id !== this.#host.id) this.#host.trace(`sees ${id} ${state}`)
    this.#tell(id, state)
  }

  #tell(id: string, state: 'alive' | 'dead' | 'left'): void {
    const role = this.#truth.roleOf(id)
    const electionPriority = this.#truth.priorityOf(id)
    this.#priorities.set(id, electionPriority)
    this.#hooks.onMember({ id, state, role, electionPriority })
  }
}
