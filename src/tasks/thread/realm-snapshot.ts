import { getHeapStatistics } from 'node:v8'
import { SAFE_GLOBALS } from './intrinsics-only.ts'

/** A thread that holds so many bytes more than at first is not used again: a job's module keeps what it likes for as long as the thread lives. */
const MOST_LEFT = 32 * 2 ** 20

/**
 * A thread as it was before any of the user's code ran in it. Of plain code ({@link usesOnlyIntrinsics}) nothing can be left that runs, waits or is open:
 * what remains is what it holds, and what it did to the objects that all code shares.
 */
export class RealmSnapshot {
  readonly #shared = shared()
  readonly #held = held()

  /** Little is held, and nothing that all code shares was added, removed, replaced or made read-only. */
  isUnchanged(): boolean {
    if (held() - this.#held > MOST_LEFT) return false
    const now = shared()
    return now.length === this.#shared.length && now.every((value, i) => Object.is(value, this.#shared[i]))
  }
}

/** In bytes. Garbage counts until it is collected. */
function held(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}

/** All that plain code can reach and every other code as well, part by part. */
function shared(): unknown[] {
  const all: unknown[] = []
  for (const object of sharedObjects()) {
    all.push(Object.getPrototypeOf(object), Object.isExtensible(object))
    for (const key of Reflect.ownKeys(object)) {
      // Not the property itself: a getter may do anything.
      const { value, get, set, writable, enumerable, configurable } = Reflect.getOwnPropertyDescriptor(object, key)!
      all.push(key, value, get, set, writable, enumerable, configurable)
    }
  }
  return all
}

/** The language's own objects, their prototypes, and prototypes that have no name. */
function sharedObjects(): Set<object> {
  const found = new Set<object>()
  const add = (value: unknown): void => {
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return
    found.add(value)
    const prototype = Reflect.getOwnPropertyDescriptor(value, 'prototype')?.value
    if (typeof prototype === 'object' && prototype !== null) found.add(prototype)
  }
  for (const name of SAFE_GLOBALS) add(Reflect.get(globalThis, name))
  add(performance)
  const samples = [
    performance,
    () => {},
    async () => {},
    function* () {},
    async function* () {},
    new Int8Array(),
    [].values(),
    new Map().values(),
    new Set().values(),
    ''[Symbol.iterator](),
    ''.matchAll(/./g)
  ]
  for (const sample of samples)
    for (let at = Object.getPrototypeOf(sample); at !== null; at = Object.getPrototypeOf(at)) {
      add(at)
      add(Reflect.getOwnPropertyDescriptor(at, 'constructor')?.value)
    }
  return found
}
