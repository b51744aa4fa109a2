/**
 * The frames between a peer and a process of tasks. A frame is a header in JSON and the bytes of the typed arrays to which the header refers.
 * V8's serialization format is not used, because hostile bytes in that format can end the process that decodes the bytes.
 */
import { InvalidMessageError } from '../../common/errors.ts'

/** The error when the other side has sent an invalid frame. */
export class FrameError extends InvalidMessageError {
  override name = 'FrameError'
}

/** The bytes of the prefix of a frame. The prefix contains the sizes of header and body, 32 bits each, little-endian. */
const PREFIX_BYTES = 8
const MAX_HEADER = 8 * 2 ** 20
/** The limit of objects and arrays in a header: far more than any valid report has, because parsing millions of objects takes seconds. */
const MAX_PARTS = 300_000
const MAX_BODY = 2 ** 30
/** In the header, an object with this key represents a typed array in the body. */
const MARK = '~'

const KINDS = { u8: Uint8Array, u32: Uint32Array, f64: Float64Array } as const
type Kind = keyof typeof KINDS
type Numbers = Uint8Array | Uint32Array | Float64Array

/** Returns the parts of a frame, in order. Typed arrays are not copied, so the caller must not change them before the frame is written. */
export function encodeFrame(value: object): Uint8Array[] {
  const body: Uint8Array[] = []
  let size = 0
  const bare = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    const kind = kindOf(part)
    if (kind !== undefined) {
      const { buffer, byteOffset, byteLength } = part as Numbers
      const at = size
      size += byteLength
      body.push(new Uint8Array(buffer, byteOffset, byteLength))
      return { [MARK]: kind, at, bytes: byteLength }
    }
    if (Array.isArray(part)) return part.map(bare)
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, bare(each)]))
  }
  const header = Buffer.from(JSON.stringify(bare(value)))
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.writeUInt32LE(header.byteLength, 0)
  prefix.writeUInt32LE(size, 4)
  return [prefix, header, ...body]
}

function kindOf(value: object): Kind | undefined {
  if (value instanceof Uint8Array) return 'u8'
  if (value instanceof Uint32Array) return 'u32'
  return value instanceof Float64Array ? 'f64' : undefined
}

/** Bounds the total bytes of unfinished frames of all readers. Above the bound, the budget ends the reader that buffers the most bytes. */
export class FrameBudget {
  readonly #most: number
  readonly #buffered = new Map<FrameReader, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Records how many bytes a reader buffers. */
  set(reader: FrameReader, bytes: number): void {
    if (bytes === 0) this.#buffered.delete(reader)
    else this.#buffered.set(reader, bytes)
    let [sum, most] = [0, reader]
    for (const [each, bytes] of this.#buffered) {
      sum += bytes
      if (bytes > (this.#buffered.get(most) ?? 0)) most = each
    }
    if (sum > this.#most) most.onTooMuch()
  }
}

/** Decodes frames from a stream. */
export class FrameReader {
  readonly onTooMuch: () => void
  readonly #budget: FrameBudget | undefined
  #parts: Buffer[] = []
  #bytes = 0
  /** The sizes of the next frame; undefined until the prefix of the frame has arrived. */
  #sizes: { header: number; body: number } | undefined

  /** @param onTooMuch - called when the budget is exceeded and this reader buffers the most bytes of all readers */
  constructor(budget?: FrameBudget, onTooMuch: () => void = () => {}) {
    this.#budget = budget
    this.onTooMuch = onTooMuch
  }

  /** Releases the reader's share of the budget. Call this method when the stream has ended. */
  end(): void {
    this.#buffer([], 0)
  }

  /**
   * Decodes all frames that are complete after `part`. Each decoded typed array has its own buffer.
   *
   * @throws FrameError
   */
  *push(part: Buffer): Generator<unknown> {
    this.#parts.push(part)
    this.#buffer(this.#parts, this.#bytes + part.byteLength)
    for (;;) {
      if (this.#sizes === undefined) {
        if (this.#bytes < PREFIX_BYTES) return
        const prefix = this.#take(PREFIX_BYTES)
        const [header, body] = [prefix.readUInt32LE(0), prefix.readUInt32LE(4)]
        if (header > MAX_HEADER || body > MAX_BODY) throw new FrameError(`a frame of ${header} and ${body} bytes`)
        this.#sizes = { header, body }
      }
      const { header, body } = this.#sizes
      if (this.#bytes < header + body) return
      this.#sizes = undefined
      yield decodeFrame(this.#take(header), this.#take(body))
    }
  }

  #take(size: number): Buffer {
    const all = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts, this.#bytes)
    const rest = all.byteLength - size
    this.#buffer(rest === 0 ? [] : [all.subarray(size)], rest)
    return all.subarray(0, size)
  }

  #buffer(parts: Buffer[], bytes: number): void {
    this.#parts = parts
    this.#bytes = bytes
    this.#budget?.set(this, bytes)
  }
}

function checkParts(header: Buffer): void {
  let parts = 0
  for (const byte of header) if (byte === 0x7b || byte === 0x5b) parts++
  if (parts > MAX_PARTS) throw new FrameError(`a frame of ${parts} parts`)
}

function decodeFrame(header: Buffer, body: Buffer): unknown {
  checkParts(header)
  const whole = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(whole)
    if (MARK in part) return arrayOf(part as Record<string, unknown>, body)
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, whole(each)]))
  }
  try {
    return whole(JSON.parse(header.toString()))
  } catch (cause) {
    if (cause instanceof FrameError) throw cause
    throw new FrameError(`a frame that cannot be read: ${(cause as Error).message}`, { cause })
  }
}

function arrayOf({ [MARK]: kind, at, bytes }: Record<string, unknown>, body: Buffer): Numbers {
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) throw new FrameError('an array of no known kind')
  const Type = KINDS[kind as Kind]
  if (!isCount(at) || !isCount(bytes) || at + bytes > body.byteLength || bytes % Type.BYTES_PER_ELEMENT !== 0)
    throw new FrameError('an array that is not in its frame')
  // The bytes are copied, because a view may be misaligned and would keep the whole frame in memory.
  const copy = new Uint8Array(bytes)
  copy.set(body.subarray(at, at + bytes))
  return new Type(copy.buffer)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
