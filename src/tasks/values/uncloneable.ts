import { types } from 'node:util'

/** The part of a value that structured clone refused, and its path in the value. */
export interface Uncloneable {
  path: string
  what: string
}

interface Step {
  value: unknown
  path: string
}

/** Walks a refused value, breadth first, and returns the first part that structured clone cannot carry. */
export function findUncloneable(value: unknown, label: string): Uncloneable | undefined {
  const seen = new Set<object>()
  const queue: Step[] = [{ value, path: label }]
  for (let next = 0; next < queue.length; next++) {
    const { value, path } = queue[next] as Step
    const what = kindThatIsRefused(value)
    if (what !== undefined) return { path, what }
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    try {
      addParts(value, path, queue)
    } catch (error) {
      return { path, what: `reading it threw ${error instanceof Error ? error.message : String(error)}` }
    }
  }
  return undefined
}

function kindThatIsRefused(value: unknown): string | undefined {
  if (typeof value === 'function') return value.name === '' ? 'it is a function' : `it is the function ${value.name}`
  if (typeof value === 'symbol') return 'it is a symbol'
  if (typeof value !== 'object' || value === null) return undefined
  if (types.isPromise(value)) return 'it is a promise; await it first'
  if (types.isProxy(value)) return 'it is a Proxy'
  if (types.isWeakMap(value)) return 'it is a WeakMap'
  if (types.isWeakSet(value)) return 'it is a WeakSet'
  if (value instanceof WeakRef) return 'it is a WeakRef'
  if (types.isSharedArrayBuffer(value)) return 'it is a SharedArrayBuffer, which cannot leave its process'
  if (types.isGeneratorObject(value)) return 'it is a generator; collect its values into an array'
  if (types.isExternal(value)) return 'it is native data'
  return undefined
}

function addParts(value: object, path: string, queue: Step[]): void {
  if (types.isMap(value)) {
    let position = 0
    for (const [key, entry] of value) {
      queue.push({ value: key, path: `${path}.keys()[${position}]` })
      queue.push({
        value: entry,
        path: typeof key === 'object' || typeof key === 'symbol' ? `${path}.values()[${position}]` : mapPath(path, key)
      })
      position++
    }
  } else if (types.isSet(value)) {
    let position = 0
    for (const entry of value) queue.push({ value: entry, path: `${path}.values()[${position++}]` })
  }
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return
  for (const key of Object.keys(value)) {
    queue.push({ value: readPart(value, key, partPath(value, path, key)), path: partPath(value, path, key) })
  }
}

function mapPath(path: string, key: unknown): string {
  return `${path}.get(${typeof key === 'string' ? JSON.stringify(key) : String(key)})`
}

function partPath(value: object, path: string, key: string): string {
  if (Array.isArray(value) && /^\d+$/.test(key)) return `${path}[${key}]`
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`
}

function readPart(value: object, key: string, path: string): unknown {
  try {
    return (value as Record<string, unknown>)[key]
  } catch (cause) {
    throw new Error(`at ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
