/**
 * Lists of numbers as consecutive LEB128 varints: the indices and lengths of tiny chunks take one or two bytes each.
 */
import { InvalidMessageError } from '../../common/errors.ts'

/** Encodes `numbers`, which are safe integers from 0. */
export function packNumbers(numbers: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  let size = 0
  for (let i = 0; i < numbers.length; i++) {
    let rest = numbers[i]!
    do {
      size += 1
      rest = Math.floor(rest / 128)
    } while (rest > 0)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (let i = 0; i < numbers.length; i++) {
    let rest = numbers[i]!
    // The code divides instead of shifting, because the numbers may exceed 32 bits.
    while (rest >= 128) {
      bytes[at++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    bytes[at++] = rest
  }
  return bytes
}

/**
 * Decodes a list of numbers that {@link packNumbers} has encoded.
 *
 * @param most - the largest number of numbers to accept
 * @throws InvalidMessageError
 */
export function unpackNumbers(bytes: Uint8Array, most: number): number[] {
  const numbers: number[] = []
  let value = 0
  let scale = 1
  for (const byte of bytes) {
    value += (byte & 127) * scale
    if (value > Number.MAX_SAFE_INTEGER || scale > 2 ** 49) throw new InvalidMessageError('a number is out of range')
    if (byte >= 128) {
      scale *= 128
      continue
    }
    if (scale > 1 && byte === 0) throw new InvalidMessageError('a number is not in its shortest form')
    if (numbers.length === most) throw new InvalidMessageError(`more than ${most} numbers`)
    numbers.push(value)
    value = 0
    scale = 1
  }
  if (scale > 1) throw new InvalidMessageError('a number is cut off')
  return numbers
}
