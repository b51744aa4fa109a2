/**
 * p2p-worker/testing: a cluster for your own tests. {@link startCluster} starts its peers in this process, on
 * 127.0.0.1, isolated from every other cluster.
 *
 * @module p2p-worker/testing
 */

export { startCluster, type TestCluster, type TestClusterOptions, type TestPeerOptions } from './cluster.ts'
