/** A peer on a fuzzed network. Everything above the network is real, except the threads that run tasks. */
import type { PrivateKey } from '@libp2p/interface'
import { type AttachHost, createAttachHost } from '../../../src/attach/host.ts'
import { InvalidMessageError } from '../../../src/common/errors.ts'
import { DEFAULT_LIMITS } from '../../../src/common/limits.ts'
import { createElection } from '../../../src/election/election.ts'
import { electorateOf } from '../../../src/election/electorate.ts'
import { createHistory, type History } from '../../../src/election/history.ts'
import type { LeaseTerms } from '../../../src/election/quorum/lease.ts'
import type { Election } from '../../../src/election/types.ts'
import { createJobs, type Jobs, leaderSourceOf } from '../../../src/jobs/jobs.ts'
import { createBatchSeal } from '../../../src/jobs/protocol/batch-seal.ts'
import type { Runner } from '../../../src/jobs/shared/runner.ts'
import { JournalReplica } from '../../../src/journal/core/replica.ts'
import type { JournalRecord } from '../../../src/journal/record.ts'
import { createLocks, type PeerLocks } from '../../../src/locks/locks.ts'
import type { MemberMetadata } from '../../../src/membership/core/member.ts'
import { createMembership } from '../../../src/membership/membership.ts'
import { profiles } from '../../../src/membership/profile.ts'
import type { Membership } from '../../../src/membership/types.ts'
import type { Network } from '../../../src/network/types.ts'
import { createSchedules, type PeerSchedules } from '../../../src/schedules/schedules.ts'
import { codeHash } from '../../../src/tasks/execute/code-store.ts'
import { decode } from '../../../src/tasks/values/payload.ts'
import { FakeRunner } from '../../jobs/fake-runner.ts'
import { metadataOf } from '../../simulation/membership.ts'
import { FuzzNetwork, type Hub } from './network.ts'

/** The most chunks of a job in this world. A job with more chunks fails, like a job whose `split` throws an error. */
export const MOST_CHUNKS = 500

/** Makes the fake runner of the job tests, with a task that checks its input. */
function carefulRunner(): Runner {
  const runner = new FakeRunner(2)
  const { openDriver } = runner
  runner.openDriver = async options => {
    const total = decode(options.input, 'input') as number
    if (!Number.isInteger(total) || total < 0 || total > MOST_CHUNKS) throw new RangeError('no number of chunks')
    return await openDriver(options)
  }
  return runner
}

/** Makes a code store that keeps code in memory, and checks hashes as the real store does. */
function codeStore() {
  const codes = new Set<string>()
  return {
    has: (sha256: string) => codes.has(sha256),
    put: async (sha256: string, code: Uint8Array) => {
      if (codeHash(code) !== sha256) throw new InvalidMessageError('code of another hash')
      codes.add(sha256)
    }
  }
}

export interface FuzzPeerInit {
  hub: Hub
  privateKey: PrivateKey
  metadata?: Partial<MemberMetadata>
  terms?: LeaseTerms | undefined
}

export class FuzzPeer {
  readonly network: FuzzNetwork
  readonly membership: Membership
  readonly election: Election
  readonly jobs: Jobs
  readonly locks: PeerLocks
  readonly schedules: PeerSchedules
  readonly history: History
  readonly replica = new JournalReplica<JournalRecord>()
  readonly #attachHost: AttachHost

  constructor({ hub, privateKey, metadata, terms }: FuzzPeerInit) {
    const electorate = { strategy: 'bully', terms } as const
    this.network = new FuzzNetwork(hub, privateKey)
    const network = this.network as unknown as Network
    const profile = profiles.lan
    this.membership = createMembership({
      network,
      metadata: metadataOf(network.self, { slots: 2, electorate: electorateOf(electorate), ...metadata }),
      profile
    })
    const { membership } = this
    this.election = createElection({ network, membership, profile, electorate })
    const { election } = this
    const leaderSource = leaderSourceOf(election)
    const now = (): number => performance.now()
    this.locks = createLocks({ network, election, leaderSource, limits: DEFAULT_LIMITS, now })
    this.schedules = createSchedules({ network, membership, election, leaderSource, limits: DEFAULT_LIMITS })
    this.jobs = createJobs({
      locks: this.locks,
      schedules: this.schedules,
      network,
      membership,
      election,
      executor: carefulRunner(),
      codeStore: codeStore(),
      replica: this.replica,
      seal: createBatchSeal(network.clusterId, privateKey)
    })
    this.#attachHost = createAttachHost({ network, membership, election, prioritize: () => 0 })
    this.history = createHistory(network, () => election.history())
  }

  get id(): string {
    return this.network.self
  }

  async stop(): Promise<void> {
    await this.history.stop()
    await this.#attachHost.stop()
    await this.jobs.stop()
    await this.locks.stop()
    await this.schedules.stop()
    await this.election.stop()
    await this.membership.stop()
  }
}
