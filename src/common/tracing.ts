/** The interface to tracing. A peer or client passes each span to the tracer when the span has ended. */
import { hash, randomBytes } from 'node:crypto'

/** The attributes of a span. docs/logging.md lists the names. */
export type SpanAttributes = Record<string, string | number | boolean>

/** An OpenTelemetry span that has ended. */
export interface SpanRecord {
  /** The kind of work. docs/logging.md describes when each span begins and ends. */
  name: 'job' | 'job part' | 'submit' | 'chunk' | 'split' | 'fold' | 'finish' | 'election'
  /** The span kind of OpenTelemetry. */
  kind: 'internal' | 'client' | 'consumer'
  /**
   * 32 hex digits. The spans of one job, or of one election, have the same trace id at all peers, because the id is a hash of names
   * that all peers know.
   */
  traceId: string
  /** 16 hex digits. */
  spanId: string
  /** The id of the parent span in the same trace, or `undefined` if there is no parent. Another peer may record the parent span later or never. */
  parentId?: string | undefined
  /** The start of the span, in ms since 1970 (wall clock), with fractions. */
  start: number
  /** The end of the span, in the same unit as `start`. */
  end: number
  /** The attributes of the job, the chunk or the election. */
  attributes: SpanAttributes
  /** The text of the error, or `undefined` if nothing failed. */
  error?: string | undefined
}

/**
 * Receives the spans of a peer or client. `record` is called on the main thread, up to some thousand times a second, and must neither block nor throw.
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
  /** Records a span that has ended. */
  record(span: SpanRecord): void
}

/** Returns the trace id for a list of names. */
export function traceIdOf(...words: readonly (string | number)[]): string {
  return digest(words).slice(0, 32)
}

/** Returns the id of a trace's root span. All peers can compute this id from the same names. */
export function spanIdOf(traceId: string, ...words: readonly (string | number)[]): string {
  return digest([traceId, ...words]).slice(0, 16)
}

/** Returns a random span id, for a span that is not the parent of other peers' spans. */
export function newSpanId(): string {
  return randomBytes(8).toString('hex')
}

function digest(words: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify(words))
}
