/** Checks the terms of a quorum, and makes a digest of them, so that two peers can compare their terms. */
import { createHash } from 'node:crypto'
import { InvalidOptionError } from '../common/errors.ts'
import { isPeerId } from '../network/signature.ts'
import type { PeerIdString } from '../network/types.ts'
import type { LeaseTerms } from './quorum/lease.ts'

/**
 * How much faster or slower than true time a clock may run. Crystals are off by up to 0.01%, and time daemons make a clock run up to
 * 0.05% faster or slower (chrony up to 8.3% if configured so). The clock of a virtual machine may be worse.
 */
export const CLOCK_DRIFT = 0.01

/** The limits of the lease time, in ms. A shorter lease can end during a garbage collection. A longer lease delays the next leader too long. */
export const LEASE_TIMES = { least: 500, most: 600_000 } as const

const COUNTS: readonly number[] = [3, 5, 7]

/**
 * @param leaseTime - in ms
 * @throws InvalidOptionError
 */
export function leaseTerms(voters: readonly PeerIdString[], leaseTime: number): LeaseTerms {
  for (const voter of voters) checkPeerId(voter)
  const distinct = [...new Set(voters)].sort()
  if (distinct.length !== voters.length) throw new InvalidOptionError('`voters` holds one PeerId twice')
  if (!COUNTS.includes(voters.length)) {
    throw new InvalidOptionError(
      `\`voters\` must be 3, 5 or 7 PeerIds, not ${voters.length}: an even number tolerates no more failures than one voter fewer`
    )
  }
  if (!Number.isInteger(leaseTime) || leaseTime < LEASE_TIMES.least || leaseTime > LEASE_TIMES.most) {
    throw new InvalidOptionError(
      `\`leaseTime\` must be a whole number of ms from ${LEASE_TIMES.least} to ${LEASE_TIMES.most}, not ${leaseTime}`
    )
  }
  return { voters: distinct, leaseTime, drift: CLOCK_DRIFT }
}

/** Returns a digest that is equal at two peers exactly if their terms are equal. Returns an empty string without a quorum. */
export function digestOf(terms: LeaseTerms | undefined): string {
  if (terms === undefined) return ''
  const { voters, leaseTime, drift } = terms
  return createHash('sha256')
    .update(JSON.stringify([voters, leaseTime, drift]))
    .digest('hex')
    .slice(0, 32)
}

function checkPeerId(id: string): void {
  if (isPeerId(id)) return
  throw new InvalidOptionError(
    `\`voters\`: ${JSON.stringify(id)} is no PeerId of a peer (\`p2p-worker id --data-dir DIR\` prints one)`
  )
}
