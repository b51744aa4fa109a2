/**
 * A segment of a log: a file that begins with a name, the version of the format, the CRC-32 of both, the id of the log, and its CRC-32. Frames follow.
 *
 * Version 1 had no id.
 */
import { crc32 } from 'node:zlib'
import { InvalidOptionError } from '../../common/errors.ts'
import { ID_BYTES, type Scan, type SegmentBytes, scan } from './frames.ts'

const MAGIC = new TextEncoder().encode('p2p-worker log\n')
const VERSION = 2
const CRC_BYTES = 4
const VERSION_END = MAGIC.byteLength + 1 + CRC_BYTES
/** The length of the beginning of a segment. */
export const BEGIN_BYTES = VERSION_END + ID_BYTES + CRC_BYTES

/** A newer version of this program wrote the log. */
export class LogVersionError extends InvalidOptionError {
  constructor(version: number) {
    super(
      `a newer version of p2p-worker wrote the data folder: its format has the version ${version}, and this program knows versions up to ${VERSION}; use that version again, or give another folder`
    )
  }
}

export interface SegmentScan extends Scan {
  /** Whether the segment begins as it should. If not, its beginning is damaged. */
  isBegun: boolean
  /** Whether batches of the present version may follow. */
  mayGrow: boolean
}

/** Returns the beginning of a segment. */
export function beginning(id: Uint8Array): Uint8Array {
  return Buffer.concat([versioned(VERSION), checked(id)])
}

/** Returns the id of the log from the beginning of a segment. Undefined if it is damaged, or the segment has none. */
export function idIn(segment: Uint8Array): Uint8Array | undefined {
  const id = segment.subarray(VERSION_END, VERSION_END + ID_BYTES)
  const found = segment.subarray(VERSION_END, BEGIN_BYTES)
  return found.byteLength === ID_BYTES + CRC_BYTES && Buffer.compare(checked(id), found) === 0 ? id.slice() : undefined
}

/**
 * Reads the frames of a segment.
 *
 * @param id - the id of the log, with which a segment is read whose own id is damaged
 * @throws LogVersionError if a newer version wrote the segment
 */
export function scanSegment(segment: SegmentBytes, id: Uint8Array): SegmentScan {
  const begin = segment.subarray(0, BEGIN_BYTES).slice()
  const version = versionOf(begin)
  if (version !== undefined && version > VERSION) throw new LogVersionError(version)
  const own = idIn(begin)
  const mayGrow = version === VERSION && own !== undefined
  const found = scan(segment, BEGIN_BYTES, own ?? id)
  // A damaged beginning may be one of version 1.
  const isOld = version === 1 || (version === undefined && found.last === undefined)
  return { ...(isOld ? scan(segment, VERSION_END, undefined) : found), isBegun: version === 1 || mayGrow, mayGrow }
}

function versionOf(segment: Uint8Array): number | undefined {
  const version = segment[MAGIC.byteLength] ?? 0
  return Buffer.compare(versioned(version), segment.subarray(0, VERSION_END)) === 0 ? version : undefined
}

function versioned(version: number): Uint8Array {
  return checked(new Uint8Array([...MAGIC, version]))
}

/** Returns the bytes with their CRC-32 behind them. */
function checked(bytes: Uint8Array): Uint8Array {
  const sum = new Uint8Array(CRC_BYTES)
  new DataView(sum.buffer).setUint32(0, crc32(bytes), true)
  return Buffer.concat([bytes, sum])
}
