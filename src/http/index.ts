/**
 * p2p-worker/http: the HTTP API of a peer, for programs that create their peer with `join`. On the command line,
 * `p2p-worker join --http PORT` starts it.
 *
 * @module p2p-worker/http
 */

export { type HistogramMetric, METRICS, type MetricRow, type NumberMetric, type Sample } from './metric-names.ts'
export { PeerMetrics } from './metrics.ts'
export { type HttpAddress, type HttpOptions, type HttpServer, type ServeOptions, serveHttp } from './server.ts'
