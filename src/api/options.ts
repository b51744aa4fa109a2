/** Checks the options of `join` and `connect` before anything starts. */
import { availableParallelism } from 'node:os'
import { InvalidOptionError } from '../common/errors.ts'
import { SECRET_VARIABLES } from '../common/secrets.ts'
import { STRATEGIES } from '../election/core/strategies/names.ts'
import type { Electorate } from '../election/electorate.ts'
import { electionTimes } from '../election/profile.ts'
import type { LeaseTerms, LeaseTime } from '../election/quorum/lease.ts'
import type { LeaseStore } from '../election/store/lease-store.ts'
import { mutex } from '../election/store/mutex.ts'
import { isStoreAddress, storeAt } from '../election/stores/stores.ts'
import { CLOCK_DRIFT, LEASE_TIMES, leaseTerms } from '../election/voters.ts'
import type { JobHandleOptions } from '../jobs/shared/types.ts'
import type { Role } from '../membership/core/member.ts'
import { profileOf } from '../membership/profile.ts'
import { type ClusterKey, parseClusterKey } from '../network/cluster-key.ts'
import { type AllowRule, EVERYBODY, RIGHTS } from '../network/guard/admission.ts'
import { isPeerId } from '../network/signature.ts'
import type { Isolation } from '../tasks/executor.ts'
import { limits } from './option-limits.ts'
import type { ConnectionOptions, JoinOptions } from './options-types.ts'

const JOB_ID = /^[A-Za-z0-9._:@-]{1,128}$/
const ISOLATIONS: readonly string[] = ['thread', 'process'] satisfies JoinOptions['isolation'][]
const ROLES: readonly Role[] = ['auto', 'leader', 'worker']

/** Checks the keys; returns undefined for `insecure`. */
export function checkKey(options: ConnectionOptions): readonly ClusterKey[] | undefined {
  if (options.key !== undefined && options.insecure === true) {
    throw new InvalidOptionError('`key` and `insecure: true` contradict each other: give one of them')
  }
  if (options.key !== undefined) return checkKeys(options.key)
  if (options.insecure === true) return undefined
  throw new InvalidOptionError(
    'a cluster needs a `key` (make one with `p2p-worker keygen`), or `insecure: true`, which lets everybody in who reaches the port'
  )
}

/** @throws InvalidOptionError when a key is malformed, or when there is no key */
export function checkKeys(key: string | readonly string[]): readonly ClusterKey[] {
  const keys = (typeof key === 'string' ? [key] : key).map(parseClusterKey)
  if (keys.length === 0) throw new InvalidOptionError('`key` must hold at least one key')
  return keys
}

/** Checks an allow list, and returns its rules. @throws InvalidOptionError */
export function checkAllow(allow: readonly (string | AllowRule)[] | undefined): readonly AllowRule[] | undefined {
  const rules = allow?.map(entry => (typeof entry === 'string' ? { peer: entry, may: RIGHTS } : entry))
  const seen = new Set<string>()
  for (const { peer, may } of rules ?? []) {
    if (peer !== EVERYBODY && !isPeerId(peer)) {
      throw new InvalidOptionError(
        `\`allow\`: ${JSON.stringify(peer)} is no PeerId (\`p2p-worker id\` prints one), nor ${EVERYBODY}`
      )
    }
    const unknown = may.find(right => !RIGHTS.includes(right))
    if (unknown !== undefined) {
      throw new InvalidOptionError(
        `\`allow\`: ${peer} may ${JSON.stringify(unknown)}, which is not one of ${RIGHTS.join(', ')}`
      )
    }
    if (seen.has(peer)) throw new InvalidOptionError(`\`allow\`: ${peer} is listed twice`)
    seen.add(peer)
  }
  return rules
}

/** @throws InvalidOptionError when an option is not a whole number within its range */
export function checkInteger(value: number, name: string, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new InvalidOptionError(`\`${name}\` must be a whole number from ${least} to ${most}, not ${value}`)
  }
}

/** @throws InvalidOptionError when the text is not a valid job id */
export function checkJobId(id: string): void {
  if (typeof id === 'string' && JOB_ID.test(id)) return
  throw new InvalidOptionError('`id` must have 1 to 128 characters out of A-Z a-z 0-9 . _ : @ -')
}

/** @throws InvalidOptionError when the text is none of the values of {@link JobHandleOptions.suspended} */
export function checkSuspended(suspended: JobHandleOptions['suspended'] = 'refuse'): void {
  if (!['refuse', 'resume', 'cancel'].includes(suspended))
    throw new InvalidOptionError('`suspended` must be `refuse`, `resume` or `cancel`')
}

/** @throws InvalidOptionError when an option is neither true nor false */
export function checkBoolean(value: boolean, name: string): void {
  if (typeof value !== 'boolean')
    throw new InvalidOptionError(`\`${name}\` must be true or false, not ${String(value)}`)
}

/** The chosen strategy, before a peer has read the record of its store. */
export interface ChosenElection extends Omit<Electorate, 'store'> {
  store: (LeaseTime & { readonly store: LeaseStore }) | undefined
}

/** Returns the strategy with which the peer elects, and what grants leases. @throws InvalidOptionError, MissingPackageError */
export async function checkElection(options: JoinOptions): Promise<ChosenElection> {
  const { election: chosen = 'bully', voters, cluster = 'default' } = options
  const election = typeof chosen === 'string' && isStoreAddress(chosen) ? mutex(await storeAt(chosen, cluster)) : chosen
  const strategy = typeof election === 'string' ? election : election?.strategy
  const isKnown = typeof election === 'string' ? STRATEGIES.includes(election) : strategy === 'mutex'
  if (!isKnown) {
    throw new InvalidOptionError(
      `\`election\` must be one of ${STRATEGIES.join(', ')}, the address of a store, or a mutex, not ${JSON.stringify(election)}`
    )
  }
  if (strategy !== 'bully' && voters !== undefined) {
    throw new InvalidOptionError(
      `\`voters\` go with \`election: 'bully'\` only, not with ${JSON.stringify(strategy)}: leave one of the two out`
    )
  }
  if (typeof election === 'string') return { strategy, terms: checkVoters(options), store: undefined }
  return { strategy, store: checkStore(mutex(election.store).store, options.leaseTime) }
}

/** The lease time of a store unless the store or the user says otherwise, and the shortest one that makes sense, in ms. */
const STORE_LEASE = { usual: 10_000, least: LEASE_TIMES.least } as const

function checkStore(store: LeaseStore, asked: number | undefined): LeaseTime & { store: LeaseStore } {
  const { leastLeaseTime = STORE_LEASE.least, usualLeaseTime = STORE_LEASE.usual } = store
  const leaseTime = asked ?? usualLeaseTime
  checkInteger(leaseTime, 'leaseTime', Math.max(leastLeaseTime, STORE_LEASE.least), LEASE_TIMES.most)
  return { store, leaseTime, drift: CLOCK_DRIFT }
}

function checkVoters({ voters, leaseTime, profile = 'lan' }: JoinOptions): LeaseTerms | undefined {
  if (voters !== undefined) return leaseTerms(voters, leaseTime ?? electionTimes(profileOf(profile)).leaseTime)
  if (leaseTime !== undefined) throw new InvalidOptionError('`leaseTime` means nothing without `voters` or a store')
  return undefined
}

/**
 * Returns the role of the peer. Under a quorum only voters lead, so a peer that is not a voter announces itself as not
 * electable. @throws InvalidOptionError when a peer that is not a voter has the role `leader`
 */
export function roleUnder(terms: LeaseTerms | undefined, self: string, role: Role): Role {
  if (terms === undefined || terms.voters.includes(self)) return role
  if (role !== 'leader') return 'worker'
  throw new InvalidOptionError(
    `this peer, ${self}, is not one of the voters, so it never leads, and with the role \`leader\` it computes nothing either: give it another role, or the data folder of a voter`
  )
}

const USUAL_JOURNAL_MB = 1_024

/** The largest payload that the peer accepts and sends, in MiB. */
export function checkMaxPayload({ maxPayloadMb = limits.maxPayloadMb }: JoinOptions): number {
  checkInteger(maxPayloadMb, 'maxPayloadMb', 1, limits.maxPayloadMb)
  return maxPayloadMb
}

/** How much of a data folder may be taken until the leader refuses new jobs, in MiB. */
export function checkJournal({ dataDir, journalMb }: JoinOptions): number {
  if (journalMb === undefined) return USUAL_JOURNAL_MB
  if (dataDir === undefined) throw new InvalidOptionError('`journalMb` means nothing without `dataDir`')
  checkInteger(journalMb, 'journalMb', limits.leastJournalMb, limits.mostJournalMb)
  return journalMb
}

/** How long a leader waits after a full stop for another peer that kept the jobs, in ms. */
export function checkRecoverWait({ recoverWait }: JoinOptions): number | undefined {
  if (recoverWait !== undefined) checkInteger(recoverWait, 'recoverWait', 0, limits.mostRecoverWait)
  return recoverWait
}

/** The heap of a thread, in MiB. */
export function checkMaxHeap({ maxHeapMb }: JoinOptions): number | undefined {
  if (maxHeapMb !== undefined) checkInteger(maxHeapMb, 'maxHeapMb', limits.leastHeapMb, limits.mostHeapMb)
  return maxHeapMb
}

/** Variables that tasks never get: NODE_OPTIONS would undo the isolation, and the other variables contain secrets. */
const NEVER_FOR_TASKS: readonly string[] = ['NODE_OPTIONS', ...SECRET_VARIABLES]

/** Returns the isolation of tasks from the peer. Returns undefined if tasks run in the peer's threads. */
export function taskIsolation(
  { isolation = 'thread', taskEnvironment }: JoinOptions,
  limits: Isolation['limits']
): Isolation | undefined {
  if (!ISOLATIONS.includes(isolation))
    throw new InvalidOptionError(`\`isolation\` must be one of ${ISOLATIONS.join(', ')}, not ${isolation}`)
  if (isolation === 'thread') {
    if (taskEnvironment === undefined) return undefined
    throw new InvalidOptionError(
      "`taskEnvironment` means nothing without `isolation: 'process'`: in threads tasks see all of the environment"
    )
  }
  const environment = taskEnvironment ?? []
  for (const name of environment) {
    if (typeof name === 'string' && /^[A-Za-z_]\w*$/.test(name) && !NEVER_FOR_TASKS.includes(name)) continue
    throw new InvalidOptionError(
      `\`taskEnvironment\` takes names of variables, but not ${NEVER_FOR_TASKS.join(', ')}: ${JSON.stringify(name)} cannot be listed`
    )
  }
  return { environment, limits }
}

/** Checks the options that a peer announces about itself, and returns the checked options. */
export function checkMember(options: JoinOptions): {
  slots: number
  role: Role
  tags: Record<string, string>
} {
  const { slots = availableParallelism(), role = 'auto', tags = {} } = options
  checkInteger(slots, 'slots', 1, limits.slots)
  if (!ROLES.includes(role)) throw new InvalidOptionError(`\`role\` must be one of ${ROLES.join(', ')}, not ${role}`)
  if (options.dataDir === '') throw new InvalidOptionError('`dataDir` must name a folder')
  checkTags(tags, 'tags')
  return { slots, role, tags }
}

/** @throws InvalidOptionError when there are too many tags, or when a tag is too long or malformed */
export function checkTags(tags: Record<string, string>, option: string): void {
  if (typeof tags !== 'object' || tags === null || Array.isArray(tags)) {
    throw new InvalidOptionError(`\`${option}\` must be an object of tags, such as { gpu: 'a100' }`)
  }
  const entries = Object.entries(tags)
  if (entries.length > limits.tags) throw new InvalidOptionError(`\`${option}\` holds at most ${limits.tags} entries`)
  for (const [key, value] of entries) {
    if (key.length === 0 || key.length > limits.tagKey || typeof value !== 'string' || value.length > limits.tagValue) {
      throw new InvalidOptionError(
        `\`${option}\`: ${JSON.stringify(key)} must have 1 to ${limits.tagKey} characters and a string of at most ${limits.tagValue} as its value`
      )
    }
  }
}
