/**
 * Whether a task's code is such that what it leaves behind in its thread can be seen: nothing but the language itself. Modules of Node, timers,
 * sockets, other threads, files and code that is loaded later can leave what no look at the thread finds.
 */
import { BANNER } from '../bundle/banner.ts'

/** Of the globals, those of the language and others that keep nothing; what they are is looked at ({@link RealmSnapshot}). */
export const SAFE_GLOBALS: ReadonlySet<string> = new Set(
  `Object Array Map Set WeakMap WeakSet Math JSON Number String Boolean BigInt Symbol Date RegExp Promise Proxy Reflect Iterator
  Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError
  ArrayBuffer SharedArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array
  Float32Array Float64Array BigInt64Array BigUint64Array Infinity NaN undefined isFinite isNaN parseFloat parseInt
  decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape console structuredClone
  TextEncoder TextDecoder URL URLSearchParams atob btoa`.split(/\s+/)
)
/** The time may be asked for; marks would stay. */
const CLOCK = 'performance'
const ASKS_FOR_TIME = /^\s*\.\s*(now|timeOrigin)\b/
/** `Function` and `eval` make code that cannot be read here; what `FinalizationRegistry` is given runs whenever it likes. */
const OTHERS = ['require', 'import', 'eval', 'Function', 'FinalizationRegistry', 'WeakRef', 'Atomics']
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu
const SOURCE_MAP = '\n//# sourceMappingURL='

/** Looks for names, wherever they stand: so it may say no though the code is plain, and never the other way round, unless it hides them. */
export function usesOnlyIntrinsics(code: string): boolean {
  if (!code.startsWith(BANNER)) return false
  const end = code.lastIndexOf(SOURCE_MAP)
  const own = code.slice(BANNER.length, end < 0 ? undefined : end)
  // An escape may stand in a name, too.
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
