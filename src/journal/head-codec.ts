/** Encodes and decodes heads. A replica sends the heads of its entries to a leader that reads the replica. */
import { setImmediate as turn } from 'node:timers/promises'
import { reader as readerOf } from 'protons-runtime'
import {
  check,
  checkCount,
  checkDurable,
  checkPeerId,
  checkSubmissionId,
  decodeWith,
  oneOf
} from '../jobs/protocol/wire-parts.ts'
import type { PeerIdString } from '../network/types.ts'
import {
  JournalHead as WireHead,
  JournalHolders as WireHolders,
  type JournalStamp as WireStamp
} from '../wire/jobs.gen.ts'
import { ENDS, type Head, type Stamp } from './core/entry.ts'
import type { HolderList } from './core/holder-list.ts'
import { checkEntryName } from './names.ts'

/** The most entries in one journal: locks, schedules, running jobs, and far more ended jobs, possibly from both sides of a partition. */
export const MAX_ENTRIES = 100_000
/** In bytes: a larger message is decoded in several turns of the event loop, because it would block this peer for a second or two. */
const QUICK_BYTES = 32 * 1024
/** The number of heads that are decoded in one turn of the event loop, in at most 5 ms. */
const TURN = 256

/** The tags and wire types in jobs.proto of `epoch` and `heads` in JournalMessage, and of `heads` in JournalHeads. */
const EPOCH_TAG = (1 << 3) | 0
const HEADS_TAG = (3 << 3) | 2
const HEAD_TAG = (1 << 3) | 2
/** The tags of `age`, `holders`, `incomplete` and `onDisk` in JournalHeads, which follow the heads. */
const AGE_TAG = (2 << 3) | 0
const HOLDERS_TAG = (3 << 3) | 2
const INCOMPLETE_TAG = (4 << 3) | 0
const ON_DISK_TAG = (5 << 3) | 0
/** The most peers in each part of a list of holders. */
export const MAX_HOLDERS = 1_000

/** Checks a PeerId. The check is expensive. */
type CheckPeer = (id: string) => PeerIdString

/** Returns a check that checks each PeerId only once. The entries of a journal come from few leaders. */
function checkOnce(): CheckPeer {
  const known = new Set<PeerIdString>()
  return id => {
    if (!known.has(id)) known.add(checkPeerId(id))
    return id
  }
}

export function encodeStamp({ epoch, rank, version }: Stamp): WireStamp {
  return { epoch, leader: rank.id, priority: rank.priority, version }
}

export function decodeStamp(wire: WireStamp | undefined, checkPeer: CheckPeer = checkPeerId): Stamp {
  check(wire !== undefined, 'no stamp')
  return {
    epoch: checkCount(wire.epoch, 'an epoch'),
    rank: { priority: wire.priority, id: checkPeer(wire.leader) },
    version: checkCount(wire.version, 'a version')
  }
}

export function encodeHead({ stamp, end, isSuspended = false, ...head }: Head): WireHead {
  return { ...head, stamp: encodeStamp(stamp), end: end ?? '', isSuspended }
}

export function decodeHead(wire: WireHead | undefined, checkPeer: CheckPeer = checkPeerId): Head {
  check(wire !== undefined, 'no head')
  const end = wire.end === '' ? undefined : oneOf(wire.end, ENDS, 'end')
  check(end !== undefined || !wire.hasOutcome, 'an outcome of a job that runs')
  check(end === undefined || !wire.isSuspended, 'a suspended job that has ended')
  return {
    job: checkEntryName(wire.job),
    stamp: decodeStamp(wire.stamp, checkPeer),
    submissionId: checkSubmissionId(wire.submissionId),
    end,
    hasOutcome: wire.hasOutcome,
    next: checkCount(wire.next, 'an index'),
    durable: checkDurable(wire.durable),
    ...(wire.isSuspended && { isSuspended: true })
  }
}

export function encodeHolders({ stamp, holders, inMemory, behind, floor, outdated = [] }: HolderList): WireHolders {
  return {
    stamp: encodeStamp(stamp),
    holders: [...holders],
    inMemory: [...inMemory],
    behind: [...behind],
    ...(floor && { floor: encodeStamp(floor) }),
    outdated: [...outdated]
  }
}

export function decodeHolders({ stamp, holders, inMemory, behind, floor, outdated }: WireHolders): HolderList {
  return {
    stamp: decodeStamp(stamp),
    holders: holders.map(checkPeerId),
    inMemory: inMemory.map(checkPeerId),
    behind: behind.map(checkPeerId),
    ...(floor && { floor: decodeStamp(floor) }),
    ...(outdated.length > 0 && { outdated: outdated.map(checkPeerId) })
  }
}

export const HOLDERS_LIMITS = {
  holders: MAX_HOLDERS,
  inMemory: MAX_HOLDERS,
  behind: MAX_HOLDERS,
  outdated: MAX_HOLDERS
}

/** What a peer answers to a read. */
export interface ReadAnswer {
  heads: Head[]
  /** How long ago the replica was created, in ms. */
  age: number
  /** The newest list of holders that the peer knows. */
  list?: HolderList | undefined
  /** Whether the peer has lost entries that it had stored, and has not caught up since. */
  isIncomplete?: boolean | undefined
  /** Whether the entries are on the disk of the peer. */
  isOnDisk: boolean
}

export function decodeHeads(wire: readonly WireHead[]): Head[] {
  const checkPeer = checkOnce()
  return wire.map(head => decodeHead(head, checkPeer))
}

/**
 * Decodes the heads of a large message in turns of the event loop. Returns `undefined` if the message is small or contains no heads.
 *
 * @throws InvalidMessageError, or rejects with it, when the fields of a message with heads are not in the order of this codec. Such a
 * message cannot be decoded in turns.
 */
export function headsInTurns(bytes: Uint8Array): Promise<{ epoch: number } & ReadAnswer> | undefined {
  if (bytes.length <= QUICK_BYTES) return undefined
  const reader = readerOf(bytes)
  return decodeWith(() => {
    let epoch = 0
    let tag = reader.uint32()
    if (tag === EPOCH_TAG) {
      epoch = checkCount(reader.uint64Number(), 'an epoch')
      tag = reader.uint32()
    }
    if (tag === HEADS_TAG) {
      check(reader.uint32() === reader.len - reader.pos, 'heads, and something else')
      return inTurns(bytes.subarray(reader.pos), epoch)
    }
    for (;;) {
      check(tag !== HEADS_TAG, 'heads behind something else')
      reader.skipType(tag & 7)
      if (reader.pos >= reader.len) return undefined
      tag = reader.uint32()
    }
  })
}

async function inTurns(bytes: Uint8Array, epoch: number): Promise<{ epoch: number } & ReadAnswer> {
  const reader = readerOf(bytes)
  const checkPeer = checkOnce()
  const heads: Head[] = []
  let age = 0
  let list: HolderList | undefined
  let isIncomplete: boolean | undefined
  let isOnDisk = false
  while (reader.pos < reader.len) {
    check(heads.length < MAX_ENTRIES, 'more heads than a journal can have')
    const head = decodeWith(() => {
      const tag = reader.uint32()
      if (tag === HEAD_TAG) {
        check(age === 0 && list === undefined && isIncomplete === undefined && !isOnDisk, 'heads behind something else')
        return WireHead.decode(reader.bytes())
      }
      if (tag === AGE_TAG) age = checkCount(reader.uint64Number(), 'an age')
      else if (tag === INCOMPLETE_TAG) isIncomplete = reader.bool()
      else if (tag === ON_DISK_TAG) isOnDisk = reader.bool()
      else {
        check(tag === HOLDERS_TAG, 'no head where one belongs')
        list = decodeHolders(WireHolders.decode(reader.bytes(), { limits: HOLDERS_LIMITS }))
      }
      return undefined
    })
    if (head === undefined) continue
    heads.push(decodeHead(head, checkPeer))
    if (heads.length % TURN === 0) await turn()
  }
  return { epoch, heads, age, list, isIncomplete, isOnDisk }
}
