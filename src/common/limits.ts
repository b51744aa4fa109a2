/** The limits on the data that a peer accepts from other peers and keeps for other peers. docs/limits.md documents this table. */
import { InvalidOptionError } from './errors.ts'

/** A limit, with its default value and its bounds. */
export interface Limit {
  /** The default value. It is far above the needs of peers that follow the protocol. */
  readonly value: number
  readonly unit: string
  /** The smallest allowed value. With a smaller value the cluster would not work. */
  readonly least: number
  readonly most: number
  /** The description of the limited data, as in docs/limits.md. */
  readonly of: string
}

const KiB = 2 ** 10
const MiB = 2 ** 20
const GiB = 2 ** 30
const MOST_COUNT = 2 ** 31 - 1

function rate(value: number, of: string, unit = 'messages a second'): Limit {
  return { value, unit, least: 1, most: 1_000_000, of }
}

function burst(value: number, of: string, unit = 'messages'): Limit {
  return { value, unit, least: 1, most: 100_000_000, of }
}

function count(value: number, unit: string, of: string, least = 1): Limit {
  return { value, unit, least, most: MOST_COUNT, of }
}

function bytes(value: number, of: string, least = MiB): Limit {
  return { value, unit: 'bytes', least, most: 2 ** 43, of }
}

function time(value: number, of: string, least: number): Limit {
  return { value, unit: 'ms', least, most: MOST_COUNT, of }
}

/** All limits, by name. */
export const LIMITS = {
  // In a full mesh, pings on behalf of all members are some 200 messages a second. The burst allows all messages that arrive at once after a
  // pause of this peer.
  membershipRate: rate(500, 'pings, answers and tables of members, from one peer'),
  membershipBurst: burst(2_000, 'the same, in one burst after a silence'),
  // The rate allows a large push-pull: 5,000 members, half of them just cut off, with a margin of a factor of three. Verifying 2,000 records takes
  // 200 ms.
  recordRate: rate(2_000, 'member records that these messages carry or ask for', 'records a second'),
  recordBurst: burst(60_000, 'the same, in one burst', 'records'),
  // A leader that loses 1,000 workers at the same time accuses each worker one or two times.
  gossipRate: rate(100, 'gossip that one peer wrote'),
  gossipBurst: burst(2_000, 'the same, in one burst'),
  // When 40 members crash, all neighbours of these members report the crashes.
  relayRate: rate(500, 'gossip that one peer relays, by any author'),
  relayBurst: burst(10_000, 'the same, in one burst'),
  // A leader renews its leases a few times a second. A candidate without a majority asks again after 15 ms.
  electionRate: rate(200, 'messages of elections and leases, from one peer'),
  electionBurst: burst(2_000, 'the same, in one burst'),
  // Half a million chunks a second need some 700 messages a second. Hundreds of simultaneous small jobs need fewer messages.
  workRate: rate(4_000, 'messages between a leader and a worker, from one peer'),
  workBurst: burst(20_000, 'the same, in one burst'),
  submitRate: rate(2_000, 'messages between a client and a leader, from one peer'),
  submitBurst: burst(10_000, 'the same, in one burst'),
  // A client that submits small jobs one after the other submits some 70 jobs a second.
  jobRate: rate(200, 'new jobs that one client submits', 'jobs a second'),
  jobBurst: burst(1_000, 'the same, in one burst', 'jobs'),
  // A new leader takes over up to 10,000 ended jobs, and sends each ended job to its standbys.
  journalRate: rate(2_000, 'messages of journals, from one peer'),
  journalBurst: burst(50_000, 'the same, in one burst'),
  overviewRate: rate(50, 'questions of `status`, `jobs` and chunk maps, from one peer'),
  overviewBurst: burst(500, 'the same, in one burst'),
  // A client renews each of its locks at most four times a second.
  lockRate: rate(5_000, 'messages about locks, from one peer'),
  lockBurst: burst(20_000, 'the same, in one burst'),
  scheduleRate: rate(50, 'messages about schedules, from one peer'),
  scheduleBurst: burst(500, 'the same, in one burst'),
  historyRate: rate(50, 'questions of `history`, from one peer'),
  historyBurst: burst(500, 'the same, in one burst'),
  // A peer sends changes to each client at most every 20 ms.
  attachRate: rate(100, 'messages between a client and the peer that it is attached to'),
  attachBurst: burst(1_000, 'the same, in one burst'),
  floodTolerance: count(
    100,
    'refusals',
    'channels and streams that a peer may lose to its rate limits before it is shut out'
  ),
  floodPauseMs: time(
    10_000,
    'the time for which a peer is shut out first; each next time is twice as long, up to 32 times this',
    100
  ),

  connections: count(16, 'connections', 'connections with one peer', 2),
  streams: count(8, 'streams', 'streams of one protocol on one connection', 2),
  inboxBytes: bytes(2 * GiB, 'messages of one peer that are incomplete, or not handled yet', 8 * MiB),
  outboxBytes: bytes(2 * GiB, 'messages that wait for one peer to read, on one channel', 8 * MiB),
  slowReaderMs: time(60_000, 'the time for which a peer may read nothing while messages wait for it', 1_000),
  gossipMessageBytes: bytes(MiB, 'one message of gossip', 64 * KiB),
  gossipOutboxBytes: bytes(16 * MiB, 'gossip that waits for one peer to read'),

  members: count(10_000, 'members', 'members that are known; half as many where some of them are dead or have left', 2),
  addresses: count(32, 'addresses', 'addresses of one peer that are known', 1),
  heard: count(256, 'peers', 'peers that are known by mDNS only', 1),
  clients: count(1_000, 'clients', 'clients that are attached to one peer', 1),

  jobs: count(256, 'jobs', 'jobs under way at a leader', 1),
  jobsPerClient: count(200, 'jobs', 'jobs under way that one client submitted', 1),
  jobBytes: bytes(4 * GiB, 'code and input of all jobs under way', 8 * MiB),
  waitingRequests: count(10_000, 'requests', 'requests of clients to a leader that cannot answer yet', 1),
  outcomes: count(64, 'outcomes', 'outcomes that a leader keeps', 1),
  outcomeBytes: bytes(256 * MiB, 'the same outcomes; the newest is kept whatever its size'),
  endedJobs: count(10_000, 'jobs', 'ended jobs whose outcome is no longer kept, but whose end is still known', 1),
  journalEntries: count(20_000, 'jobs', 'jobs of other leaders that a peer keeps in its journal', 1),
  journalBytes: bytes(8 * GiB, 'the same jobs', 8 * MiB),
  locks: count(10_000, 'locks', 'locks that are held or waited for', 1),
  lockSessions: count(20_000, 'sessions', 'sessions that hold or wait for locks', 1),
  lockSessionsPerClient: count(2_000, 'sessions', 'the same, of one client', 1),
  schedules: count(1_000, 'schedules', 'schedules and jobs that start later', 1),
  offeredChunks: count(1_000_000, 'chunks', 'chunks that one worker may offer to a new leader', 1),

  heldBytes: bytes(256 * MiB, 'partials that a worker holds for the next leader', 0),
  valueBytes: bytes(GiB, 'states and shards of iterations that a worker keeps'),
  codeBytes: bytes(256 * MiB, 'code of tasks that a peer keeps, on its disk'),

  // Node itself needs some 100 MB. A payload may be 511 MiB, and the task holds it both encoded and decoded.
  taskMemoryBytes: bytes(4 * GiB, 'memory of each isolated task', 256 * MiB),
  taskDiskBytes: bytes(GiB, 'files of each isolated task, all in its own folder', MiB),
  taskFiles: count(256, 'files', 'files and sockets that each isolated task has open', 64)
} as const satisfies Record<string, Limit>

/** The name of a limit. docs/limits.md describes each limit. */
export type LimitName = keyof typeof LIMITS

/** The values of all limits, by name. */
export type Limits = Readonly<Record<LimitName, number>>

const NAMES = Object.keys(LIMITS) as LimitName[]

/** The default of each limit. */
export const DEFAULT_LIMITS = Object.fromEntries(NAMES.map(name => [name, LIMITS[name].value])) as Limits

/**
 * Checks the name and value of a limit.
 *
 * @throws InvalidOptionError
 */
export function checkLimit(name: string, value: number): { name: LimitName; value: number } {
  if (!Object.hasOwn(LIMITS, name))
    throw new InvalidOptionError(`${JSON.stringify(name)} is no limit. The limits are ${NAMES.join(', ')}.`)
  const known = name as LimitName
  const { least, most, unit } = LIMITS[known]
  if (!Number.isSafeInteger(value) || value < least || value > most)
    throw new InvalidOptionError(`The limit ${name} must be a whole number from ${least} to ${most} (${unit}).`)
  return { name: known, value }
}

/** Returns all limits: the values of `changed`, and the defaults for all other limits. @throws InvalidOptionError */
export function limitsWith(changed: Partial<Limits> = {}): Limits {
  if (typeof changed !== 'object' || changed === null)
    throw new InvalidOptionError('`limits` must be an object of limits, such as { jobs: 100 }')
  const entries = Object.entries(changed).filter(([, value]) => value !== undefined)
  return {
    ...DEFAULT_LIMITS,
    ...Object.fromEntries(entries.map(([name, value]) => [name, checkLimit(name, value).value]))
  }
}
