/** The interface to tracing: a peer or client hands each span over when it has ended. */
import { hash, randomBytes } from 'node:crypto'

/** The attributes of a span; docs/logging.md has the names. */
export type SpanAttributes = Record<string, string | number | boolean>

/** An OpenTelemetry span, handed over when it has ended. */
export interface SpanRecord {
  /** The kind of work; docs/logging.md describes when each span begins and ends. */
  name: 'job' | 'job part' | 'submit' | 'chunk' | 'split' | 'fold' | 'finish' | 'election'
  /** The span kind of OpenTelemetry. */
  kind: 'internal' | 'client' | 'consumer'
  /**
   * 32 hex digits. The spans of one job, or of one election, have the same trace id at all peers: it is a hash of names
   * that all peers know.
   */
  traceId: string
  /** 16 hex digits. */
  spanId: string
  /** The parent span in the same trace, which another peer may record later or never; `undefined` if there is none. */
  parentId?: string | undefined
  /** The start of the span, in ms since 1970 (wall clock), with fractions. */
  start: number
  /** The end of the span, same unit as `start`. */
  end: number
  /** Attributes of the job, the chunk or the election. */
  attributes: SpanAttributes
  /** The error text; `undefined` if nothing failed. */
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

/** The trace id for a list of names. */
export function traceIdOf(...words: readonly (string | number)[]): string {
  return digest(words).slice(0, 32)
}

/** The id of a trace's root span, which all peers can compute from its names. */
export function spanIdOf(traceId: string, ...words: readonly (string | number)[]): string {
  return digest([traceId, ...words]).slice(0, 16)
}

/** A random span id, for a span that is no parent of other peers' spans. */
export function newSpanId(): string {
  return randomBytes(8).toString('hex')
}

function digest(words: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify(words))
}
