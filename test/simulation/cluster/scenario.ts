/** One world of whole peers with whole jobs, with faults drawn from a seed, and its invariants. */

import { JobCancelledError, JobFailedError } from '../../../src/common/errors.ts'
import { majority } from '../../../src/election/quorum/lease.ts'
import type { Promised } from '../../../src/election/quorum/voter.ts'
import { JournalReplica } from '../../../src/journal/core/replica.ts'
import type { JournalRecord } from '../../../src/journal/record.ts'
import type { LockSession } from '../../../src/locks/lock-session.ts'
import type { Role } from '../../../src/membership/core/member.ts'
import type { MembershipHooks, MembershipProcess } from '../election.ts'
import { IdealMembership, type IdealTimes } from '../election-ideal.ts'
import { SwimProcess } from '../membership.ts'
import { type Host, World } from '../world.ts'
import { ClusterBook, type Life } from './book.ts'
import { PEER_IDS } from './ids.ts'
import type { PeerTraits } from './membership.ts'
import { ClusterPeer } from './peer.ts'
import { oneLoop, type SimulatedJob } from './runner.ts'
import { settled } from './virtual-time.ts'

/**
 * The faults of a world; each level includes all levels before it. With `hand-offs`, peers join and leave. With `deaths`, peers die. With
 * `apart`, messages are lost, and peers are paused and cut off.
 */
export type Faults = 'none' | 'hand-offs' | 'deaths' | 'apart'

export interface ClusterInit {
  seed: number
  faults: Faults
  /** The role of each peer. */
  peers: readonly Role[]
  /** Number of peers that vote; 0 if the world has no quorum. */
  voters: number
  /** The membership below the election: the ideal membership, or the real membership (SWIM). */
  below: 'ideal' | 'swim'
  times?: Partial<IdealTimes>
  /** The longest delay of a message, in ms. */
  slowest: number
}

/** The interval, in ms, at which a client that waits for an answer checks whether its peer still runs. */
const ASK_MS = 500
/** The time, in ms, within which the remaining peers replace the replicas of a lost peer. */
const SETTLED_MS = 5_000
const LEASE_TIME = 1_000
const DRIFT = 0.01

/** A session that has held a lock. */
interface HeldLock {
  life: Life
  session: LockSession
}

interface Peer {
  traits: PeerTraits
  process: ClusterPeer | undefined
  replica: JournalReplica<JournalRecord>
  /** The promise that is stored on the peer's disk, in a world with a quorum. */
  promised: Promised | undefined
  isLeaving: boolean
  /** Tells the other members that the peer has left. Does nothing with the ideal membership, which polls the true state of the world. */
  sayGoodbye(): void
}

export class Cluster {
  readonly world: World
  readonly book: ClusterBook
  readonly peers = new Map<string, Peer>()
  readonly #init: ClusterInit
  /** The ids in the order in which new peers get them. A peer that joins later may get an id of a higher rank. */
  readonly #order: readonly string[]
  readonly #cuts = new Set<string>()
  readonly #held = new Map<string, HeldLock[]>()
  /** The locks that clients want, and have not held yet. */
  readonly #wanted = new Set<string>()
  #error: Error | undefined
  /** The leader at the last check. */
  #leader: string | undefined
  /** The time of the last loss of a peer, or of the start of the last partition. */
  #lostAt = 0

  constructor(init: ClusterInit) {
    this.#init = init
    this.world = new World(init.seed)
    const { faults } = init
    this.book = new ClusterBook({
      once: faults === 'hand-offs',
      neverAgain: faults === 'deaths',
      isHeld: job => this.holders(job).length > 0
    })
    this.world.faults = { loss: 0, gossipLoss: 0, delay: [1, init.slowest] }
    this.world.invariant = () => {
      if (this.#error !== undefined) throw this.#error
    }
    const { random } = this.world
    this.#order = PEER_IDS.map(id => ({ id, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ id }) => id)
    for (const role of init.peers) {
      const traits = this.#draw(role)
      this.world.after(random() * 500, () => this.#start(traits))
    }
  }

  async run(ms: number): Promise<void> {
    await this.world.runSettled(ms, settled)
    this.world.invariant()
  }

  get up(): string[] {
    return this.world.ids().filter(id => this.world.isUp(id) && this.#peer(id).process?.hasLeft === false)
  }

  /** The leader that most peers follow. */
  get leader(): string | undefined {
    const votes = new Map<string, number>()
    for (const id of this.up) {
      const leader = this.#peer(id).process!.election.leader?.id
      if (leader !== undefined && this.world.isUp(leader)) votes.set(leader, (votes.get(leader) ?? 0) + 1)
    }
    return [...votes].sort(([, a], [, b]) => b - a)[0]?.[0]
  }

  /** The number of electable peers without which no peer can lead. */
  get fewestLeaders(): number {
    const { voters } = this.#init
    return voters === 0 ? 1 : majority(voters)
  }

  mayLead(id: string): boolean {
    const { traits, isLeaving } = this.#peer(id)
    return traits.role !== 'worker' && !isLeaving
  }

  /** The peers that know a job. */
  holders(job: string): string[] {
    return this.up.filter(id => this.#peer(id).replica.get(job) !== undefined)
  }

  /** Submits a job for a client. When the client's peer is gone, the client returns through another peer. */
  submit(job: SimulatedJob): void {
    this.book.add(job)
    let attempts = 0
    let at: { id: string; process: ClusterPeer } | undefined
    const ask = (): void => {
      const account = this.book.jobs.get(job.name)!
      if (account.isTold) return
      this.world.after(ASK_MS, ask)
      if (at !== undefined && this.world.isUp(at.id) && this.#peer(at.id).process === at.process) return
      const id = this.any(this.up.filter(id => !this.world.isPaused(id) && !this.#peer(id).isLeaving))
      if (id === undefined) return
      const mine = { id, process: this.#peer(id).process! }
      at = mine
      const told =
        job.stream === undefined
          ? mine.process.submit(job, () => this.book.acknowledged(job.name))
          : this.#map(mine.process, job, ++attempts)
      told
        .then(
          result => this.book.told(job.name, result),
          (error: unknown) => {
            if (error instanceof JobFailedError || error instanceof JobCancelledError) throw error
            if (at === mine) at = undefined
          }
        )
        .catch((error: Error) => this.fail(error))
    }
    ask()
  }

  /** Holds a lock for a client. When the client's peer is gone before it has held the lock, the client returns through another peer. */
  hold(name: string, client: string, ttl: number, holds: number): void {
    this.#wanted.add(client)
    let mine: Life | undefined
    const ask = (): void => {
      if (!this.#wanted.has(client)) return
      this.world.after(ASK_MS, ask)
      if (mine?.isThere() === true) return
      const id = this.any(this.up.filter(id => !this.world.isPaused(id) && !this.#peer(id).isLeaving))
      if (id === undefined) return
      const process = this.#peer(id).process!
      const life = { id, isThere: () => this.world.isUp(id) && this.#peer(id).process === process && !process.hasLeft }
      mine = life
      const onHeld = (session: LockSession): void => {
        this.#wanted.delete(client)
        this.#try(() => this.#checkHolders(name, { life, session }))
      }
      process.hold(name, ttl, holds, onHeld).catch(() => {
        if (mine === life) mine = undefined
      })
    }
    ask()
  }

  /** Checks that no two sessions hold a lock. Without a quorum, both sides of a cut may grant it, and a paused leader may go on. */
  #checkHolders(name: string, held: HeldLock): void {
    const { faults, voters } = this.#init
    const others = (this.#held.get(name) ?? []).filter(({ life, session }) => life.isThere() && session.remaining > 0)
    this.#held.set(name, [...others, held])
    const [other] = others.filter(({ life, session }) => session.isHeld && !this.world.isPaused(life.id))
    if (other !== undefined && (voters > 0 || faults !== 'apart'))
      throw new Error(`${held.life.id} and ${other.life.id} hold the lock ${name}`)
  }

  /** Runs a stream. A stream ends when its client is gone, so a client that returns submits a new stream. */
  async #map(process: ClusterPeer, job: SimulatedJob, attempt: number): Promise<number> {
    const mine = { ...job, name: `${job.name}-${attempt}` }
    this.book.add(mine)
    // A client that is gone receives nothing. The stream itself checks that the last client received every result.
    this.book.over(mine.name)
    await process.map(mine)
    return oneLoop(job)
  }

  fail(error: Error): void {
    this.#error ??= error
  }

  any<T>(of: readonly T[]): T | undefined {
    return of[Math.floor(this.world.random() * of.length)]
  }

  join(role: Role): void {
    if (this.peers.size < PEER_IDS.length) this.#start(this.#draw(role))
  }

  /** Kills peers at the same time. Some peers die together with their machines, so that only silence shows their death. */
  crash(ids: readonly string[]): void {
    this.#lostAt = this.world.now()
    for (const id of ids) this.world.crash(id, this.world.random() < 0.3)
    this.#forget()
  }

  /** Restarts a process that died. The restarted process has an empty memory. */
  restart(id: string): void {
    if (!this.world.isUp(id)) this.world.restart(id)
  }

  leave(id: string): void {
    const peer = this.#peer(id)
    const { process } = peer
    if (process === undefined || peer.isLeaving) return
    peer.isLeaving = true
    this.world.trace(id, 'is told to leave')
    process.leave().then(
      // The other peers learn of the leave before the process exits.
      () => {
        this.#lostAt = this.world.now()
        peer.sayGoodbye()
        this.world.after(300, () => this.#exit(id, process))
      },
      error => this.fail(error)
    )
  }

  pause(id: string, ms: number): void {
    this.#lostAt = this.world.now() + ms
    this.world.pause(id, ms)
  }

  partition(group: string[]): void {
    this.#lostAt = this.world.now()
    this.world.partition(group)
    for (const a of this.world.ids())
      for (const b of this.world.ids()) if (group.includes(a) !== group.includes(b)) this.#cuts.add(`${a} ${b}`)
  }

  heal(): void {
    if (this.#cuts.size > 0) this.#lostAt = this.world.now()
    this.world.heal()
    this.#cuts.clear()
  }

  get isCut(): boolean {
    return this.#cuts.size > 0
  }

  /** Returns whether no peer was lost during the last seconds, and every check during these seconds found the same leader. */
  isQuiet(): boolean {
    const { leader } = this
    if (leader === undefined || leader !== this.#leader) this.#lostAt = this.world.now()
    this.#leader = leader
    return this.world.now() > this.#lostAt + SETTLED_MS
  }

  /** Returns whether all jobs that clients rely on survive the death of these peers. */
  wouldSurvive(ids: readonly string[]): boolean {
    return this.book.owed().every(({ job }) => this.holders(job.name).some(id => !ids.includes(id)))
  }

  /** Checks that all peers agree on a leader, and that all submitted jobs have ended. */
  checkEnd(): void {
    const { up } = this
    const leaders = new Set(up.map(id => JSON.stringify(this.#peer(id).process!.election.leader?.epoch)))
    if (leaders.size !== 1 || this.leader === undefined) throw new Error(`the peers follow ${[...leaders].join(', ')}`)
    for (const [name, { isTold }] of this.book.jobs) if (!isTold) throw new Error(`${name} has not ended`)
    for (const client of this.#wanted) throw new Error(`${client} has never held its lock`)
  }

  /** Returns whether some peer has the outcome of a job, or the client of the job has received the outcome. */
  hasEnded(job: string): boolean {
    return (
      this.book.jobs.get(job)?.isTold === true ||
      this.up.some(id => this.#peer(id).replica.get(job)?.end === 'completed')
    )
  }

  /** Checks that enough peers have each job that a client relies on: a majority of the voters with a quorum; otherwise three peers, or all peers. */
  checkHeld(): void {
    const { voters } = this.#init
    const votes = this.up.filter(id => this.#order.indexOf(id) < voters).length
    // Without a majority of the voters no peer leads, so no peer writes to the journal.
    if (voters > 0 && votes < majority(voters)) return
    const enough = voters > 0 ? majority(voters) : Math.min(3, this.up.length)
    for (const { job } of this.book.owed()) {
      const holders = this.holders(job.name)
      if (holders.length < enough) throw new Error(`only ${holders.join(' and ') || 'nobody'} has ${job.name}`)
    }
  }

  #exit(id: string, process: ClusterPeer): void {
    if (this.#peer(id).process !== process || !this.world.isUp(id)) return
    this.world.exit(id)
    this.#forget()
  }

  /** Records lost jobs. No replica protects a stream: a living client submits its lost stream again. */
  #forget(): void {
    this.book.forgotten([...this.book.jobs.keys()].filter(name => this.holders(name).length === 0))
  }

  #draw(wanted: Role): PeerTraits {
    const { voters } = this.#init
    const id = this.#order[this.peers.size]!
    // A peer without a vote cannot lead, whatever its role.
    const role = voters > 0 && this.peers.size >= voters ? 'worker' : wanted
    const traits = { id, role, priority: 0, slots: 1 + Math.floor(this.world.random() * 2) }
    const replica = new JournalReplica<JournalRecord>()
    this.peers.set(id, { traits, process: undefined, replica, promised: undefined, isLeaving: false, sayGoodbye() {} })
    return traits
  }

  #peer(id: string): Peer {
    return this.peers.get(id)!
  }

  #start(traits: PeerTraits): void {
    const { id } = traits
    const peer = this.#peer(id)
    const { voters } = this.#init
    const quorum = voters === 0 ? undefined : this.#order.slice(0, voters)
    this.world.add(id, host => {
      peer.replica = new JournalReplica()
      peer.isLeaving = false
      const life: Life = { id, isThere: () => this.world.isUp(id) && peer.process === process && !process.hasLeft }
      const process: ClusterPeer = new ClusterPeer(host, {
        traits,
        traitsOf: id => this.#peer(id).traits,
        membership: (host, hooks) => this.#membership(host, hooks),
        quorum: quorum && {
          terms: { voters: quorum, leaseTime: LEASE_TIME, drift: DRIFT },
          promised: peer.promised,
          persist: (promised, done) => {
            peer.promised = promised
            done(true)
          },
          times: () => ({ monotonic: host.now(), elapsed: host.now() })
        },
        // A peer that returns with its earlier id has a data folder.
        accepted: peer.process?.election.core.peer.accepted,
        replica: peer.replica,
        runner: {
          starts: (job, index, alone) => {
            host.trace(`runs ${job} ${index}${alone ? ' alone' : ''}`)
            this.#try(() => this.book.starts(life, job, index, alone))
          },
          ends: (job, index) => {
            host.trace(`has computed ${job} ${index}`)
            this.#try(() => this.book.ends(life, job, index))
          },
          fails: error => this.fail(error)
        },
        fail: error => this.fail(error)
      })
      peer.process = process
      return process
    })
  }

  #try(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.fail(error as Error)
    }
  }

  #membership(host: Host, hooks: MembershipHooks): MembershipProcess {
    if (this.#init.below === 'swim') {
      const { traits } = this.#peer(host.id)
      const { role, priority: electionPriority, slots } = traits
      const swim = new SwimProcess(host, {
        seeds: this.#order,
        meetsStrangers: true,
        metadata: { role, electionPriority, slots },
        hooks
      })
      // The peer leaves the membership only after it has delivered its outcomes. Its leadership ends before that.
      this.#peer(host.id).sayGoodbye = () => swim.leave()
      return {
        start: () => swim.start(),
        receive: (from, protocol, message) => swim.receive(from, protocol, message),
        gossip: (topic, message) => swim.gossip(topic, message),
        timer: name => swim.timer(name),
        refused: peer => swim.refused(peer),
        get: id => swim.get(id),
        setPriority: priority => swim.setPriority(priority),
        leave() {}
      }
    }
    const truth = {
      ids: () => this.world.ids(),
      areConnected: (a: string, b: string) => this.#areConnected(a, b),
      roleOf: (id: string) => this.#peer(id).traits.role,
      priorityOf: (id: string) => this.#peer(id).traits.priority,
      hasLeft: (id: string) => this.#peer(id).process?.hasLeft === true
    }
    const { times } = this.#init
    return new IdealMembership(host, hooks, truth, { poll: 100, silence: [500, 4_000], pushPull: 4_000, ...times })
  }

  #areConnected(a: string, b: string): boolean {
    const { world } = this
    if (!world.isUp(a) || !world.isUp(b) || world.isPaused(a) || world.isPaused(b)) return false
    return !this.#cuts.has(`${a} ${b}`) && !this.#cuts.has(`${b} ${a}`)
  }
}
