/**
 * p2p-worker/http: the HTTP API of a peer, for programs that have made their peer with `join`. `p2p-worker join --http PORT` is the same for the
 * command line.
 *
 * @module p2p-worker/http
 */

export { type HistogramMetric, METRICS, type MetricRow, type NumberMetric, type Sample } from './metric-names.ts'
export { PeerMetrics } from './metrics.ts'
export { type HttpAddress, type HttpOptions, type HttpServer, type ServeOptions, serveHttp } from './server.ts'
