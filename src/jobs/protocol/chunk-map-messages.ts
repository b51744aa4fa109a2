/** A question about the state of a job's chunks, and one piece of the answer (protocol "overview"). */

import type { PeerIdString } from '../../network/types.ts'
import type { ChunkMapAnswer as WirePiece, ChunkMapRequest as WireQuestion } from '../../wire/jobs.gen.ts'
import { type ChunkChangesSince, MOST_RECORDED, MOST_RECORDED_PEERS } from '../shared/chunk-record.ts'
import { JOB_STATES, type JobState } from '../shared/types.ts'
import { packNumbers, unpackNumbers } from './varints.ts'
import { check, checkCount, checkJobId, checkPeerId, checkText, oneOf } from './wire-parts.ts'

/** The approximate number of runs in a piece. With the names of the peers, a piece uses at most a fourth of the message limit. */
export const RUNS_A_PIECE = 65_536
/** A piece ends with a whole block of 256 chunks. */
const MOST_RUNS = RUNS_A_PIECE + 256
/** The largest number of characters in the name of a record, which contains a PeerId, an epoch and a submissionId. */
const MAX_SOURCE = 400

export interface ChunkQuestion {
  job: string
  /** The record and the version of an earlier answer. Empty and 0 if there is no earlier answer. */
  source: string
  since: number
  /** The lowest chunk index that the answer must contain. */
  from: number
}

/** One piece of an answer, with about {@link RUNS_A_PIECE} runs at most. */
export interface ChunkPiece extends ChunkChangesSince {
  source: string
  state: JobState
  /** Whether the answer is the whole record, and not only the changes since a version. */
  whole: boolean
  peers: readonly PeerIdString[]
}

export function decodeQuestion(wire: WireQuestion): ChunkQuestion {
  return {
    job: checkJobId(wire.job),
    source: checkText(wire.source, MAX_SOURCE, 'a source'),
    since: checkCount(wire.since, 'since'),
    from: checkCount(wire.from, 'from')
  }
}

export function encodePiece({ runs, peers, ...piece }: ChunkPiece): WirePiece {
  const numbers = new Array<number>(runs.length)
  let end = piece.first
  for (let at = 0; at < runs.length; at += 3) {
    numbers[at] = runs[at]! - end
    numbers[at + 1] = runs[at + 1]!
    numbers[at + 2] = runs[at + 2]!
    end = runs[at]! + runs[at + 1]!
  }
  return { ...piece, peers: [...peers], runs: packNumbers(numbers) }
}

export function decodePiece(wire: WirePiece): ChunkPiece {
  const first = checkCount(wire.first, 'first')
  const end = checkCount(wire.end, 'end')
  check(first <= end && end - first <= MOST_RECORDED, 'more chunks than are recorded')
  const peers = wire.peers.map(checkPeerId)
  check(new Set(peers).size === peers.length, 'a peer that is named twice')
  if (wire.next !== undefined) check(wire.next > first && wire.next < end, 'the rest is out of range')
  const runs = unpackNumbers(wire.runs, 3 * MOST_RUNS)
  check(runs.length % 3 === 0, 'a run of chunks that is cut off')
  let at = first
  for (let i = 0; i < runs.length; i += 3) {
    const start = at + runs[i]!
    at = start + runs[i + 1]!
    check(at > start && at <= end, 'a run of chunks is out of range')
    check(runs[i + 2]! < 2 + 2 * peers.length, 'chunks of a peer that is not named')
    runs[i] = start
  }
  return {
    source: checkText(wire.source, MAX_SOURCE, 'a source'),
    version: checkCount(wire.version, 'version'),
    state: oneOf(wire.state, JOB_STATES, 'state'),
    whole: wire.whole,
    first,
    end,
    peers,
    runs,
    next: wire.next
  }
}

/** Limits for protons. Protons refuses longer lists during decoding. */
export const PIECE_LIMITS = { peers: MOST_RECORDED_PEERS }
