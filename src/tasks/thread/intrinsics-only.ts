/**
 * Checks that the code of a task uses only the language itself. Then a {@link RealmSnapshot} shows all changes that the code makes to its thread.
 * Modules of Node, timers, sockets, threads, files and code that is loaded later can make changes that no snapshot shows.
 */
import { BANNER } from '../bundle/banner.ts'

/** Globals of the language, and other globals without state. A {@link RealmSnapshot} shows changes to these globals. */
export const SAFE_GLOBALS: ReadonlySet<string> = new Set(
  `Object Array Map Set WeakMap WeakSet Math JSON Number String Boolean BigInt Symbol Date RegExp Promise Proxy Reflect Iterator
  Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError
  ArrayBuffer SharedArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array
  Float32Array Float64Array BigInt64Array BigUint64Array Infinity NaN undefined isFinite isNaN parseFloat parseInt
  decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape console structuredClone
  TextEncoder TextDecoder URL URLSearchParams atob btoa`.split(/\s+/)
)
/** The global object of the clock. Code may read the time, but must not set marks, because marks would stay in the thread. */
const CLOCK = 'performance'
const ASKS_FOR_TIME = /^\s*\.\s*(now|timeOrigin)\b/
/** Further forbidden names. `Function` and `eval` create code that this check does not see. `FinalizationRegistry` runs callbacks at any time. */
const OTHERS = ['require', 'import', 'eval', 'Function', 'FinalizationRegistry', 'WeakRef', 'Atomics']
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu
const SOURCE_MAP = '\n//# sourceMappingURL='

/** Whether code uses only intrinsics. Names in strings and comments also count, so harmless code may be rejected, but never harmful code accepted. */
export function usesOnlyIntrinsics(code: string): boolean {
  if (!code.startsWith(BANNER)) return false
  const end = code.lastIndexOf(SOURCE_MAP)
  const own = code.slice(BANNER.length, end < 0 ? undefined : end)
  // An escape sequence may hide a name.
  if (/\\u[\dA-Fa-f{]/.test(own)) return false
  const suspicious = suspiciousNames()
  for (const { 0: name, index } of own.matchAll(NAME)) {
    if (!suspicious.has(name)) continue
    if (name !== CLOCK || !ASKS_FOR_TIME.test(own.slice(index + name.length, index + name.length + 100))) return false
  }
  return true
}

let names: ReadonlySet<string> | undefined

function suspiciousNames(): ReadonlySet<string> {
  names ??= new Set([...Object.getOwnPropertyNames(globalThis).filter(name => !SAFE_GLOBALS.has(name)), ...OTHERS])
  return names
}
