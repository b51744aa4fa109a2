/**
 * The signature of a leader on the chunks that the leader gives a worker. The worker sends the signature to the next leader. An offer
 * without a valid signature does not count. Otherwise any member could send partials of chunks that the member never had.
 */
import { createHash } from 'node:crypto'
import type { PrivateKey } from '@libp2p/interface'
import { isSignedBy, signWith } from '../../network/signature.ts'
import type { PeerIdString } from '../../network/types.ts'
import { packNumbers } from './varints.ts'

/** Chunks of one job that one leadership has given to one worker. */
export interface BatchTerms {
  job: string
  /** SHA-256 of the task's bundle, in hex. */
  sha256: string
  worker: PeerIdString
  epoch: number
  indices: readonly number[]
  /** The digests of the chunks, in the order of `indices`. */
  digests: Uint8Array
}

export interface BatchSeal {
  /** Signs the batch with the key of this peer, which is the leader. */
  seal(terms: BatchTerms): Uint8Array
  /** Whether `leader` has signed the batch. */
  isGenuine(leader: PeerIdString, terms: BatchTerms, seal: Uint8Array): boolean
}

/** Makes seals with `privateKey`. The signed text names the cluster and the purpose, so a seal is invalid in another cluster or for another purpose. */
export function createBatchSeal(clusterId: string, privateKey: PrivateKey): BatchSeal {
  const signedBytes = ({ job, sha256, worker, epoch, indices, digests }: BatchTerms): Uint8Array => {
    const chunks = createHash('sha256').update(packNumbers(indices)).update(digests).digest('hex')
    // None of these fields can contain a line break.
    return Buffer.from(['p2p-worker batch', clusterId, job, sha256, worker, epoch, chunks].join('\n'), 'utf8')
  }
  return {
    seal: terms => signWith(privateKey, signedBytes(terms)),
    isGenuine: (leader, terms, seal) => isSignedBy(leader, signedBytes(terms), seal)
  }
}
