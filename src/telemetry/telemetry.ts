/** Sends the spans of a peer or client to whatever takes OTLP over HTTP: a collector of OpenTelemetry, Jaeger, Tempo. */
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Logger } from '../common/logger.ts'
import type { SpanRecord, Tracer } from '../common/tracing.ts'
import { version } from '../common/version.ts'
import { loadOpenTelemetry, type OpenTelemetry } from './packages.ts'

/** Where a collector on the same machine listens. */
const DEFAULT_URL = 'http://127.0.0.1:4318/v1/traces'
/** Spans wait this long (ms) for others, unless OTEL_BSP_SCHEDULE_DELAY says how long: a peer that is killed takes with it what waits. */
const DELAY_MS = 1_000
/** What is left when tracing stops is sent within this (ms), or not at all. */
const FLUSH_MS = 2_000

export interface TelemetryOptions {
  /** Where spans are sent; undefined: where the variables of OpenTelemetry say, else to port 4318 of this machine. */
  url: string | undefined
  logger: Logger
  /** Where the packages may be, if not beside this one. Default: the current folder. */
  folder?: string
}

export interface Telemetry {
  readonly tracer: Tracer
  /** Sends what is left, for 2 s at most, or until `signal` aborts; nothing is taken any more. */
  stop(signal?: AbortSignal): Promise<void>
}

/**
 * Begins to send. The environment variables of OpenTelemetry count: `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER`,
 * `OTEL_BSP_*`, and, without `url`, `OTEL_EXPORTER_OTLP_ENDPOINT`; headers, certificates and time limits come from `OTEL_EXPORTER_OTLP_*`.
 *
 * @throws MissingPackageError when OpenTelemetry is not installed
 */
export function startTelemetry({ url, logger, folder = process.cwd() }: TelemetryOptions): Telemetry {
  const otel = loadOpenTelemetry(folder)
  const { sdk, exporter } = otel
  const target = url ?? (isEndpointSet() ? undefined : DEFAULT_URL)
  const sender = warningOnce(new exporter.OTLPTraceExporter(target === undefined ? {} : { url: target }), logger)
  const ids = { traceId: '', spanId: '' }
  const delays = process.env.OTEL_BSP_SCHEDULE_DELAY ? {} : { scheduledDelayMillis: DELAY_MS }
  const processor = new sdk.BatchSpanProcessor(sender, delays)
  const provider = new sdk.BasicTracerProvider({
    resource: resourceOf(otel),
    idGenerator: { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId },
    spanProcessors: [processor]
  })
  return {
    tracer: new OtelTracer(otel, provider, ids),
    async stop(signal) {
      const over = new AbortController()
      const late = delay(FLUSH_MS, undefined, { signal: AbortSignal.any([over.signal, ...(signal ? [signal] : [])]) })
      // What could not be sent was told when it failed.
      await Promise.race([provider.shutdown().catch(() => {}), late.catch(() => {})])
      over.abort()
    }
  }
}

function isEndpointSet(): boolean {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_EXPORTER_OTLP_ENDPOINT } = process.env
  return Boolean(OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim() || OTEL_EXPORTER_OTLP_ENDPOINT?.trim())
}

function resourceOf({ resources }: OpenTelemetry): ReturnType<OpenTelemetry['resources']['resourceFromAttributes']> {
  const own = {
    'service.name': 'p2p-worker',
    'service.version': version,
    'host.name': hostname(),
    'process.pid': process.pid
  }
  const { envDetector } = resources
  return resources
    .defaultResource()
    .merge(resources.resourceFromAttributes(own))
    .merge(resources.detectResources({ detectors: [envDetector] }))
}

/** The ids of the next span, which exist before it. */
interface SpanIds {
  traceId: string
  spanId: string
}

class OtelTracer implements Tracer {
  readonly #api: OpenTelemetry['api']
  readonly #tracer: ReturnType<InstanceType<OpenTelemetry['sdk']['BasicTracerProvider']>['getTracer']>
  readonly #ids: SpanIds
  /** Whether the trace of the newest span is sampled: most often the next one belongs to it. */
  #sampled = { traceId: '', flags: 0 }

  constructor(
    { api }: OpenTelemetry,
    provider: InstanceType<OpenTelemetry['sdk']['BasicTracerProvider']>,
    ids: SpanIds
  ) {
    this.#api = api
    this.#tracer = provider.getTracer('p2p-worker', version)
    this.#ids = ids
  }

  record({ name, kind, traceId, spanId, parentId, start, end, attributes, error }: SpanRecord): void {
    const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = this.#api
    const parent = parentId && { traceId, spanId: parentId, traceFlags: this.#flagsOf(traceId), isRemote: true }
    Object.assign(this.#ids, { traceId, spanId })
    const span = this.#tracer.startSpan(
      name,
      { kind: SpanKind[UPPER[kind]], startTime: hrTime(start), attributes },
      parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
    )
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
    span.end(hrTime(Math.max(start, end)))
  }

  /**
   * What the sampler says of the whole trace. Nothing tells of it from peer to peer; but samplers decide by the trace's id, so all peers that
   * are set up alike decide alike.
   */
  #flagsOf(traceId: string): number {
    if (this.#sampled.traceId === traceId) return this.#sampled.flags
    Object.assign(this.#ids, { traceId, spanId: 'ffffffffffffffff' })
    // It is never ended, so nobody hears of it.
    const { traceFlags } = this.#tracer.startSpan('trace', {}, this.#api.ROOT_CONTEXT).spanContext()
    this.#sampled = { traceId, flags: traceFlags }
    return traceFlags
  }
}

/** Seconds and nanoseconds. (Plain numbers from before this process are taken for something else.) */
function hrTime(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)]
}

const UPPER = { internal: 'INTERNAL', client: 'CLIENT', consumer: 'CONSUMER' } as const

/** Says that nothing gets through when that begins, and not with each batch, and says when it is over. */
function warningOnce(exporter: SpanExporter, logger: Logger): SpanExporter {
  let fails = false
  return {
    export(spans, done) {
      exporter.export(spans, result => {
        const { error } = result
        // 0: ExportResultCode.SUCCESS
        if (result.code !== 0 && !fails)
          logger.warn({ error, spans: spans.length }, 'spans cannot be sent, and are lost')
        else if (result.code === 0 && fails) logger.warn({}, 'spans can be sent again')
        fails = result.code !== 0
        done(result)
      })
    },
    forceFlush: async () => await exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown()
  }
}
