/**
 * A world in virtual time with a leader, a follower, a client and a hostile member. The peers and the client are real except for their
 * networks and threads.
 */
import { generateKeyPairFromSeed } from '@libp2p/crypto/keys'
import type { PrivateKey } from '@libp2p/interface'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import type { Job } from '../../../src/jobs/shared/types.ts'
import type { LockSession } from '../../../src/locks/lock-session.ts'
import { encode } from '../../../src/tasks/values/payload.ts'
import { expected } from '../../jobs/fake-runner.ts'
import { Find, told } from '../find.ts'
import { bundle, FuzzClient } from './client.ts'
import { Clock } from './clock.ts'
import { Hostile } from './hostile.ts'
import { type FuzzNetwork, Hub } from './network.ts'
import { FuzzPeer } from './peer.ts'

/** The possible receivers of a frame. */
export const VICTIMS = ['leader', 'follower', 'client'] as const
export type Victim = (typeof VICTIMS)[number]

export interface Frame {
  to: Victim
  bytes: Uint8Array
}

const CHUNKS = 100
/** A tag that the job requires and that only honest peers have, so that the hostile member computes no chunk of the job. */
const HONEST = { honest: 'yes' }
const PATIENCE = 60_000

/** Makes the same key in each run, so that a frame that an earlier run signed is still valid. */
export function keyOf(number: number): Promise<PrivateKey> {
  return generateKeyPairFromSeed('Ed25519', new Uint8Array(32).fill(number))
}

export class World {
  readonly clock: Clock
  readonly hub: Hub
  readonly hostile: Hostile
  readonly leader: FuzzPeer
  readonly follower: FuzzPeer
  readonly client: FuzzClient
  #epoch = 0
  #kept: LockSession | undefined
  #jobs = 0

  private constructor(clock: Clock, keys: readonly PrivateKey[]) {
    const [leader, follower, client, hostile] = keys as [PrivateKey, PrivateKey, PrivateKey, PrivateKey]
    this.clock = clock
    this.hub = new Hub(peerIdFromPrivateKey(hostile).toString())
    this.leader = new FuzzPeer({ hub: this.hub, privateKey: leader, metadata: { electionPriority: 1, tags: HONEST } })
    this.follower = new FuzzPeer({ hub: this.hub, privateKey: follower, metadata: { tags: HONEST } })
    this.leader.network.meet(this.follower.id)
    this.follower.network.meet(this.leader.id)
    this.hostile = new Hostile(hostile)
    this.client = new FuzzClient(this.hub, client, this.hostile.self)
    this.hostile.dupes.add(this.client.network.self)
  }

  static async start(): Promise<World> {
    const keys = await Promise.all([1, 2, 3, 4].map(keyOf))
    const clock = new Clock()
    const world = await clock.do(() => new World(clock, keys))
    await clock.pass(10_000)
    world.#epoch = world.leader.election.leader?.epoch ?? 0
    await clock.do(() => {
      const { hostile, leader, follower, client } = world
      world.hub.members.set(hostile.self, hostile)
      for (const { network } of [leader, follower, client]) network.meet(hostile.self)
      for (const { network } of [leader, follower]) hostile.join(network)
    })
    await clock.pass(10_000)
    await world.#keepLock()
    await world.#check('before it began')
    return world
  }

  async #keepLock(): Promise<void> {
    const lock = { kind: 'lock', name: 'kept', limit: 1, ttl: 10_000, owner: 'follower', signal: undefined } as const
    await this.clock.do(() => {
      const acquired = this.follower.locks.acquire({ ...lock, wait: 60_000 })
      acquired.then(session => {
        this.#kept = session
      })
    })
    await this.clock.pass(2_000)
  }

  /** The lock that the follower holds. Nobody else may end it. */
  get kept(): LockSession {
    return this.#kept!
  }

  networkOf(victim: Victim): FuzzNetwork {
    return this[victim].network
  }

  /** Sends a frame from the hostile member. */
  async feed({ name, kind }: { name: string; kind: 'protocol' | 'topic' }, { to, bytes }: Frame): Promise<void> {
    const network = this.networkOf(to)
    await this.clock.do(() => {
      if (kind === 'protocol') this.hostile.send(network, name, bytes)
      else this.hub.took(this.hostile.self, network.gossip(name, bytes))
    })
  }

  /** Lets the client start new requests, and then lets `ms` of virtual time pass. */
  async turn(ms: number): Promise<void> {
    await this.clock.do(() => this.client.keepBusy())
    await this.clock.pass(ms)
  }

  /** @throws Find if the membership, the leadership or the result of a job has changed */
  async check(): Promise<void> {
    // Gives pending messages time to arrive, and accused members time to refute.
    await this.clock.pass(30_000)
    await this.#check('afterwards')
  }

  async #check(when: string): Promise<void> {
    const { leader, follower } = this
    for (const [a, b] of [
      [leader, follower],
      [follower, leader]
    ] as const) {
      const state = a.membership.get(b.id)?.state
      if (state !== 'alive') throw new Find(`${when}, ${a.id} takes ${b.id} for ${state}`)
    }
    const [led, followed] = [leader.election.leader, follower.election.leader]
    if (led === undefined || led.id !== followed?.id || led.epoch !== followed.epoch)
      throw new Find(`${when}, they follow ${JSON.stringify(led)} and ${JSON.stringify(followed)}`)
    if (led.id !== leader.id && led.id !== follower.id) throw new Find(`${when}, ${led.id} leads, which may not`)
    await this.#compute(when)
  }

  get epoch(): number {
    return this.leader.election.leader?.epoch ?? this.#epoch
  }

  async #compute(when: string): Promise<void> {
    const id = `honest-${++this.#jobs}`
    const parts = { bundle, input: encode(CHUNKS, 'input') }
    let outcome: number | undefined
    let failure: unknown
    await this.clock.do(() => {
      this.leader.jobs
        .submit<number, unknown>(parts, { id, requires: HONEST })
        .then((job: Job<number>) => job.result())
        .then(
          result => {
            outcome = result
          },
          (error: unknown) => {
            failure = error
          }
        )
    })
    for (let waited = 0; waited < PATIENCE && outcome === undefined && failure === undefined; waited += 500)
      await this.clock.pass(500)
    if (failure !== undefined) throw new Find(`${when}, a job failed: ${told(failure)}`)
    if (outcome !== expected(CHUNKS)) throw new Find(`${when}, a job gave ${outcome}, not ${expected(CHUNKS)}`)
  }

  async stop(): Promise<void> {
    const stopped = this.clock.do(() =>
      Promise.all([this.client.stop(), this.follower.stop(), this.leader.stop()]).then(() => true)
    )
    await this.clock.pass(20_000)
    await stopped
  }
}
