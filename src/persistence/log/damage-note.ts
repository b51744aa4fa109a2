/**
 * The damage that a log has noted in itself. A damaged frame stays in its segment until the segment is rewritten, so without the note each opening would
 * take it for new.
 */
import { crc32 } from 'node:zlib'
import type { SegmentScan } from './segment.ts'

/** The key of the note. */
export const NOTE = 'd/noted'
/** The prefix of the keys of the urgent lane. */
export const URGENT = 'u/'
/** What a log may have lost: entries of the journal, and promises of a voter. */
export type Loss = 'entries' | 'promises'
export const LOSSES: readonly Loss[] = ['entries', 'promises']

/** The urgent key that is set from the moment of a loss until the lost is found elsewhere. */
export function keyOfLoss(loss: Loss): string {
  return `lost-${loss}`
}

/** The damage of one segment. */
interface SegmentDamage {
  /** A checksum of the places of damaged frames; 0 if there are none. */
  places: number
  /** Whether its beginning or its end is damaged, or batches before it are missing. */
  isHurt: boolean
}

/** The damage of a log, by segment. */
export class DamageNote {
  readonly #segments: Map<string, SegmentDamage>

  constructor(note?: Uint8Array) {
    this.#segments = new Map(note === undefined ? [] : (JSON.parse(new TextDecoder().decode(note)) as []))
  }

  add(segment: string, { damagedAt }: SegmentScan, isHurt: boolean): void {
    if (damagedAt.length === 0 && !isHurt) return
    const places = damagedAt.length === 0 ? 0 : crc32(damagedAt.join()) + 1
    this.#segments.set(segment, { places, isHurt })
  }

  /** Whether all of this damage is in another note. */
  isIn(other: DamageNote): boolean {
    return [...this.#segments].every(([segment, { places, isHurt }]) => {
      const noted = other.#segments.get(segment)
      return noted !== undefined && (places === 0 || places === noted.places) && (!isHurt || noted.isHurt)
    })
  }

  encode(): Uint8Array {
    return new TextEncoder().encode(JSON.stringify([...this.#segments]))
  }
}
