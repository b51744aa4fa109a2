/**
 * What a leader has given a worker, signed: so that the worker can show it to the next leader. An offer that shows no such batch counts
 * for nothing, or any member could bring partials of chunks that it never had.
 */
import { createHash } from 'node:crypto'
import type { PrivateKey } from '@libp2p/interface'
import { isSignedBy, signWith } from '../../network/signature.ts'
import type { PeerIdString } from '../../network/types.ts'
import { packNumbers } from './varints.ts'

/** Chunks of one job that one leadership has given to one worker. */
export interface BatchTerms {
  job: string
  /** Of the task's bundle. */
  sha256: string
  worker: PeerIdString
  epoch: number
  indices: readonly number[]
  /** Of the chunks, one after the other, in the order of `indices`. */
  digests: Uint8Array
}

export interface BatchSeal {
  /** This peer's signature, as the leader that gives the batch. */
  seal(terms: BatchTerms): Uint8Array
  /** Whether `leader` has signed the batch. */
  isGenuine(leader: PeerIdString, terms: BatchTerms, seal: Uint8Array): boolean
}

/** Seals with `privateKey`; a seal means nothing in another cluster, nor in another place. */
export function createBatchSeal(clusterId: string, privateKey: PrivateKey): BatchSeal {
  const signedBytes = ({ job, sha256, worker, epoch, indices, digests }: BatchTerms): Uint8Array => {
    const chunks = createHash('sha256').update(packNumbers(indices)).update(digests).digest('hex')
    // None of these can hold a line break.
    return Buffer.from(['p2p-worker batch', clusterId, job, sha256, worker, epoch, chunks].join('\n'), 'utf8')
  }
  return {
    seal: terms => signWith(privateKey, signedBytes(terms)),
    isGenuine: (leader, terms, seal) => isSignedBy(leader, signedBytes(terms), seal)
  }
}
