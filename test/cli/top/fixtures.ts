/** The events of a cluster that a client can report. */
import type { ClusterStatus, MemberStatus } from '../../../src/api/types.ts'
import { type Happening, happen, type Model, startModel } from '../../../src/cli/top/model.ts'
import type { JobSummary } from '../../../src/jobs/shared/types.ts'

export function member(id: string, change: Partial<MemberStatus> = {}): MemberStatus {
  return {
    id: `12D3KooW-member-${id}`,
    state: 'alive',
    incarnation: 0,
    revision: 0,
    since: 0,
    addresses: [`/ip4/192.0.2.1/tcp/4001/p2p/${id}`],
    slots: 2,
    role: 'auto',
    electionPriority: 0,
    tags: {},
    version: '0.1.0',
    node: '26.10.0',
    host: '',
    electorate: '',
    hasDisk: false,
    busy: 1,
    ...change
  }
}

export function job(jobId: string, change: Partial<JobSummary> = {}): JobSummary {
  const held = { durable: 0, durability: { memory: 1, disk: 0 } }
  return { jobId, task: 'count', state: 'running', done: 0, total: 100, unserved: false, age: 0, ...held, ...change }
}

export function status(change: Partial<ClusterStatus> = {}): ClusterStatus {
  const members = [member('A'), member('B')]
  return {
    cluster: 'lab',
    leader: { id: members[1]!.id, epoch: 1 },
    noLeader: undefined,
    leaderChanges: 1,
    leaderless: 0,
    members,
    jobs: [],
    ...change
  }
}

/** The view of a peer, as in a status. */
export function view(at: number, of: ClusterStatus, peer: string | undefined = 'peer-one'): Happening {
  return { type: 'view', at, peer, leader: of.leader, members: of.members }
}

export function answer(at: number, of: ClusterStatus): Happening {
  return { type: 'answer', at, status: of }
}

export function modelAfter(...happenings: Happening[]): Model {
  return happenings.reduce(happen, startModel('lab'))
}

export function logOf(model: Model): string[] {
  return model.log.map(({ text }) => text)
}
