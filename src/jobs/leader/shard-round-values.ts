import type { ValueBatch } from '../../tasks/execute/messages.ts'
import { type Pack, pack, unpack } from '../../tasks/values/pack.ts'
import type { ValuesMessage } from '../protocol/work-messages.ts'

/** The approximate number of bytes in one message with values. */
const MESSAGE_BYTES = 4 * 2 ** 20

/**
 * The values of an iteration's shard rounds at the leader, by SHA-256: all shards, and the state of the present round. All chunks of a round are folded
 * before the next round begins, so no chunk needs an earlier state.
 */
export class ShardRoundValues {
  readonly #shards = new Map<string, Uint8Array>()
  #state: { id: string; bytes: Uint8Array } | undefined

  add({ ids, hasState, ...values }: ValueBatch): void {
    for (const [i, bytes] of unpack(values).entries()) {
      const id = ids[i]!
      if (i === 0 && hasState) this.#state = { id, bytes }
      else this.#shards.set(id, bytes)
    }
  }

  get(id: string): Uint8Array | undefined {
    return this.#state?.id === id ? this.#state.bytes : this.#shards.get(id)
  }

  clear(): void {
    this.#shards.clear()
    this.#state = undefined
  }
}

/** Makes the messages that answer the request of a worker. */
export function* valueMessages(
  job: string,
  ids: readonly string[],
  from: ShardRoundValues | undefined
): Generator<ValuesMessage> {
  const missing = ids.filter(id => from?.get(id) === undefined)
  const found = ids.flatMap(id => {
    const bytes = from?.get(id)
    return bytes === undefined ? [] : [{ id, bytes }]
  })
  let some: typeof found = []
  let size = 0
  const message = (missing: readonly string[]): ValuesMessage => ({
    type: 'values',
    job,
    ids: some.map(({ id }) => id),
    values: packed(some.map(({ bytes }) => bytes)),
    missing
  })
  for (const value of found) {
    if (some.length > 0 && size + value.bytes.byteLength > MESSAGE_BYTES) {
      yield message([])
      some = []
      size = 0
    }
    some.push(value)
    size += value.bytes.byteLength
  }
  yield message(missing)
}

/** Packs values. Does not copy a single value. */
function packed(parts: readonly Uint8Array[]): Pack {
  const [first] = parts
  return parts.length === 1 ? { lengths: Uint32Array.of(first!.byteLength), bytes: first! } : pack(parts)
}
