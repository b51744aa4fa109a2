/** Changes that a hostile peer makes to the bytes of a message without knowing their meaning. */
import type { Random } from './random.ts'

type Mutation = (bytes: Uint8Array, random: Random) => Uint8Array

const flipBits: Mutation = (bytes, random) => {
  const changed = Uint8Array.from(bytes)
  for (let i = 1 + random.below(4); i > 0 && changed.length > 0; i--) {
    changed[random.below(changed.length)]! ^= 1 << random.below(8)
  }
  return changed
}

const setBytes: Mutation = (bytes, random) => {
  const changed = Uint8Array.from(bytes)
  const start = random.below(changed.length + 1)
  changed.fill(random.pick([0, 0x7f, 0x80, 0xff, random.below(256)]), start, start + 1 + random.below(8))
  return changed
}

const truncate: Mutation = (bytes, random) => bytes.slice(0, random.below(bytes.length + 1))

const cutOut: Mutation = (bytes, random) => {
  const start = random.below(bytes.length + 1)
  return joined([bytes.subarray(0, start), bytes.subarray(start + 1 + random.below(16))])
}

const insert: Mutation = (bytes, random) => {
  const at = random.below(bytes.length + 1)
  return joined([bytes.subarray(0, at), random.bytes(1 + random.below(16)), bytes.subarray(at)])
}

const repeat: Mutation = (bytes, random) => {
  const start = random.below(bytes.length + 1)
  const part = bytes.subarray(start, start + 1 + random.below(64))
  return joined([bytes, ...new Array<Uint8Array>(1 + random.below(20)).fill(part)])
}

/** Inserts a deep nesting in a format that this project decodes: protobuf groups, message fields, or arrays of values. */
const nest: Mutation = (bytes, random) => {
  const depth = random.pick([10, 100, 1_000, 20_000])
  const opens = random.pick([[0x0b], [0x0a, 0x02], [0x12, 0x02], [0x41, 0x01], [0x6f, 0x22, 0x01, 0x61]])
  const head = Uint8Array.from({ length: depth * opens.length }, (_, i) => opens[i % opens.length]!)
  return random.chance(0.5) ? joined([head, bytes]) : joined([bytes, head])
}

const huge: Mutation = (bytes, random) => {
  const filler = new Uint8Array(random.pick([1_000, 5_000, 70_000])).fill(random.pick([0, 1, 0x0a, 0x61, 0x80, 0xff]))
  return joined([bytes, filler])
}

const garbage: Mutation = (_, random) => random.bytes(random.pick([0, 1, 2, 8, 40, 200]))

const MUTATIONS: readonly Mutation[] = [
  flipBits,
  flipBits,
  setBytes,
  truncate,
  truncate,
  cutOut,
  insert,
  repeat,
  garbage
]
/** Mutations that are costly, so that only a small share of the frames gets such a mutation. */
const COSTLY: readonly Mutation[] = [nest, huge]
const COSTLY_SHARE = 0.02

export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  return random.pick(random.chance(COSTLY_SHARE) ? COSTLY : MUTATIONS)(bytes, random)
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
