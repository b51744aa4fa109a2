/**
 * One simulated peer. Its jobs, leader, worker, journal and client are the real classes; they run above the core of the
 * election and an ideal membership.
 */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { DEFAULT_LIMITS } from '../../../src/common/limits.ts'
import type { Logger } from '../../../src/common/logger.ts'
import type { Election } from '../../../src/election/types.ts'
import { ItemSource } from '../../../src/jobs/client/item-source.ts'
import { createJobs, type Jobs, leaderSourceOf } from '../../../src/jobs/jobs.ts'
import type { BatchSeal, BatchTerms } from '../../../src/jobs/protocol/batch-seal.ts'
import type { Job } from '../../../src/jobs/shared/types.ts'
import type { JournalReplica } from '../../../src/journal/core/replica.ts'
import type { JournalRecord } from '../../../src/journal/record.ts'
import type { LockSession } from '../../../src/locks/lock-session.ts'
import { createLocks, type PeerLocks } from '../../../src/locks/locks.ts'
import type { Membership } from '../../../src/membership/types.ts'
import type { Network } from '../../../src/network/types.ts'
import { encode } from '../../../src/tasks/values/payload.ts'
import {
  ElectionProcess,
  type ElectionProcessOptions,
  type MembershipHooks,
  type MembershipProcess
} from '../election.ts'
import { STREAM } from '../streams.ts'
import type { Host, Process } from '../world.ts'
import { JobsElection, JobsMembership, type PeerTraits } from './membership.ts'
import { SimulatedNetwork } from './network.ts'
import { checkOutputs, checkPartial, itemsOf, type RunnerEvents, type SimulatedJob, SimulatedRunner } from './runner.ts'
import { enter, ProcessTimers } from './virtual-time.ts'

export interface ClusterPeerOptions {
  traits: PeerTraits
  traitsOf(id: string): PeerTraits
  membership(host: Host, hooks: MembershipHooks): MembershipProcess
  quorum: ElectionProcessOptions['quorum']
  accepted: ElectionProcessOptions['accepted']
  replica: JournalReplica<JournalRecord>
  runner: RunnerEvents
  fail(error: Error): void
}

const code = Buffer.from('export default {}')
const bundle = { code, sha256: createHash('sha256').update(code).digest('hex'), name: 'task', folder: '/tasks' }

export class ClusterPeer implements Process {
  readonly election: ElectionProcess
  readonly jobs: Jobs
  readonly locks: PeerLocks
  hasLeft = false
  readonly #host: Host
  readonly #fail: (error: Error) => void
  readonly #timers: ProcessTimers
  readonly #network: SimulatedNetwork

  constructor(host: Host, { traits, traitsOf, quorum, accepted, ...options }: ClusterPeerOptions) {
    this.#host = host
    this.#fail = options.fail
    this.#timers = new ProcessTimers(host)
    enter(this.#timers)
    this.#network = new SimulatedNetwork(host, options.fail)
    const membership = new JobsMembership(traits.id, traitsOf)
    const election = new JobsElection(traits.id, quorum?.terms.voters)
    this.election = new ElectionProcess(host, {
      membership: (host, hooks) =>
        options.membership(host, {
          ...hooks,
          onMember: member => {
            hooks.onMember(member)
            membership.set(member.id, member.state)
          }
        }),
      ...(quorum === undefined ? {} : { quorum }),
      accepted,
      handOff: election.handOff,
      watch: election.watch,
      traceRepetitions: false
    })
    election.process = this.election
    this.locks = createLocks({
      network: this.#network as unknown as Network,
      election: election as unknown as Election,
      leaderSource: leaderSourceOf(election as unknown as Election),
      limits: DEFAULT_LIMITS,
      now: () => host.now()
    })
    const codes = new Set<string>()
    this.jobs = createJobs({
      network: this.#network as unknown as Network,
      membership: membership as unknown as Membership,
      election: election as unknown as Election,
      executor: new SimulatedRunner(traits.slots, () => host.random(), options.runner),
      codeStore: { has: sha256 => codes.has(sha256), put: async sha256 => void codes.add(sha256) },
      replica: options.replica,
      logger: loggerOf(host),
      seal: sealOf(traits.id),
      locks: this.locks
    })
    this.#leave = () => this.jobs.leave(() => election.leave())
  }

  readonly #leave: () => Promise<void>

  start(): void {
    enter(this.#timers)
    this.election.start()
  }

  receive(from: string, protocol: string, message: unknown): void {
    enter(this.#timers)
    if (protocol === STREAM) this.#network.receive(from, message)
    else this.election.receive(from, protocol, message)
  }

  gossip(topic: string, message: unknown): void {
    enter(this.#timers)
    this.election.gossip(topic, message)
  }

  timer(name: string): void {
    enter(this.#timers)
    if (!this.#timers.fire(name) && !this.#network.timer(name)) this.election.timer(name)
  }

  refused(peer: string): void {
    enter(this.#timers)
    this.#network.break(peer)
    this.election.refused(peer)
  }

  /** Submits a job at this peer, or attaches to the job if the cluster already runs it. Resolves with the result of the job. */
  async submit(job: SimulatedJob, acknowledged: () => void): Promise<number> {
    enter(this.#timers)
    const input = encode(job, 'input')
    const submitted = await this.jobs.submit<number>(
      { bundle, input },
      { id: job.name, detach: true, speculate: false, partials: job.reads !== undefined }
    )
    acknowledged()
    const [result] = await Promise.all([submitted.result(), this.#read(submitted, job)])
    return result
  }

  /** Maps a stream at this peer. Throws an error unless each result arrives exactly once. */
  async map(job: SimulatedJob): Promise<void> {
    enter(this.#timers)
    const failed = new AbortController()
    const items = new ItemSource({ source: itemsOf(job), onFailed: error => failed.abort(error) })
    const parts = { bundle, input: encode(undefined, 'input') }
    const options = { id: job.name, speculate: false, signal: failed.signal }
    const mapped = await this.jobs.submit<undefined>(parts, options, { items, order: job.stream! })
    const outputs: unknown[] = []
    for await (const output of mapped.partials()) outputs.push(output)
    await mapped.result()
    try {
      checkOutputs(job, outputs)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  /** Holds a lock for `holds` ms, or until it is lost. Resolves when the lock is released. */
  async hold(name: string, ttl: number, holds: number, onHeld: (session: LockSession) => void): Promise<void> {
    enter(this.#timers)
    const options = { kind: 'lock', name, limit: 1, ttl, owner: this.#host.id, signal: undefined } as const
    const session = await this.locks.acquire({ ...options, wait: Number.POSITIVE_INFINITY })
    this.#host.trace(`holds the lock ${name}, token ${session.token}`)
    onHeld(session)
    await delay(holds, undefined, { signal: session.lost }).catch(() => {})
    await session.release()
  }

  /** Reads partials as they arrive. A client that returns through another peer may find that some partials are gone. */
  async #read(submitted: Job, job: SimulatedJob): Promise<void> {
    const { reads } = job
    if (reads === undefined) return
    let next = 0
    try {
      for await (const partial of submitted.partials()) {
        checkPartial(partial, job, next++)
        if (next >= reads) return
      }
      if (next < job.chunks) throw new Error(`${job.name} is read up to ${next} of ${job.chunks}`)
    } catch (error) {
      if ((error as Error).message.startsWith(job.name)) this.#fail(error as Error)
      else this.#host.trace(`reads no more of ${job.name}: ${(error as Error).message}`)
    }
  }

  /** Makes the peer leave the cluster gracefully. Resolves when the process may exit. */
  async leave(): Promise<void> {
    enter(this.#timers)
    await this.#leave()
    this.hasLeft = true
  }
}

/** Writes the peer's log into the trace of the world. */
function loggerOf(host: Host): Logger {
  const log = (what: object, message?: string): void => host.trace(`${message} ${JSON.stringify(what)}`)
  return { debug: log, info: log, warn: log, error: log }
}

/** Seals a batch with a hash instead of a signature, because no simulated peer forges batches. */
function sealOf(self: string): BatchSeal {
  const bytesOf = (leader: string, { digests, indices, ...terms }: BatchTerms): Uint8Array =>
    createHash('sha1')
      .update(JSON.stringify([leader, terms, indices]))
      .update(digests)
      .digest()
  return {
    seal: terms => bytesOf(self, terms),
    isGenuine: (leader, terms, seal) => Buffer.compare(bytesOf(leader, terms), seal) === 0
  }
}
