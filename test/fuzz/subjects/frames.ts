/** The frames that carry messages: any bytes, in any pieces, on a stream of a member. */
import type { Stream } from '@libp2p/interface'
import { Uint8ArrayList } from 'uint8arraylist'
import { InvalidMessageError } from '../../../src/common/errors.ts'
import { BulkWindow } from '../../../src/network/channel/bulk-window.ts'
import { FramedChannel } from '../../../src/network/channel/channel.ts'
import { encodeAck, encodeFrame, FrameFlag, MIN_PART_BYTES } from '../../../src/network/channel/frame-format.ts'
import { Find, told } from '../find.ts'
import { joined, mutateBytes } from '../mutate-bytes.ts'
import type { Random } from '../random.ts'
import type { Simple, Taken } from '../simple-target.ts'

const MOST = 64 * 1024

/** A fake stream that has only the methods and properties that a channel uses. */
class FakeStream extends EventTarget {
  status = 'open'
  writeStatus = 'writable'
  readStatus = 'readable'
  readableEnded = false
  readBufferLength = 0
  readonly aborted: Promise<void>
  #onAborted: () => void = () => {}

  constructor() {
    super()
    this.aborted = new Promise(resolve => {
      this.#onAborted = resolve
    })
  }

  send(): boolean {
    return true
  }

  pause(): void {
    this.readStatus = 'paused'
  }

  resume(): void {
    this.readStatus = 'readable'
  }

  async close(): Promise<void> {}

  abort(): void {
    this.status = 'aborted'
    this.#onAborted()
  }

  arrive(bytes: Uint8Array): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: new Uint8ArrayList(bytes) }))
  }

  end(): void {
    this.dispatchEvent(new Event('end'))
  }
}

async function feed(frame: Uint8Array): Promise<Taken> {
  const stream = new FakeStream()
  let failure: Error | undefined
  let size = 0
  const ended = new Promise<void>(resolve => {
    const channel = new FramedChannel<Uint8Array>({
      stream: stream as unknown as Stream,
      remote: 'hostile',
      direction: 'inbound',
      spec: { name: 'fuzz', codec: { encode: bytes => bytes, decode: bytes => bytes }, maxMessageBytes: MOST },
      handler: {
        onMessage: message => {
          size = Math.max(size, message.byteLength)
        }
      },
      window: new BulkWindow(50),
      inbox: { admits: () => true, budget: { take: () => true, give: () => {} } },
      slowReader: { bytes: Number.POSITIVE_INFINITY, ms: 60_000 },
      onEnd: () => resolve(),
      onError: error => {
        failure = error
      }
    })
    channel.start()
    // The channel sends a message, so that hostile frames can acknowledge this message.
    channel.send(new Uint8Array(100)).catch(() => {})
  })
  // The bytes of the frame determine the sizes of its pieces. The first pieces are short.
  let most = 1
  for (let at = 0; at < frame.length; most *= 2) {
    const piece = 1 + (frame[at]! % most)
    stream.arrive(frame.subarray(at, at + Math.max(piece, most / 8)))
    at += Math.max(piece, most / 8)
  }
  stream.end()
  await ended
  if (size > MOST) throw new Find(`a message of ${size} bytes came through`)
  if (failure === undefined) return 'handled'
  if (failure instanceof InvalidMessageError || isOfLengths(failure)) return 'refused'
  throw new Find(`a channel ended with ${told(failure)}`)
}

/** Recognises the errors of it-length-prefixed and of its varint decoder. Such an error on a member's stream ends only the channel. */
function isOfLengths({ name }: Error): boolean {
  return name.startsWith('Invalid') || name === 'UnexpectedEOFError'
}

function some(random: Random): Uint8Array {
  // Sometimes the message exceeds the size limit.
  if (random.chance(0.03)) {
    const part = encodeFrame(0, new Uint8Array(random.pick([MIN_PART_BYTES, 20_000]))).subarray()
    return joined(new Array<Uint8Array>(9).fill(part).concat(encodeFrame(FrameFlag.last, new Uint8Array(1)).subarray()))
  }
  const frames: Uint8ArrayList[] = []
  for (let i = 1 + random.below(6); i > 0; i--) {
    const kind = random.below(6)
    const size = random.pick([0, 1, 20, 20, 200, MIN_PART_BYTES - 1, MIN_PART_BYTES, 20_000])
    if (kind === 0) {
      const received = random.pick([0, 1, 132, 1_000, 2 ** 32, Number.MAX_SAFE_INTEGER])
      frames.push(encodeAck({ received, consumed: random.pick([0, 132, received]) }))
    } else if (kind === 1) frames.push(encodeFrame(FrameFlag.drop, new Uint8Array()))
    else frames.push(encodeFrame(random.below(256) & (random.chance(0.9) ? 0x09 : 0xff), new Uint8Array(size)))
  }
  return joined(frames.map(frame => frame.subarray()))
}

export const frames: Simple = {
  name: 'frames',
  pool: random => Array.from({ length: 100 }, () => some(random)),
  change: (frame, random) => (random.chance(0.3) ? frame : mutateBytes(frame, random)),
  feed
}
