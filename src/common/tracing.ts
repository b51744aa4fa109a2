/** The seam to whatever keeps traces: a peer or client tells of each span when it is over, and knows no more of it. */
import { hash, randomBytes } from 'node:crypto'

/** What a span says of itself; docs/logging.md has the names. */
export type SpanAttributes = Record<string, string | number | boolean>

/** A span as OpenTelemetry has it, told when it has ended. */
export interface SpanRecord {
  /** What was done: docs/logging.md says from when until when each is. */
  name: 'job' | 'job part' | 'submit' | 'chunk' | 'split' | 'fold' | 'finish' | 'election'
  /** As OpenTelemetry has it. */
  kind: 'internal' | 'client' | 'consumer'
  /** 32 hex digits. All peers give the spans of one job, or of one election, the same one without a word: it is a digest of what all know. */
  traceId: string
  /** 16 hex digits. */
  spanId: string
  /** The span above it in the same trace, which another peer may tell of, later or never; undefined: there is none. */
  parentId?: string | undefined
  /** In ms since the epoch (wall clock), with fractions. */
  start: number
  /** As `start`. */
  end: number
  /** Of the job, the chunk or the election. */
  attributes: SpanAttributes
  /** What went wrong; undefined: nothing did. */
  error?: string | undefined
}

/**
 * Takes the spans of a peer or client. It is called on the main thread up to some thousand times a second: it must neither block nor throw.
 *
 * @example
 * ```ts
 * import { join, type Tracer } from 'p2p-worker'
 *
 * const tracer: Tracer = {
 *   record: ({ name, start, end, attributes }) => console.log(name, Math.round(end - start), 'ms', attributes)
 * }
 * const peer = await join({ cluster: 'lab', insecure: true, listen: ['/ip4/127.0.0.1/tcp/0'], mdns: false, tracer })
 * await peer.leave()
 * ```
 */
export interface Tracer {
  /** Takes a span that has ended. */
  record(span: SpanRecord): void
}

/** The trace of what these words name. */
export function traceIdOf(...words: readonly (string | number)[]): string {
  return digest(words).slice(0, 32)
}

/** The one span of a trace that all know by name. */
export function spanIdOf(traceId: string, ...words: readonly (string | number)[]): string {
  return digest([traceId, ...words]).slice(0, 16)
}

/** Of a span that nobody else has to know. */
export function newSpanId(): string {
  return randomBytes(8).toString('hex')
}

function digest(words: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify(words))
}
