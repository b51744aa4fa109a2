/** An entry as it is on disk: its fields, and beside them the contents that are large. */
import { decodeWith } from '../jobs/protocol/wire-parts.ts'
import { JournalStored as Wire, type JournalEntry as WireEntry } from '../wire/jobs.gen.ts'
import type { Entry } from './core/entry.ts'
import { decodeEntry, ENTRY_LIMITS, encodeEntry } from './messages.ts'
import type { JournalRecord } from './record.ts'

/** In bytes: a shorter content stays among the fields. */
const LARGE = 256
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
  return { value: Wire.encode({ entry: wire, taken }), contents }
}

/** @throws InvalidMessageError if it is no entry */
export function decodeStored({ value, contents }: StoredEntry): Entry<JournalRecord> {
  const { entry, taken } = decodeWith(() => Wire.decode(value, { limits: { entry: ENTRY_LIMITS } }))
  if (entry !== undefined) {
    const places = placesIn(entry)
    for (const [i, at] of taken.entries()) places[at]?.set(contents[i] ?? NONE)
  }
  return decodeEntry(entry)
}
