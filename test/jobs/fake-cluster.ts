/** Peers in one process without a network: plain objects with the interfaces that the jobs adapters use. */
import { createHash } from 'node:crypto'
import { TypedEventEmitter } from 'main-event'
import { ChannelClosedError } from '../../src/common/errors.ts'
import { type Limits, limitsWith } from '../../src/common/limits.ts'
import { silent } from '../../src/common/logger.ts'
import type { LeadershipRecord } from '../../src/election/audit-log.ts'
import type { Election, ElectionEvents, HandOff, Leadership } from '../../src/election/types.ts'
import { createJobs, type Jobs, type JobsInit } from '../../src/jobs/jobs.ts'
import type { BatchSeal, BatchTerms } from '../../src/jobs/protocol/batch-seal.ts'
import type { Runner } from '../../src/jobs/shared/runner.ts'
import type { Member } from '../../src/membership/core/member.ts'
import type { Membership, MembershipEvents } from '../../src/membership/types.ts'
import { Admission } from '../../src/network/guard/admission.ts'
import { Refusals } from '../../src/network/guard/refusals.ts'
import type {
  Channel,
  Network,
  NetworkEvents,
  PeerIdString,
  Protocol,
  ProtocolHandler,
  ProtocolSpec
} from '../../src/network/types.ts'

class WireChannel<T> implements Channel<T> {
  readonly pendingBytes = 0
  readonly #closed = new AbortController()
  other!: WireChannel<T>
  #tail: Promise<unknown> = Promise.resolve()

  constructor(
    readonly owner: PeerIdString,
    readonly remote: PeerIdString,
    readonly direction: 'inbound' | 'outbound',
    readonly spec: ProtocolSpec<T>,
    readonly handler: ProtocolHandler<T>,
    readonly hub: FakeHub
  ) {}

  get closed(): AbortSignal {
    return this.#closed.signal
  }

  send(message: T): Promise<void> {
    if (this.closed.aborted) return Promise.reject(this.closed.reason)
    const bytes = this.spec.codec.encode(message)
    const { other } = this
    const sent = this.#tail.then(async () => {
      this.closed.throwIfAborted()
      this.hub.sent.push({ from: this.owner, to: this.remote, protocol: this.spec.name, message })
      try {
        await other.handler.onMessage(this.spec.codec.decode(bytes), other)
      } catch (error) {
        this.abort(error as Error)
      }
    })
    this.#tail = sent.catch(() => {})
    return sent
  }

  async close(): Promise<void> {
    await this.#tail
    this.abort(new Error('closed'))
  }

  abort(reason: Error): void {
    this.end(reason)
    this.other.end(reason)
  }

  end(reason: Error): void {
    if (this.closed.aborted) return
    const error = new ChannelClosedError(`channel to ${this.remote} is closed`, { cause: reason })
    this.#closed.abort(error)
    this.hub.channels.delete(this as WireChannel<unknown>)
    this.handler.onClose?.(this, error)
  }
}

/** Connects fake networks with each other. */
export class FakeHub {
  readonly networks = new Map<PeerIdString, FakeNetwork>()
  readonly channels = new Set<WireChannel<unknown>>()
  /** All sent messages, in order of arrival. */
  readonly sent: { from: PeerIdString; to: PeerIdString; protocol: string; message: unknown }[] = []

  /** Breaks all channels between two peers. */
  disconnect(a: PeerIdString, b: PeerIdString): void {
    for (const channel of [...this.channels]) {
      if (channel.owner === a && channel.remote === b) channel.abort(new Error('the connection broke'))
    }
  }
}

interface Registered {
  spec: ProtocolSpec<unknown>
  handler: ProtocolHandler<unknown>
}

export class FakeNetwork extends TypedEventEmitter<NetworkEvents> {
  readonly protocols = new Map<string, Registered>()
  readonly refusals = new Refusals()
  readonly admission = new Admission()
  down = false

  constructor(
    readonly self: PeerIdString,
    readonly hub: FakeHub
  ) {
    super()
    hub.networks.set(self, this)
  }

  register<T>(spec: ProtocolSpec<T>, handler: ProtocolHandler<T>): Protocol<T> {
    this.protocols.set(spec.name, { spec, handler } as unknown as Registered)
    const own = (): Channel<T>[] =>
      [...this.hub.channels].filter(
        channel => channel.owner === this.self && channel.spec.name === spec.name
      ) as unknown as Channel<T>[]
    const channel = async (peer: PeerIdString): Promise<Channel<T>> => {
      await Promise.resolve()
      const open = own().find(({ remote }) => remote === peer)
      if (open !== undefined) return open
      const there = this.hub.networks.get(peer)
      const far = there?.protocols.get(spec.name)
      if (this.down || there === undefined || there.down || far === undefined) throw new Error(`${peer} is unreachable`)
      const a = new WireChannel<T>(this.self, peer, 'outbound', spec, handler, this.hub)
      const b = new WireChannel<T>(peer, this.self, 'inbound', spec, far.handler as ProtocolHandler<T>, this.hub)
      a.other = b
      b.other = a
      this.hub.channels.add(a as WireChannel<unknown>).add(b as WireChannel<unknown>)
      return a
    }
    return {
      channel,
      send: async (peer, message) => (await channel(peer)).send(message),
      channels: own,
      close: async () => {
        this.protocols.delete(spec.name)
        for (const channel of own()) channel.abort(new Error('closed'))
      }
    }
  }
}

export class FakeMembership extends TypedEventEmitter<MembershipEvents> {
  readonly table = new Map<PeerIdString, Member>()

  constructor(readonly id: PeerIdString) {
    super()
  }

  get self(): Member {
    return this.table.get(this.id)!
  }

  get(id: PeerIdString): Member | undefined {
    return this.table.get(id)
  }

  live(): Member[] {
    return [...this.table.values()].filter(({ state }) => state === 'alive' || state === 'suspect')
  }

  set(member: Member): void {
    const previous = this.table.get(member.id)
    this.table.set(member.id, member)
    this.dispatchEvent(new CustomEvent('member', { detail: { member, previous } }))
  }
}

export class FakeElection extends TypedEventEmitter<ElectionEvents> {
  leader: Leadership | undefined
  handOff: HandOff | undefined

  constructor(readonly id: PeerIdString) {
    super()
  }

  get isLeader(): boolean {
    return this.leader?.id === this.id
  }

  readonly quorum = undefined

  readonly #history: LeadershipRecord[] = []

  history(): LeadershipRecord[] {
    return this.#history
  }

  get remaining(): number {
    return this.isLeader ? Number.POSITIVE_INFINITY : 0
  }

  accepts(from: PeerIdString, epoch: number): boolean {
    if (this.leader === undefined) return true
    return epoch > this.leader.epoch || (epoch === this.leader.epoch && from === this.leader.id)
  }

  onHandOff(handOff: HandOff): void {
    this.handOff = handOff
  }

  set(leader: Leadership | undefined): void {
    const previous = this.leader
    this.leader = leader
    if (leader !== undefined)
      this.#history.push({ leader: leader.id, epoch: leader.epoch, from: 0, until: undefined, why: undefined })
    this.dispatchEvent(new CustomEvent('leader', { detail: { leader, previous } }))
  }
}

export interface FakePeer {
  id: PeerIdString
  network: FakeNetwork
  membership: FakeMembership
  election: FakeElection
  jobs: Jobs
  /** The peer's log lines at `info`. */
  logged: object[]
}

/** Real PeerIds in ascending order. They must be real because the codecs check them. */
export const IDS = [
  '12D3KooWA1bysjrTACSWqf6q172inxvwKHUxAnBtVgaVDKMxpZtx',
  '12D3KooWBmAwcd4PJNJvfV89HwE48nwkRmAgo8Vy3uQEyNNHBox2',
  '12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDDUA2kj6vnc6iDEp',
  '12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo'
]

/** A seal that is only a hash. Any peer that knows the id of the author could forge such a seal. */
export function fakeSeal(self: PeerIdString): BatchSeal {
  const sealOf = (leader: PeerIdString, { digests, indices, ...terms }: BatchTerms): Uint8Array =>
    createHash('sha256')
      .update(JSON.stringify([leader, terms, indices]))
      .update(digests)
      .digest()
  return {
    seal: terms => sealOf(self, terms),
    isGenuine: (leader, terms, seal) => Buffer.compare(sealOf(leader, terms), seal) === 0
  }
}

export class FakeCluster {
  readonly hub = new FakeHub()
  readonly peers: FakePeer[] = []
  #epoch: number

  /** @param epoch - the newest epoch of earlier processes of the peers */
  constructor(epoch = 0) {
    this.#epoch = epoch
  }

  /** @param kept - what the peer has on its disk */
  add(
    runner: Runner,
    member: Partial<Member> = {},
    limits: Partial<Limits> = {},
    kept: Pick<JobsInit, 'replica' | 'whenSynced' | 'recoverWait' | 'room' | 'partials' | 'returning'> = {}
  ): FakePeer {
    const { id = IDS[this.peers.length]! } = member
    const network = new FakeNetwork(id, this.hub)
    const membership = new FakeMembership(id)
    const election = new FakeElection(id)
    const self: Member = {
      id,
      state: 'alive',
      incarnation: 0,
      revision: 0,
      since: 0,
      addresses: [],
      slots: runner.slots,
      role: 'auto',
      electionPriority: 0,
      tags: {},
      version: '0.0.0',
      node: '',
      host: '',
      electorate: '',
      hasDisk: false,
      ...member
    }
    membership.set(self)
    for (const other of this.peers) {
      membership.set(other.membership.self)
      other.membership.set(self)
    }
    const codes = new Set<string>()
    const logged: object[] = []
    const jobs = createJobs({
      network: network as unknown as Network,
      membership: membership as unknown as Membership,
      election: election as unknown as Election,
      executor: runner,
      seal: fakeSeal(id),
      ...kept,
      limits: limitsWith(limits),
      logger: { ...silent, info: data => void logged.push(data) },
      codeStore: { has: sha256 => codes.has(sha256), put: async sha256 => void codes.add(sha256) }
    })
    const peer = { id, network, membership, election, jobs, logged }
    this.peers.push(peer)
    return peer
  }

  /** Makes all live peers accept a new leadership of `leader`. */
  elect(leader: FakePeer): void {
    const id = leader.id
    const leadership = { id, epoch: ++this.#epoch, rank: { priority: 0, id } }
    for (const peer of this.peers) if (!peer.network.down) peer.election.set(leadership)
  }

  /** Kills a peer: the channels of the peer break, and the other peers learn that the peer is dead. */
  kill(peer: FakePeer): void {
    peer.network.down = true
    this.hub.networks.delete(peer.id)
    for (const other of this.peers) {
      this.hub.disconnect(peer.id, other.id)
      if (other !== peer) other.membership.set({ ...peer.membership.self, state: 'dead' })
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.peers.map(({ jobs }) => jobs.stop()))
  }
}
