/**
 * Maps stacks to the user's files. A bundle's source map names each source by a `p2p-task:` URL, relative to the folder of the
 * task's file. The client knows this folder, and replaces the URL by a path.
 */
import { isAbsolute, join, normalize } from 'node:path'
import { inspect } from 'node:util'
import { P2pWorkerError, type TaskFunction } from '../../common/errors.ts'
import type { TaskFailure } from './failure.ts'

const SCHEME = 'p2p-task:///'
// The URL parser drops leading `..` segments, so each segment `..` is replaced by this name.
const UP = '__up__'

const MAX_MESSAGE = 8 * 1024
const MAX_STACK = 32 * 1024
const MAX_CAUSES = 5
const MAX_PATH = 5_000

/** The URL of a source in a bundle's source map; `path` is relative to the task's folder, with `/`. */
export function sourceUrl(path: string): string {
  return (
    SCHEME +
    path
      .split('/')
      .map(part => (part === '..' ? UP : encodeURIComponent(part).replace(/[()]/g, encodeParenthesis)))
      .join('/')
  )
}

// In a stack, parentheses enclose the location.
const encodeParenthesis = (character: string) => (character === '(' ? '%28' : '%29')

/** Replaces the source URLs in a text by paths. If the folder of the task's file is given, the paths are absolute, otherwise relative to that folder. */
export function resolveSources(text: string, folder?: string): string {
  return text.replace(/p2p-task:\/\/\/([^\s():]+)/g, (whole, path: string) => {
    try {
      const parts = path.split('/').map(part => (part === UP ? '..' : decodeURIComponent(part)))
      const relative = parts.join('/')
      return folder === undefined || isAbsolute(relative) ? relative : normalize(join(folder, relative))
    } catch {
      return whole
    }
  })
}

/** A failure in readable form: a message of one line, and the stack with paths. */
export interface FailureDescription {
  /** One line, e.g. `run threw on chunk 3: RangeError: out of range`. */
  message: string
  /** The first line of the error and the stack frames; empty if there are no frames. */
  stack: string
}

/**
 * Describes a failure. With `folder`, the folder of the task's file ({@link TaskBundle.folder}), paths are absolute.
 */
export function describeFailure(failure: TaskFailure, folder?: string): FailureDescription {
  const where = failure.index === undefined ? '' : ` on chunk ${failure.index}`
  const what = failure.name === '' ? failure.message : `${failure.name}: ${failure.message}`
  const message = resolveSources(`${failure.function} failed${where}: ${what}`, folder)
  return { message, stack: failure.stack === '' ? '' : resolveSources(failure.stack, folder) }
}

/** Converts any value that user code throws to plain data. This function never throws, even if a getter of the value throws. */
export function toFailure(thrown: unknown, fn: TaskFunction, index?: number): TaskFailure {
  try {
    if (!(thrown instanceof Error) && !isErrorLike(thrown)) {
      const message = cut(`threw ${inspect(thrown, { depth: 2, breakLength: 120 })}, which is no Error`, MAX_MESSAGE)
      return { function: fn, index, name: '', message, stack: '' }
    }
    const name = cut(String(thrown.name), 200)
    // The stack of a P2pWorkerError shows code of this package and not the user's code.
    const stack = thrown instanceof P2pWorkerError ? '' : userStack(thrown)
    const message = `${cut(String(thrown.message), MAX_MESSAGE)}${refusalOf(thrown)}`
    return { function: fn, index, name, message, stack }
  } catch {
    return { function: fn, index, name: '', message: 'threw a value that cannot be inspected', stack: '' }
  }
}

/** Explains a refusal by Node's permission model: Node's own message names options that a task does not have. */
function refusalOf(error: Error & { code?: unknown; permission?: unknown; resource?: unknown }): string {
  if (error.code !== 'ERR_ACCESS_DENIED' || typeof error.permission !== 'string') return ''
  const what = [error.permission, error.resource].filter(part => typeof part === 'string' && part !== '').join(' ')
  return cut(` (${what}: this peer runs tasks under --isolation process, see docs/security.md)`, MAX_PATH)
}

/** Whether a value is an error. `instanceof` is not enough, because an Error of another realm (node:vm) is no instance of this realm's Error. */
function isErrorLike(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'message' in value && 'stack' in value && 'name' in value
}

function userStack(error: Error): string {
  const blocks: string[] = []
  let current: unknown = error
  for (let depth = 0; depth <= MAX_CAUSES && current !== undefined; depth++) {
    const isError = current instanceof Error
    const text = isError ? dropInternalFrames(String((current as Error).stack)) : inspect(current, { depth: 1 })
    blocks.push(depth === 0 ? text : `caused by: ${text}`)
    current = isError ? (current as Error).cause : undefined
  }
  return cut(blocks.join('\n'), MAX_STACK)
}

/** The root of this package. The source maps of dist name files in src. */
const PACKAGE = new URL('../../../', import.meta.url).href
const INTERNAL = [
  `${PACKAGE}dist/`,
  `${PACKAGE}src/`,
  decodeURIComponent(new URL(`${PACKAGE}dist/`).pathname),
  decodeURIComponent(new URL(`${PACKAGE}src/`).pathname),
  '/node_modules/piscina/',
  'node:internal',
  'AsyncLocalStorage.run (node:async_hooks'
]

/** Drops the frames that are not the user's code. */
export function dropInternalFrames(stack: string): string {
  return stack
    .split('\n')
    .filter(line => !/^\s+at /.test(line) || !INTERNAL.some(place => line.includes(place)))
    .join('\n')
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length - limit} characters more)`
}
