/** Builds data as a peer sends it to the dashboard. */
import { type Happening, happen, type Model, START } from '../../../src/http/dashboard/model/model.ts'
import type { WireJob, WireLock, WireMember, WireSchedule, WireStatus } from '../../../src/http/dashboard/model/wire.ts'

export function member(peerId: string, fields: Partial<WireMember> = {}): WireMember {
  return {
    peerId,
    state: 'alive',
    role: 'auto',
    rank: 1,
    electionPriority: 0,
    slots: 4,
    busy: 0,
    rttMs: 1.5,
    addresses: ['/ip4/127.0.0.1/tcp/4001'],
    version: '0.1.0',
    node: '26.10.0',
    hasDisk: false,
    ...fields
  }
}

export function job(jobId: string, fields: Partial<WireJob> = {}): WireJob {
  const held = { durable: 0, durability: { memory: 1, disk: 0 } }
  return { jobId, task: 'sum', state: 'running', done: 0, total: 100, unserved: false, ageMs: 0, ...held, ...fields }
}

/** Returns a lock that P1 holds, and P2 waits for, each with so many sessions. */
export function lock(name: string, holders: number, waiters: number): WireLock {
  const range = (count: number): number[] => [...Array(count).keys()]
  return {
    kind: 'lock',
    name,
    limit: Math.max(1, holders),
    token: holders,
    holders: range(holders).map(i => ({ client: 'P1', owner: `h${i}`, token: i + 1, ttl: 10_000, since: i })),
    waiters: range(waiters).map(i => ({ client: 'P2', owner: `w${i}`, since: i }))
  }
}

export function schedule(name: string, fields: Partial<WireSchedule> = {}): WireSchedule {
  return {
    name,
    cron: '0 3 * * *',
    at: null,
    timeZone: 'UTC',
    missed: 'one',
    overlap: 'skip',
    catchUp: 100,
    jitter: 0,
    task: 'sum',
    state: 'active',
    next: 1_700_000_000_000,
    last: null,
    skipped: 0,
    problem: null,
    ...fields
  }
}

export function status(fields: Partial<WireStatus> = {}): WireStatus {
  return {
    cluster: 'lab',
    leader: 'P1',
    epoch: 3,
    election: 'bully',
    members: [member('P1'), member('P2')],
    noLeader: null,
    leaderChanges: 1,
    leaderlessMs: 0,
    jobs: [],
    ...fields
  }
}

export function told(happenings: readonly Happening[], before: Model = START): Model {
  return happenings.reduce(happen, before)
}

/** Converts a time of the page's clock to the time of the peer's clock. */
export function time(at: number): string {
  return new Date(1_700_000_000_000 + at).toISOString()
}
