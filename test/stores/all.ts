/** The stores that come with p2p-worker, for the tests and the benchmark that treat all of them alike. */
import type { StoreAddress } from '../../src/election/stores/stores.ts'
import type { Hosts } from '../faults/hosts.ts'
import type { Tool } from '../tools.ts'
import { EtcdCluster } from './etcd.ts'
import { hostedEtcd } from './hosted-etcd.ts'
import { hostedKubernetes } from './hosted-kubernetes.ts'
import { hostedPostgres } from './hosted-postgres.ts'
import { hostedZooKeeper } from './hosted-zookeeper.ts'
import { KubernetesApi } from './kubernetes-api.ts'
import { PostgresServer } from './postgres.ts'
import type { HostedStore } from './troubles.ts'
import { ZooKeeperCluster } from './zookeeper.ts'

export interface TestedStore {
  name: string
  /** How its address looks. */
  form: string
  tools: Tool[]
  /** Starts a single server on loopback. */
  start(): Promise<LocalStore>
  /** Starts it on the host of the store. */
  hosted(hosts: Hosts): Promise<HostedStore>
}

export interface LocalStore {
  strategy: StoreAddress
  /** More environment variables of each peer. */
  env?: NodeJS.ProcessEnv
  stop(): Promise<void>
}

export const STORES: readonly TestedStore[] = [
  {
    name: 'etcd',
    form: 'etcd:URL',
    tools: ['etcd'],
    start: async () => local(await EtcdCluster.start(1)),
    hosted: hostedEtcd
  },
  {
    name: 'PostgreSQL',
    form: 'postgres:URL',
    tools: ['postgres'],
    start: async () => local(await PostgresServer.start()),
    hosted: hostedPostgres
  },
  {
    name: 'ZooKeeper',
    form: 'zookeeper:HOST',
    tools: ['zookeeper'],
    start: async () => local(await ZooKeeperCluster.start(1)),
    hosted: hostedZooKeeper
  },
  {
    name: 'Kubernetes',
    form: 'kubernetes',
    tools: [],
    start: async () => {
      const api = await KubernetesApi.start()
      return { strategy: 'kubernetes', env: { KUBERNETES_API: api.url }, stop: () => api.stop() }
    },
    hosted: hostedKubernetes
  }
]

function local(server: { address: StoreAddress; stop(): Promise<void> }): LocalStore {
  return { strategy: server.address, stop: () => server.stop() }
}
