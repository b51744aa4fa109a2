/**
 * An entry as it is on disk. The value has the length of a list in four bytes, little-endian; the list of the places of large contents; and the other
 * fields as they are on the wire. The large contents are beside it.
 */
import { concat } from 'uint8arrays/concat'
import { packNumbers, unpackNumbers } from '../jobs/protocol/varints.ts'
import { check, decodeWith } from '../jobs/protocol/wire-parts.ts'
import { JournalEntry as WireEntry } from '../wire/jobs.gen.ts'
import type { Entry } from './core/entry.ts'
import { decodeEntry, ENTRY_LIMITS, encodeEntry } from './entry-codec.ts'
import type { JournalRecord } from './record.ts'

/** In bytes: a shorter content stays among the fields. */
const LARGE = 256
const LENGTH_BYTES = 4
const NONE = new Uint8Array()

export interface StoredEntry {
  value: Uint8Array
  contents: readonly Uint8Array[]
}

/** A place of a content in an entry. */
interface Place {
  get(): Uint8Array
  set(bytes: Uint8Array): void
}

/** Returns the places of all contents that an entry has, always in the same order. */
function placesIn({ submission, checkpoint, completed }: WireEntry): Place[] {
  const places: Place[] = []
  const add = <Key extends string>(holder: Record<Key, Uint8Array>, key: Key): void => {
    places.push({
      get: () => holder[key],
      set(bytes) {
        holder[key] = bytes
      }
    })
  }
  if (submission !== undefined) {
    add(submission, 'code')
    add(submission, 'input')
  }
  if (checkpoint?.accumulator !== undefined) add(checkpoint as { accumulator: Uint8Array }, 'accumulator')
  for (const piece of checkpoint?.partials ?? []) add(piece, 'payload')
  if (completed !== undefined) add(completed, 'result')
  return places
}

export function encodeStored(entry: Entry<JournalRecord>): StoredEntry {
  const wire = encodeEntry(entry)
  const contents: Uint8Array[] = []
  const taken: number[] = []
  for (const [i, place] of placesIn(wire).entries()) {
    const bytes = place.get()
    if (bytes.byteLength < LARGE) continue
    taken.push(i)
    contents.push(bytes)
    place.set(NONE)
  }
  const places = packNumbers(taken)
  const length = new Uint8Array(LENGTH_BYTES)
  new DataView(length.buffer).setUint32(0, places.byteLength, true)
  return { value: concat([length, places, WireEntry.encode(wire)]), contents }
}

/** @throws InvalidMessageError if it is no entry */
export function decodeStored({ value, contents }: StoredEntry): Entry<JournalRecord> {
  check(value.byteLength >= LENGTH_BYTES, 'an entry is cut off')
  const length = new DataView(value.buffer, value.byteOffset).getUint32(0, true)
  const taken = unpackNumbers(value.subarray(LENGTH_BYTES, LENGTH_BYTES + length), contents.length)
  const entry = decodeWith(() => WireEntry.decode(value.subarray(LENGTH_BYTES + length), { limits: ENTRY_LIMITS }))
  const places = placesIn(entry)
  for (const [i, at] of taken.entries()) {
    const [place, content] = [places[at], contents[i]]
    check(place !== undefined && content !== undefined, 'a content is missing')
    place.set(content)
  }
  return decodeEntry(entry)
}
