import { InvalidMessageError, JsonTooLargeError } from '../../common/errors.ts'
import type { ResultData, ResultEnd } from '../execute/messages.ts'
import { ownBytes, pack } from '../values/pack.ts'
import { decode } from '../values/payload.ts'
import { rawBytes, writeJson } from '../values/tagged-json.ts'
import { Call } from './call.ts'

/** Converts the result of a job for readers without structured clone, and posts the converted result: bytes unchanged, any other value as JSON. */
export function runResult(data: ResultData): ResultEnd {
  const call = new Call(data)
  try {
    const value = decode(data.encoded, 'result')
    const raw = rawBytes(value)
    const bytes = ownBytes(raw === undefined ? jsonBytes(value, data.mostJson) : (raw as Uint8Array<ArrayBuffer>))
    call.post({ type: 'reply', id: 0, value: { type: 'bytes', bytes } }, [bytes.buffer])
    return { type: raw === undefined ? 'json' : 'bytes' }
  } catch (error) {
    if (error instanceof JsonTooLargeError) return { type: 'too-large', message: error.message }
    if (error instanceof InvalidMessageError) return { type: 'invalid', message: error.message }
    throw error
  } finally {
    call.end()
  }
}

function jsonBytes(value: unknown, most: number): Uint8Array<ArrayBuffer> {
  const pieces: Buffer[] = []
  writeJson(value, piece => pieces.push(Buffer.from(piece)), { most })
  return pack(pieces).bytes
}
