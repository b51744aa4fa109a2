/** Sends the spans of a peer or client to a receiver of OTLP over HTTP: an OpenTelemetry collector, Jaeger, Tempo. */
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Logger } from '../common/logger.ts'
import type { SpanRecord, Tracer } from '../common/tracing.ts'
import { version } from '../common/version.ts'
import { loadOpenTelemetry, type OpenTelemetry } from './packages.ts'

/** The address of a collector on the same machine. */
const DEFAULT_URL = 'http://127.0.0.1:4318/v1/traces'
/**
 * How long spans are collected before a batch is sent, in ms, unless OTEL_BSP_SCHEDULE_DELAY is set. A peer that is
 * killed loses its unsent spans.
 */
const DELAY_MS = 1_000
/** The time limit for sending the last spans when tracing stops, in ms. */
const FLUSH_MS = 2_000

export interface TelemetryOptions {
  /**
   * The URL of the receiver. If undefined, the variables of OpenTelemetry contain the URL; without them, it is port
   * 4318 of this machine.
   */
  url: string | undefined
  logger: Logger
  /**
   * The folder with the packages of OpenTelemetry, if they are not installed beside p2p-worker. Default: the current
   * folder.
   */
  folder?: string
}

export interface Telemetry {
  readonly tracer: Tracer
  /** Sends the remaining spans, for at most 2 s or until `signal` aborts. Spans that are recorded later are dropped. */
  stop(signal?: AbortSignal): Promise<void>
}

/**
 * Starts sending spans. The environment variables of OpenTelemetry apply: `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`,
 * `OTEL_TRACES_SAMPLER`, `OTEL_BSP_*`, and, without `url`, `OTEL_EXPORTER_OTLP_ENDPOINT`; headers, certificates and
 * time limits come from `OTEL_EXPORTER_OTLP_*`.
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
      // A failed export has been logged already.
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

/** The ids of the next span, which are set before the span is created. */
interface SpanIds {
  traceId: string
  spanId: string
}

class OtelTracer implements Tracer {
  readonly #api: OpenTelemetry['api']
  readonly #tracer: ReturnType<InstanceType<OpenTelemetry['sdk']['BasicTracerProvider']>['getTracer']>
  readonly #ids: SpanIds
  /** The sampling decision for the trace of the newest span. The next span most often belongs to the same trace. */
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
   * The sampler's decision for a whole trace. Peers do not send the decision to each other, but samplers decide by the
   * trace's id, so peers with the same settings agree.
   */
  #flagsOf(traceId: string): number {
    if (this.#sampled.traceId === traceId) return this.#sampled.flags
    Object.assign(this.#ids, { traceId, spanId: 'ffffffffffffffff' })
    // This span never ends, so it is never exported.
    const { traceFlags } = this.#tracer.startSpan('trace', {}, this.#api.ROOT_CONTEXT).spanContext()
    this.#sampled = { traceId, flags: traceFlags }
    return traceFlags
  }
}

/**
 * Returns the time as seconds and nanoseconds. OpenTelemetry misreads a plain number if its time is before the start of
 * this process.
 */
function hrTime(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)]
}

const UPPER = { internal: 'INTERNAL', client: 'CLIENT', consumer: 'CONSUMER' } as const

/**
 * Logs one warning when exports begin to fail, instead of one warning for each batch. Logs one message when exports
 * succeed again.
 */
function warningOnce(exporter: SpanExporter, logger: Logger): SpanExporter {
  let fails = false
  return {
    export(spans, done) {
      exporter.export(spans, result => {
        const { error } = result
        // The code 0 is ExportResultCode.SUCCESS.
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
