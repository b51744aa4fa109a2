/** Encodes and decodes the few messages of etcd's API that the benchmark of locks needs (protocol buffers, varints and lengths only). */

/** A field: its number and its value. A field of value 0 or undefined is left out, as proto3 does. */
export type Field = [number: number, value: bigint | number | string | Uint8Array | undefined]

/** The decoded fields of a message, by number. */
export type Fields = Map<number, (bigint | Uint8Array)[]>

export function encode(...fields: Field[]): Uint8Array {
  const bytes: number[] = []
  for (const [number, value] of fields) {
    if (value === undefined || value === 0 || value === 0n) continue
    if (typeof value === 'number' || typeof value === 'bigint') {
      varint(bytes, BigInt(number << 3))
      varint(bytes, BigInt.asUintN(64, BigInt(value)))
    } else {
      const content = typeof value === 'string' ? Buffer.from(value) : value
      varint(bytes, BigInt((number << 3) | 2))
      varint(bytes, BigInt(content.length))
      for (const byte of content) bytes.push(byte)
    }
  }
  return Uint8Array.from(bytes)
}

function varint(bytes: number[], value: bigint): void {
  let rest = value
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  bytes.push(Number(rest))
}

export function decode(bytes: Uint8Array): Fields {
  const fields: Fields = new Map()
  let at = 0
  const number = (): bigint => {
    let [value, shift] = [0n, 0n]
    for (;;) {
      const byte = bytes[at++]!
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
      shift += 7n
    }
  }
  while (at < bytes.length) {
    const tag = Number(number())
    let value: bigint | Uint8Array = number()
    if ((tag & 7) === 2) {
      const end = at + Number(value)
      value = bytes.subarray(at, end)
      at = end
    }
    const all = fields.get(tag >> 3)
    if (all === undefined) fields.set(tag >> 3, [value])
    else all.push(value)
  }
  return fields
}

export function numberIn(fields: Fields, number: number): bigint {
  return (fields.get(number)?.[0] as bigint | undefined) ?? 0n
}

export function messagesIn(fields: Fields, number: number): Fields[] {
  return ((fields.get(number) ?? []) as Uint8Array[]).map(decode)
}
