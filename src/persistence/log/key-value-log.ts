/**
 * Keeps values by key in an append-only log with an index in memory, after Bitcask (J. Sheehy, D. Smith: Bitcask, A Log-Structured Hash Table for
 * Fast Key/Value Data, 2010). A commit appends a batch of changes and syncs once. The oldest part of the log is rewritten when most of the log is
 * dead.
 *
 * All calls block, because they are made on a thread of their own.
 */
import { randomBytes } from 'node:crypto'
import { BytesOnDisk } from './bytes-on-disk.ts'
import { DamageNote, keyOfLoss, LOSSES, NOTE, URGENT } from './damage-note.ts'
import type { LogDisk } from './disk.ts'
import { type Change, type Found, firstMark, frameOf, ID_BYTES, markOf, type Place, valueIn } from './frames.ts'
import { BEGIN_BYTES, beginning, idIn, scanSegment } from './segment.ts'

/** The size of the segments of a small log, in bytes, and the number of segments of a larger one. */
const SMALL_SEGMENT = 64 * 1024
const SEGMENTS = 16
const SEGMENT = /^\d{8}\.log$/
/** The file with a sequence number that the log has reached. It is not synced, so the log may be ahead of it, and never behind. */
const REACHED = 'reached'

export interface LogLimits {
  /** The largest size of a segment, in bytes, after which a new one follows. Segments of a small log are smaller. Default 64 MiB. */
  segmentBytes?: number
  /** The most bytes that a commit rewrites of the oldest segment. Default 4 MiB. */
  rewriteBytes?: number
}

/** What was wrong with the files of a log. */
export interface LogDamage {
  /** The number of places where frames were damaged or missing. What they held is lost, or is an older value again. */
  damaged: number
  /** Whether the end of the log is missing, which an earlier process had synced. */
  isCut: boolean
}

interface Located extends Place {
  segment: Segment
}

interface Segment {
  name: string
  /** The end of its last batch. */
  size: number
  /** The bytes of frames that are the newest of their keys. */
  live: number
  /** Whether no batch is added: an older version wrote it, or its beginning is damaged. */
  isSealed: boolean
}

export class KeyValueLog {
  readonly #disk: LogDisk
  readonly #limits: Required<LogLimits>
  readonly #index = new Map<string, Located>()
  /** The oldest first. The last one grows. */
  readonly #segments: Segment[] = []
  #sequence = 0
  /** The memory of values that are only looked at. */
  #memory: Uint8Array = new Uint8Array()
  /** The random id in the marks of the log. */
  #id: Uint8Array = randomBytes(ID_BYTES)
  readonly #damage: LogDamage = { damaged: 0, isCut: false }
  readonly #found = new DamageNote()
  /** The marks of new damage. They are part of the next commit, because it may hide what shows the damage. */
  #marks: readonly Change[] = []
  #hasNewDamage = false
  #lost: string[] = []
  /** The keys of the oldest segment that are still to be rewritten. Undefined while no segment is rewritten. */
  #rewriting: string[] | undefined
  /** Whether bytes of a failed commit may be behind the last batch. */
  #isTorn = false
  /** Whether a segment was removed, and may come back after a power cut. */
  #isRemoved = false

  private constructor(disk: LogDisk, { segmentBytes = 64 * 2 ** 20, rewriteBytes = 4 * 2 ** 20 }: LogLimits) {
    this.#disk = disk
    this.#limits = { segmentBytes, rewriteBytes }
  }

  /**
   * Reads where the values of a log are. Bytes behind the last commit are removed. Long values are read later.
   *
   * @throws LogVersionError if a newer version wrote the log; the error of the disk
   */
  static open(disk: LogDisk, limits: LogLimits = {}): KeyValueLog {
    const log = new KeyValueLog(disk, limits)
    log.#recover()
    return log
  }

  /** What was wrong with the files when the log was opened, and what was found to be damaged since. */
  get damage(): LogDamage {
    return this.#damage
  }

  /** Whether something was lost that was not noted when the log was opened before. The next commit marks it as lost. */
  get hasNewDamage(): boolean {
    return this.#hasNewDamage
  }

  /** Returns the keys whose values were found to be damaged since the last call. */
  takeLost(): string[] {
    return this.#lost.splice(0)
  }

  /** The size of all files, in bytes. */
  get bytes(): number {
    return this.#segments.reduce((sum, { size }) => sum + size, 0)
  }

  /** The bytes of what is not deleted or replaced. */
  get liveBytes(): number {
    return this.#segments.reduce((sum, { live }) => sum + live, 0)
  }

  /** All keys. What commits change while they are read may be among them. */
  keys(): IterableIterator<string> {
    return this.#index.keys()
  }

  has(key: string): boolean {
    return this.#index.has(key)
  }

  /** Returns the value of a key. Undefined if there is none, or it is damaged: then the key is gone. */
  get(key: string): Uint8Array | undefined {
    return this.#get(key, false)
  }

  /** Returns the same bytes in memory that the next call uses again. */
  peek(key: string): Uint8Array | undefined {
    return this.#get(key, true)
  }

  #get(key: string, isShared: boolean): Uint8Array | undefined {
    const at = this.#index.get(key)
    if (at === undefined) return undefined
    if (isShared && at.bytes > this.#memory.byteLength) this.#memory = new Uint8Array(at.bytes)
    const value = valueIn(this.#read(at, isShared ? this.#memory : undefined))
    if (value === undefined) this.#lose(key)
    return value
  }

  /**
   * Makes all changes last, in their order, or none of them.
   *
   * @throws the error of the disk, after which the log is as before
   */
  commit(changes: readonly Change[]): void {
    const rewritten = this.#rewrite()
    const marks = this.#marks
    if (marks.length + rewritten.length + changes.length === 0) return
    try {
      this.#append([...marks, ...rewritten, ...changes])
    } catch (error) {
      // What was not rewritten is in the oldest segment only.
      this.#rewriting = undefined
      if (rewritten.length === 0 || changes.length === 0) throw error
      // The disk may have room for the changes alone, such as deletions.
      this.#append([...marks, ...changes])
    }
    if (this.#marks === marks) this.#marks = []
    this.#removeDead()
  }

  close(): void {
    this.#disk.close()
  }

  #append(changes: readonly Change[]): void {
    const segment = this.#growing()
    const begin = segment.size === 0 ? [beginning(this.#id)] : []
    const frames = changes.map(frameOf)
    const sequence = this.#sequence + 1
    const mark = markOf(sequence, this.#id)
    try {
      if (this.#isTorn) this.#disk.truncate(segment.name, segment.size)
      this.#isTorn = true
      this.#disk.append(segment.name, [...begin, ...frames.flat(), mark])
      this.#disk.sync(segment.name)
      if (segment.size === 0) this.#disk.syncFolder()
    } catch (error) {
      this.#heal(segment)
      throw error
    }
    this.#isTorn = false
    this.#sequence = sequence
    let offset = segment.size + bytesOf(begin)
    for (const [i, { key, value }] of changes.entries()) {
      const bytes = bytesOf(frames[i]!)
      this.#place(key, value === undefined ? undefined : { segment, offset, bytes })
      offset += bytes
    }
    segment.size = offset + mark.byteLength
    this.#noteReached()
  }

  #noteReached(): void {
    try {
      this.#disk.overwrite(REACHED, markOf(this.#sequence, this.#id))
    } catch {
      // An older number reveals less, and is still right.
    }
  }

  /** Removes what a failed commit has left, so that the disk has room for others again. The next commit repeats this if it fails. */
  #heal({ name, size }: Segment): void {
    try {
      this.#disk.truncate(name, size)
      this.#isTorn = false
    } catch {}
  }

  /** The size after which a segment is followed by a new one. */
  get #segmentBytes(): number {
    return Math.min(this.#limits.segmentBytes, Math.max(SMALL_SEGMENT, this.liveBytes / SEGMENTS))
  }

  /** Returns the segment to append to. */
  #growing(): Segment {
    const last = this.#segments.at(-1)
    const mayGrow = last !== undefined && !last.isSealed && (last.size < this.#segmentBytes || this.#isTorn)
    if (mayGrow) return last
    const number = last === undefined ? 1 : Number.parseInt(last.name, 10) + 1
    const segment = { name: `${String(number).padStart(8, '0')}.log`, size: 0, live: 0, isSealed: false }
    this.#disk.create(segment.name)
    this.#segments.push(segment)
    return segment
  }

  #place(key: string, at: Located | undefined): void {
    const before = this.#index.get(key)
    if (before !== undefined) before.segment.live -= before.bytes
    if (at === undefined) this.#index.delete(key)
    else {
      this.#index.set(key, at)
      at.segment.live += at.bytes
    }
  }

  #read({ segment, offset, bytes }: Located, into?: Uint8Array): Uint8Array {
    return this.#disk.read(segment.name, offset, bytes, into)
  }

  #lose(key: string): void {
    this.#place(key, undefined)
    this.#lost.push(key)
    this.#damage.damaged += 1
    this.#markLoss()
  }

  #markLoss(): void {
    this.#hasNewDamage = true
    const losses = LOSSES.map(loss => ({ key: URGENT + keyOfLoss(loss), value: new Uint8Array(1) }))
    this.#marks = [{ key: NOTE, value: this.#found.encode() }, ...losses]
  }

  // --- The oldest segment

  /** Returns the next values of the oldest segment, if most of the log is dead. Appended again, they leave the segment without any. */
  #rewrite(): Change[] {
    const [oldest] = this.#segments
    if (oldest === undefined || oldest === this.#segments.at(-1)) return []
    if (this.#rewriting === undefined && this.bytes < 2 * (this.liveBytes + this.#segmentBytes)) return []
    this.#rewriting ??= [...this.#index].flatMap(([key, { segment }]) => (segment === oldest ? [key] : []))
    const changes: Change[] = []
    for (let bytes = 0; bytes < this.#limits.rewriteBytes; ) {
      const key = this.#rewriting.pop()
      if (key === undefined) break
      const value = this.#index.get(key)?.segment === oldest ? this.#readable(key) : undefined
      if (value === undefined) continue
      changes.push({ key, value })
      bytes += value.byteLength
    }
    return changes
  }

  /** Returns a value, or undefined if the disk cannot read it: then its segment stays. */
  #readable(key: string): Uint8Array | undefined {
    try {
      return this.get(key)
    } catch {
      return undefined
    }
  }

  /** Removes segments from the oldest on that hold no value. What such a segment deletes is in no older one. */
  #removeDead(): void {
    try {
      if (this.#isRemoved) this.#disk.syncFolder()
      this.#isRemoved = false
      while (this.#segments.length > 1 && this.#segments[0]!.live === 0) {
        this.#disk.remove(this.#segments[0]!.name)
        this.#segments.shift()
        this.#rewriting = undefined
        // If this segment came back after later ones were removed, so would keys that these had deleted.
        this.#isRemoved = true
        this.#disk.syncFolder()
        this.#isRemoved = false
      }
    } catch {
      // The changes are on disk. The next commit tries again.
    }
  }

  // --- Recovery

  #recover(): void {
    const names = segmentsOn(this.#disk)
    const reached = this.#disk.list().includes(REACHED) ? firstMark(this.#disk.read(REACHED, 0, 1_024)) : undefined
    this.#id = idOf(this.#disk, names) ?? reached?.id ?? this.#id
    for (const name of names) this.#recoverSegment(name, name === names.at(-1))
    // The process that wrote the last batch may have ended before it synced.
    if (names.length > 0) this.#disk.sync(names.at(-1)!)
    this.#disk.syncFolder()
    this.#damage.isCut = reached !== undefined && reached.sequence > this.#sequence
    if (this.#damage.isCut || !this.#found.isIn(this.#noted())) this.#markLoss()
  }

  /** Returns the damage that was found when the log was opened before. */
  #noted(): DamageNote {
    const at = this.#index.get(NOTE)
    try {
      return new DamageNote(at && valueIn(this.#read(at)))
    } catch {
      return new DamageNote()
    }
  }

  #recoverSegment(name: string, isLast: boolean): void {
    const bytes = new BytesOnDisk(this.#disk, name)
    const found = scanSegment(bytes, this.#id)
    const { frames, first, last, end, damagedAt, isBegun, mayGrow } = found
    const isFollowing = first === undefined || this.#segments.length === 0 || first === this.#sequence + 1
    // A new segment whose first commit did not end.
    const isNew = isLast && last === undefined
    const isHurt = !isNew && (!isBegun || last === undefined || !isFollowing || (!isLast && end < bytes.byteLength))
    this.#damage.damaged += damagedAt.length + (isHurt ? 1 : 0)
    this.#found.add(name, found, isHurt)
    const segment: Segment = { name, size: isNew ? 0 : end, live: 0, isSealed: !isNew && !mayGrow }
    this.#segments.push(segment)
    this.#sequence = last ?? this.#sequence
    for (const frame of frames) this.#placeFound(frame, segment)
    if (segment.size < bytes.byteLength && isLast) this.#disk.truncate(name, segment.size)
  }

  #placeFound({ key, isDeleted, offset, bytes }: Found, segment: Segment): void {
    this.#place(key, isDeleted ? undefined : { segment, offset, bytes })
  }
}

/** Makes the next opening of a log find that its end is missing: it is a copy, and the original may have gone on. */
export function markAsCut(disk: LogDisk): void {
  const id = idOf(disk, segmentsOn(disk)) ?? randomBytes(ID_BYTES)
  disk.overwrite(REACHED, markOf(Number.MAX_SAFE_INTEGER, id))
  disk.sync(REACHED)
}

function segmentsOn(disk: LogDisk): string[] {
  return disk
    .list()
    .filter(name => SEGMENT.test(name))
    .sort()
}

/** Returns the id of a log, from the newest segment that has it whole. */
function idOf(disk: LogDisk, segments: readonly string[]): Uint8Array | undefined {
  return segments.map(name => idIn(disk.read(name, 0, BEGIN_BYTES))).findLast(id => id !== undefined)
}

function bytesOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { byteLength }) => sum + byteLength, 0)
}
