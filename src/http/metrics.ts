/** Answers `/metrics` from two registries: one for the peer, and one for the process. */
import { type PrometheusMetricsComponents, prometheusMetrics } from '@libp2p/prometheus-metrics'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, register } from 'prom-client'
import type { MetricsFactory } from '../api/options-types.ts'
import type { PeerStats } from '../api/peer-stats.ts'
import type { Peer } from '../api/types.ts'
import { InvalidOptionError } from '../common/errors.ts'
import { version } from '../common/version.ts'
import { type HistogramMetric, METRICS, type NumberMetric } from './metric-names.ts'

/** A histogram whose buckets are cumulative, as Prometheus requires. */
class CountedHistogram extends Histogram<string> {
  readonly #row: HistogramMetric
  readonly #stats: () => PeerStats

  constructor(row: HistogramMetric, registry: Registry, stats: () => PeerStats) {
    super({ name: row.name, help: row.help, registers: [registry] })
    this.#row = row
    this.#stats = stats
  }

  /** A registry calls this method instead of `get`. */
  async getForPromString(): Promise<object> {
    const { name, help, type, per } = this.#row
    const histogram = this.#row.histogram(this.#stats())
    if (histogram === undefined) return { name, help, type, values: [] }
    const { bounds, counts, sum } = histogram
    let count = 0
    const buckets = counts.map((fell, index) => {
      count += fell
      const bound = bounds[index]
      return {
        metricName: `${name}_bucket`,
        labels: { le: bound === undefined ? '+Inf' : bound / per },
        value: count
      }
    })
    const values = [
      ...buckets,
      { metricName: `${name}_sum`, labels: {}, value: sum / per },
      { metricName: `${name}_count`, labels: {}, value: count }
    ]
    return { name, help, type, values }
  }
}

/**
 * The registry of the process's own metrics. All peers of the process share this registry, because its observers cannot be stopped.
 */
let processRegistry: Registry | undefined

function ofProcess(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry()
    collectDefaultMetrics({ register: processRegistry })
  }
  return processRegistry
}

/**
 * Whether a peer of this process collects libp2p's metrics. libp2p has one table for the whole process, so a second peer would write
 * into the metrics of the first peer.
 */
let takenByLibp2p = false

/** The metrics of one peer. */
export class PeerMetrics {
  readonly #registry = new Registry()
  readonly #requests: Counter<'method' | 'route' | 'status'>
  #peer: Peer | undefined
  #eventStreams: () => number = () => 0
  #stats: PeerStats | undefined

  constructor() {
    this.#requests = new Counter({
      name: 'p2p_worker_http_requests_total',
      help: 'Requests that the HTTP API has answered.',
      labelNames: ['method', 'route', 'status'],
      registers: [this.#registry]
    })
  }

  /**
   * The value for the option `metrics` of `join`, which collects libp2p's own metrics in this registry. Only one peer of a process
   * at a time can collect libp2p's metrics.
   *
   * @throws InvalidOptionError when another peer of this process collects libp2p's metrics
   */
  readonly libp2p: MetricsFactory = components => {
    if (takenByLibp2p)
      throw new InvalidOptionError(
        'another peer of this process has the metrics of libp2p, which are for one at a time: join without `metrics`'
      )
    const metrics = withoutClearing(() =>
      prometheusMetrics({ registry: this.#registry, collectDefaultMetrics: false })(
        components satisfies PrometheusMetricsComponents
      )
    )
    takenByLibp2p = true
    return Object.assign(metrics, {
      stop: () => {
        takenByLibp2p = false
      }
    })
  }

  /**
   * Makes these metrics report a peer. Call this method again when the HTTP API of the peer restarts.
   *
   * @throws InvalidOptionError when these metrics report another peer
   */
  follow(peer: Peer, eventStreams: () => number): void {
    if (this.#peer !== undefined && this.#peer !== peer)
      throw new InvalidOptionError('these metrics are of another peer: each needs a `PeerMetrics` of its own')
    this.#eventStreams = eventStreams
    if (this.#peer !== undefined) return
    this.#peer = peer
    const registers = [this.#registry]
    const stats = (): PeerStats => this.#stats ?? peer.stats()
    for (const row of METRICS) {
      if (row.type === 'histogram') new CountedHistogram(row, this.#registry, stats)
      else followNumbers(row, this.#registry, stats)
    }
    const readers = (): number => this.#eventStreams()
    new Gauge({
      name: 'p2p_worker_http_event_streams',
      help: 'Readers of /api/events.',
      registers,
      collect() {
        this.set(readers())
      }
    })
    new Gauge({
      name: 'p2p_worker_info',
      help: 'Always 1: its labels say which peer this is.',
      labelNames: ['version', 'peer_id', 'cluster'],
      registers
    }).set({ version, peer_id: peer.id, cluster: peer.cluster }, 1)
  }

  /** Counts an answered request. */
  answered(method: string, route: string, status: number): void {
    this.#requests.inc({ method, route, status })
  }

  /** Renders the metrics in the text format of Prometheus. */
  async render(stats: PeerStats): Promise<{
    /** The content type of the answer. */
    contentType: string
    /** The text of all metrics. */
    text: string
  }> {
    // All values of an answer come from one reading of the stats, so that they are from the same moment.
    this.#stats = stats
    const [own, shared] = await Promise.all([this.#registry.metrics(), ofProcess().metrics()])
    return { contentType: this.#registry.contentType, text: `${own}\n${shared}` }
  }
}

function followNumbers(row: NumberMetric, registry: Registry, stats: () => PeerStats): void {
  const { name, help, labels: labelNames } = row
  const configuration = { name, help, labelNames: [...labelNames], registers: [registry] }
  // After a reset, a metric without labels is 0 instead of absent.
  const isAbsent = labelNames.length === 0
  if (row.type === 'counter') {
    new Counter({
      ...configuration,
      collect() {
        this.reset()
        if (isAbsent) this.remove({})
        for (const { labels = {}, value } of row.samples(stats())) this.inc(labels, value)
      }
    })
    return
  }
  new Gauge({
    ...configuration,
    collect() {
      this.reset()
      if (isAbsent) this.remove({})
      for (const { labels = {}, value } of row.samples(stats())) this.set(labels, value)
    }
  })
}

/**
 * Creates libp2p's metrics without clearing prom-client's global registry. libp2p first clears this registry, which may contain metrics
 * of the program that runs this peer.
 */
function withoutClearing<T>(make: () => T): T {
  const { clear } = register
  register.clear = () => {}
  try {
    return make()
  } finally {
    register.clear = clear
  }
}
