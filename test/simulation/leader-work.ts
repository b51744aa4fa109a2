/** The leader's work at one simulated peer. The work follows the same rules as src/lead/leader-work.ts. */
import { Duty, type DutyRules, LOOK_EVERY, timeToStop } from '../../src/lead/duty.ts'
import type { Host } from './world.ts'

export interface SimulatedWorkInit {
  host: Host
  /** The grace time, in ms. */
  grace: number
  rules?: DutyRules | undefined
  /** Returns the epoch of this peer's leadership and its remaining time, in ms. Returns undefined while this peer does not lead. */
  leadership: () => { epoch: number; remaining: number } | undefined
  /** The monotonic clock, in ms. This clock stops while the machine is suspended. */
  monotonic: () => number
  /** Returns how long the work takes to stop, in ms; Infinity if the work never stops. */
  takes: () => number
  /** Tells the work to stop because the leadership ends in this many ms. */
  toldToStop: (remaining: number) => void
  /** Ends the process, although the work should have stopped after this many ms. */
  end: (takes: number) => void
  /** The prefix of the timers of this work. */
  prefix: string
}

export class SimulatedWork {
  readonly #init: SimulatedWorkInit
  #duty: Duty
  #epoch: number | undefined
  #isHandingOver = false
  #isLeaving = false
  /** How long the work takes to stop, in ms; undefined until the work was told to stop. */
  #takes: number | undefined
  #whenGone: Array<() => void> = []

  constructor(init: SimulatedWorkInit) {
    this.#init = init
    this.#duty = this.#newDuty()
  }

  get isAtWork(): boolean {
    return this.#epoch !== undefined
  }

  /** The extra time that a handover may take for the work to stop, in ms. */
  get timeToStop(): number {
    return this.isAtWork ? timeToStop({ grace: this.#init.grace, hasLease: true }) : 0
  }

  /** Checks whether the work may begin or must stop. */
  look(isRead = false): void {
    if (this.#epoch === undefined) this.#mayBegin()
    else this.#goOn(isRead)
  }

  /** Stops the work and calls `then` when it has stopped. The work does not begin again until `stay`, or until this peer no longer leads. */
  handOver(then: () => void): void {
    this.#isHandingOver = true
    this.#whenGone.push(then)
    if (this.isAtWork) this.#stop()
    else this.#gone()
  }

  /** Stops the work for good, and calls `then` when it has stopped. */
  leave(then: () => void): void {
    this.#isLeaving = true
    this.handOver(then)
  }

  /** Lets the work begin again after the peer has abandoned a hand-off. */
  stay(): void {
    this.#isHandingOver = false
    this.look()
  }

  timer(name: string): void {
    const { prefix } = this.#init
    if (name !== `${prefix}gone`) this.look(name === `${prefix}read`)
    else if (this.isAtWork) this.#gone()
  }

  #newDuty(): Duty {
    const { grace, rules } = this.#init
    return new Duty({ grace, hasLease: true, ...(rules === undefined ? {} : { rules }) })
  }

  #mayBegin(): void {
    const { host, leadership, monotonic } = this.#init
    const now = leadership()
    if (now === undefined) this.#isHandingOver = false
    if (now === undefined || this.#isHandingOver || this.#isLeaving) return
    this.#duty = this.#newDuty()
    if (!this.#duty.mayBegin(now.remaining)) {
      this.#lookIn(LOOK_EVERY)
      return
    }
    host.trace(`begins the leader's work @${now.epoch}`)
    this.#epoch = now.epoch
    this.#lookIn(this.#duty.pause(now.remaining, monotonic()))
  }

  #goOn(isRead: boolean): void {
    const { host, leadership, monotonic, end, prefix } = this.#init
    const now = leadership()
    const remaining = now !== undefined && now.epoch === this.#epoch ? now.remaining : 0
    const verdict = this.#duty.look(remaining, monotonic())
    if (verdict === 'stop') {
      this.#init.toldToStop(remaining)
      this.#stop()
    }
    // The received messages are read before the process ends, because one of the messages may report that the work has ended.
    if (verdict === 'end' && !isRead) host.timer(`${prefix}read`, 0)
    else if (verdict === 'end') {
      host.trace("ends itself: the leader's work has not stopped")
      end(this.#takes!)
    } else this.#lookIn(this.#duty.pause(remaining, monotonic()))
  }

  #stop(): void {
    const { host, takes, monotonic, prefix } = this.#init
    this.#duty.stop(monotonic())
    if (this.#takes !== undefined) return
    this.#takes = takes()
    if (Number.isFinite(this.#takes)) host.timer(`${prefix}gone`, this.#takes)
  }

  #gone(): void {
    this.#epoch = undefined
    this.#takes = undefined
    const thens = this.#whenGone
    this.#whenGone = []
    for (const then of thens) then()
    this.look()
  }

  #lookIn(ms: number | undefined): void {
    this.#init.host.timer(`${this.#init.prefix}look`, ms)
  }
}
