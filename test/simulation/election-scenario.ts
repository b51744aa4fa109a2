/** A simulated world of peers that elect a leader, with faults drawn from a seed. The world must keep the invariants that are checked here. */

import type { CoreEffect } from '../../src/election/core/events.ts'
import type { CoordinatorMessage, ElectionMessage, Token } from '../../src/election/core/messages.ts'
import { compareLeaderships } from '../../src/election/core/messages.ts'
import type { ElectionRules } from '../../src/election/core/rules.ts'
import type { StrategyName } from '../../src/election/core/strategies/names.ts'
import { strategies } from '../../src/election/core/strategies/strategies.ts'
import type { Role } from '../../src/membership/core/member.ts'
import { shuffled } from '../../src/membership/core/probe-list.ts'
import { ElectionProcess, type MembershipHooks, type MembershipProcess } from './election.ts'
import { IdealMembership } from './election-ideal.ts'
import { type Failure, failureOf } from './failure.ts'
import { SWIM_TIMER, SwimProcess } from './membership.ts'
import { type Host, World } from './world.ts'

/** The failure detector below the election: the ideal one (election-ideal.ts) or the SWIM core. */
export type Below = 'ideal' | 'swim'

/**
 * The duration of the faults, and the time after the faults within which all peers must agree, in virtual ms. A hand-off that
 * hangs at the end of the faults costs 10 s, and the leader starts the next hand-off 10 s later.
 */
const FAULTY_MS = 60_000
const AGREE_MS: Record<Below, number> = { ideal: 30_000, swim: 45_000 }

/** The most epochs that a world may use: twice the maximum of 600 worlds. */
const MOST_EPOCHS = 60

export interface ElectionWorld {
  below: Below
  /** Default `bully`. */
  strategy?: StrategyName
  /** Whether priorities change while the peers run, and some peers know an epoch of an earlier run. Default false. */
  changes?: boolean
  rules?: ElectionRules
}

/** Runs the world of `seed`. Returns its failure, or `undefined` if every invariant held. */
export function runSeed(seed: number, world: ElectionWorld): Failure | undefined {
  return failureOf(seed, new Scenario(seed, world))
}

interface Peer {
  process: ElectionProcess
  role: Role
  priority: number
  isReady: boolean
  /** Whether the peer was ready at the last check. */
  wasReady: boolean
  /** The newest leadership that the peer had accepted at the last check. */
  accepted: CoordinatorMessage | undefined
  /** Whether the peer saw the leader of `accepted` as live at the last check. */
  heldLive: boolean
  /** The highest epoch for which the peer gave a go-ahead. */
  gaveUp: number
  /** The peers that this peer has asked to claim the leadership since this peer last followed a different peer. */
  asked: Set<string>
  /** The nonce of the last token that this peer made, and whether this token has come back. */
  token: { nonce: number; hasReturned: boolean } | undefined
  /** The time of the last change of each member in the membership of this peer. */
  changed: Map<string, number>
}

class Scenario {
  readonly world: World
  readonly #below: Below
  readonly #strategy: StrategyName
  readonly #changes: boolean
  readonly #rules: ElectionRules | undefined
  readonly #peers = new Map<string, Peer>()
  /** The running peers. A peer whose process has ended never starts again. */
  readonly #running = new Map<string, Peer>()
  readonly #minted = new Set<string>()
  readonly #cuts = new Set<string>()
  /** The peers that were asked to leave. While the hand-off of a leaving peer hangs, that peer still runs. */
  readonly #leaving = new Set<string>()
  /** The names of all peers that may join. SWIM gets these names as seeds, in place of discovery by mDNS. */
  readonly #names: string[]

  constructor(seed: number, { below, strategy = 'bully', changes = false, rules }: ElectionWorld) {
    this.world = new World(seed)
    this.#below = below
    this.#strategy = strategy
    this.#changes = changes
    this.#rules = rules
    const { random } = this.world
    this.#names = Array.from({ length: 40 }, (_, i) => `${String.fromCharCode(97 + Math.floor(random() * 26))}${i}`)
    const size = 5 + Math.floor(random() * 4)
    for (let i = 0; i < size; i++) this.world.after(random() * 2_000, () => this.#join())
    this.world.invariant = () => this.#check()
  }

  run(): void {
    const { world } = this
    const { random } = world
    world.faults = { loss: random() * 0.3, gossipLoss: random() * 0.6, delay: [1, 5 + random() * random() * 400] }
    for (let at = 2_000 + random() * 2_000; at < FAULTY_MS; at += 300 + random() * 5_000) {
      world.after(at, () => this.#fault())
    }
    world.run(FAULTY_MS)
    world.heal()
    this.#cuts.clear()
    if (random() < 0.3) this.#breakLink()
    world.faults = { loss: 0, gossipLoss: 0, delay: [1, 10] }
    // Simulates the network, which redials every lost peer. SWIM itself probes only one dead member at a time.
    for (let at = 0; at < 5_000; at += 1_000) world.after(at, () => this.#rediscover())
    world.run(AGREE_MS[this.#below])
    this.#agree()
  }

  /** Starts a process with a new identity, like a peer without a data folder. */
  #join(): void {
    const { world } = this
    const { random } = world
    const id = this.#names[this.#peers.size]!
    const role: Role = random() < 0.25 ? 'worker' : 'auto'
    const priority = random() < 0.2 ? Math.floor(random() * 3) - 1 : 0
    world.add(id, host => {
      const process = new ElectionProcess(host, {
        membership: (host, hooks) => this.#membership(host, hooks, role, priority),
        rules: this.#rules,
        strategy: this.#strategy,
        epoch: this.#changes ? Math.floor(random() * 8) : undefined,
        handOff: () => this.#handOff(),
        watch: effect => {
          const peer = this.#peers.get(id)
          if (peer !== undefined) watch(peer, effect)
        },
        received: message => {
          const { token } = this.#peers.get(id)!
          if (token !== undefined && tokenFor(id, message)?.nonce === token.nonce) token.hasReturned = true
        },
        traceRepetitions: false
      })
      const peer: Peer = {
        process,
        role,
        priority,
        isReady: false,
        wasReady: false,
        accepted: undefined,
        heldLive: false,
        gaveUp: 0,
        asked: new Set(),
        token: undefined,
        changed: new Map()
      }
      this.#peers.set(id, peer)
      this.#running.set(id, peer)
      return process
    })
  }

  /** During the faults some hand-offs fail, and some take longer than the leader waits. */
  #handOff(): { delay: number; ok: boolean } {
    const { random } = this.world
    const delay = 5 + random() * 300
    if (this.world.now() >= FAULTY_MS) return { delay, ok: true }
    return { delay: random() < 0.1 ? 15_000 : delay, ok: random() > 0.1 }
  }

  #membership(host: Host, hooks: MembershipHooks, role: Role, electionPriority: number): MembershipProcess {
    const watched: MembershipHooks = {
      ...hooks,
      onMember: member => {
        this.#peers.get(host.id)?.changed.set(member.id, this.world.now())
        hooks.onMember(member)
      },
      onReady: () => {
        const peer = this.#peers.get(host.id)
        if (peer !== undefined) peer.isReady = true
        hooks.onReady()
      }
    }
    if (this.#below === 'swim')
      return new SwimProcess(host, { seeds: this.#names, metadata: { role, electionPriority }, hooks: watched })
    const truth = {
      ids: () => this.world.ids(),
      areConnected: (a: string, b: string) => this.#areConnected(a, b),
      roleOf: (id: string) => this.#peers.get(id)?.role ?? role,
      priorityOf: (id: string) => this.#peers.get(id)?.priority ?? electionPriority,
      hasLeft: (id: string) => this.#peers.get(id)?.process.hasLeft === true
    }
    const times = { poll: 100, silence: [500, 4_000] as [number, number], pushPull: 4_000 }
    return new IdealMembership(host, watched, truth, times)
  }

  #areConnected(a: string, b: string): boolean {
    const { world } = this
    if (!world.isUp(a) || !world.isUp(b) || world.isPaused(a) || world.isPaused(b)) return false
    return this.#cuts.size === 0 || !(this.#cuts.has(`${a} ${b}`) || this.#cuts.has(`${b} ${a}`))
  }

  #fault(): void {
    const { world } = this
    const { random } = world
    const up = world.ids().filter(id => world.isUp(id))
    const any = (): string => up[Math.floor(random() * up.length)]!
    // Half of the faults hit the leader, because these cause elections.
    const leader = up.find(id => this.#peers.get(id)?.process.isLeader === true)
    const target = leader !== undefined && random() < 0.5 ? leader : any()
    if (this.#changes && random() < 0.3) this.#change(target)
    const roll = random()
    if (up.length < 4 || roll < 0.2) this.#join()
    else if (roll < 0.4) world.crash(target, random() < 0.4)
    else if (roll < 0.55) world.pause(target, 200 + random() * random() * 15_000)
    else if (roll < 0.7) this.#partition(up.filter(() => random() < 0.5))
    else if (roll < 0.8) this.#cut(target, any())
    else if (roll < 0.88) this.#leave(target)
    else {
      world.heal()
      this.#cuts.clear()
    }
  }

  /** Changes the priority of a peer. */
  #change(id: string): void {
    if (this.world.isPaused(id)) return
    const peer = this.#peers.get(id)!
    peer.priority = Math.floor(this.world.random() * 5) - 2
    this.world.trace('world', `gives ${id} the priority ${peer.priority}`)
    peer.process.membership.setPriority(peer.priority)
  }

  #leave(id: string): void {
    if (this.world.isPaused(id)) return
    this.#leaving.add(id)
    this.#peers.get(id)?.process.leave()
    this.world.after(12_000, () => {
      if (this.world.isUp(id)) this.world.exit(id)
    })
  }

  #partition(group: string[]): void {
    this.world.partition(group)
    for (const a of this.world.ids())
      for (const b of this.world.ids()) if (group.includes(a) !== group.includes(b)) this.#cuts.add(`${a} ${b}`)
  }

  /** Breaks one link for good. Membership still sees both peers as live through other members. */
  #breakLink(): void {
    const up = this.world.ids().filter(id => this.world.isUp(id) && !this.#leaving.has(id))
    // With fewer than three peers, no third member could relay messages between the two peers of the link.
    if (up.length < 3) return
    const [a, b] = shuffled(up, this.world.random)
    this.world.trace('world', `drops ${a} <-> ${b} for good`)
    this.world.cut(a!, b!)
    this.world.cut(b!, a!)
  }

  /** Drops all messages from `from` to `to`, but no messages from `to` to `from`. */
  #cut(from: string, to: string): void {
    this.world.trace('world', `drops ${from} -> ${to}`)
    this.world.cut(from, to)
    this.#cuts.add(`${from} ${to}`)
  }

  #check(): void {
    for (const [id, peer] of this.#running) {
      if (!this.world.isUp(id)) {
        this.#running.delete(id)
        continue
      }
      const { process, accepted } = peer
      const now = process.core.peer.accepted
      if (now !== accepted && now !== undefined) {
        peer.accepted = now
        this.#checkAccepted(id, peer, accepted, now)
      }
      peer.wasReady = peer.isReady
      peer.heldLive = now !== undefined && holdsLive(peer, now.leader)
      const { leader } = process
      if (leader?.id !== id) continue
      if (peer.role === 'worker') throw new Error(`${id} leads, but is a worker`)
      if (!peer.isReady) throw new Error(`${id} leads before it is ready`)
      if (leader.epoch <= peer.gaveUp) throw new Error(`${id} leads @${leader.epoch} after it gave the go-ahead for it`)
    }
  }

  #checkAccepted(id: string, peer: Peer, before: CoordinatorMessage | undefined, now: CoordinatorMessage): void {
    if (before !== undefined && compareLeaderships(now, before) < 0)
      throw new Error(`${id} goes back from ${tell(before)} to ${tell(now)}`)
    if (now.leader === id && before !== now) {
      if (this.#minted.has(tell(now))) throw new Error(`${id} mints ${tell(now)} a second time`)
      this.#minted.add(tell(now))
      if (before?.leader !== id && now.goAheads.length === 0) this.#checkClaim(id, peer)
    }
    if (before === undefined || before.leader === now.leader || before.leader === id || !peer.wasReady) return
    const left = this.#peers.get(before.leader)?.process
    const leads = this.world.isUp(before.leader) && left?.isLeader === true && left.leader?.epoch === before.epoch
    if (peer.heldLive && holdsLive(peer, before.leader) && leads)
      throw new Error(`${id} leaves ${tell(before)}, which it holds for live and which still leads, for ${tell(now)}`)
  }

  /** Checks a claim without a go-ahead: its strategy allows it. */
  #checkClaim(id: string, peer: Peer): void {
    for (const [other, { role }] of this.#peers) {
      // If the state of the member changed in the same step, the peer claimed before the change.
      const isKnown = holdsLive(peer, other) && (peer.changed.get(other) ?? 0) < this.world.now()
      if (role === 'worker' || other === id || !isKnown) continue
      const isHigher = peer.process.core.peer.outranks(other, id)
      if (this.#strategy === 'bully' && isHigher && !peer.asked.has(other))
        throw new Error(`${id} claims over ${other}, which it holds for live and has not asked`)
      if (this.#strategy === 'lowest' && isHigher)
        throw new Error(`${id} claims over ${other}, which it holds for live`)
      if (this.#strategy === 'ring' && peer.token?.hasReturned !== true)
        throw new Error(`${id} claims before its token has come back, and holds ${other} for live`)
    }
  }

  #rediscover(): void {
    for (const [id, { process }] of this.#peers) if (this.world.isUp(id)) process.timer(`${SWIM_TIMER}discover`)
  }

  #agree(): void {
    // A fault costs a few epochs. Leaders that outbid each other would use thousands of epochs.
    if (this.#minted.size > MOST_EPOCHS) throw new Error(`${this.#minted.size} epochs were minted`)
    const up = [...this.#peers].filter(([id, { process }]) => this.world.isUp(id) && !process.hasLeft)
    const electable = up.filter(([, { role }]) => role !== 'worker')
    const { order } = strategies[this.#strategy]
    const highest = electable
      .map(([id, { priority }]) => ({ id, priority }))
      .reduce<{ id: string; priority: number } | undefined>((a, b) => (a && order(a, b) > 0 ? a : b), undefined)
    const epoch = highest && this.#peers.get(highest.id)?.process.leader?.epoch
    for (const [id, { process }] of up) {
      const { leader } = process
      if (leader?.id !== highest?.id || leader?.epoch !== epoch)
        throw new Error(`${id} follows ${leader?.id} @${leader?.epoch}, not ${highest?.id} @${epoch}`)
    }
  }
}

function watch(peer: Peer, effect: CoreEffect): void {
  if (effect.type === 'leader' && effect.leader !== undefined && effect.leader.id !== peer.process.id) {
    peer.asked.clear()
    peer.token = undefined
  }
  if (effect.type !== 'send') return
  const { to, message } = effect
  if (message.type === 'token') checkToken(peer, message.token)
  if (message.type === 'goAhead') peer.gaveUp = Math.max(peer.gaveUp, message.goAhead.fromEpoch)
  // A go-ahead, like an election message, asks its receiver to claim the leadership.
  if (message.type === 'goAhead' || message.type === 'election') peer.asked.add(to)
}

/** Checks a token that a peer passes on: a peer that may claim swallows the token of a lower candidate. */
function checkToken(sender: Peer, { candidate, nonce }: Token): void {
  const { process } = sender
  const { peer } = process.core
  if (candidate === process.id && sender.token?.nonce !== nonce) sender.token = { nonce, hasReturned: false }
  if (peer.mayClaim && peer.outranks(process.id, candidate))
    throw new Error(`${process.id} passes on the token of ${candidate}, which ranks below it`)
}

/** Returns the token that a message passes on to `id`. */
function tokenFor(id: string, message: ElectionMessage): Token | undefined {
  if (message.type === 'token') return message.token
  return message.type === 'relayed' && message.relayed.to === id ? message.relayed.token : undefined
}

function holdsLive(peer: Peer, id: string): boolean {
  const state = peer.process.membership.get(id)?.state
  return state === 'alive' || state === 'suspect'
}

function tell({ leader, epoch, priority }: CoordinatorMessage): string {
  return `${leader} (${priority}) @${epoch}`
}
