import { getHeapStatistics } from 'node:v8'
import { SAFE_GLOBALS } from './intrinsics-only.ts'

/** The growth of the heap (bytes) above which a thread is not used again, because the variables of a module live as long as the thread. */
const MOST_LEFT = 32 * 2 ** 20

/**
 * A snapshot of a thread's realm before any user code runs. Code that uses only intrinsics ({@link usesOnlyIntrinsics}) can leave no timers and
 * no open handles. Such code can only occupy memory and change the intrinsic objects.
 */
export class RealmSnapshot {
  readonly #shared = shared()
  readonly #held = held()

  /** Whether the heap has grown little, and no intrinsic object has changed. */
  isUnchanged(): boolean {
    if (held() - this.#held > MOST_LEFT) return false
    const now = shared()
    return now.length === this.#shared.length && now.every((value, i) => Object.is(value, this.#shared[i]))
  }
}

/** The bytes in use, including garbage that is not collected yet. */
function held(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}

/** The properties of all intrinsic objects, one after the other. */
function shared(): unknown[] {
  const all: unknown[] = []
  for (const object of sharedObjects()) {
    all.push(Object.getPrototypeOf(object), Object.isExtensible(object))
    for (const key of Reflect.ownKeys(object)) {
      // This reads the descriptor and not the value, because a getter may run any code.
      const { value, get, set, writable, enumerable, configurable } = Reflect.getOwnPropertyDescriptor(object, key)!
      all.push(key, value, get, set, writable, enumerable, configurable)
    }
  }
  return all
}

/** The intrinsic objects of the language, including prototypes without a global name. */
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
