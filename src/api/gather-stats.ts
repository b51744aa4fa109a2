import type { Election } from '../election/types.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { PeerLocks } from '../locks/locks.ts'
import type { Membership } from '../membership/types.ts'
import type { Network } from '../network/types.ts'
import type { DataDir } from '../persistence/data-dir.ts'
import type { PeerStats } from './peer-stats.ts'

/** The parts of a peer that count. */
export interface CountingParts {
  network: Network
  membership: Membership
  election: Election
  jobs: Jobs
  locks: PeerLocks
  dataDir: DataDir | undefined
}

export function gatherStats({ network, membership, election, jobs, locks, dataDir }: CountingParts): PeerStats {
  const { changes: leaderChanges, leaderless } = election.stats()
  return {
    ...membership.stats(),
    ...jobs.stats(),
    isLeader: election.isLeader,
    epoch: election.leader?.epoch,
    leaderChanges,
    leaderless,
    electionDurations: election.durations(),
    slots: membership.self.slots,
    locks: locks.counts(),
    dataDir: dataDir?.stats(),
    refusals: network.refusals.counts()
  }
}
