/** The stores that come with p2p-worker. Each is loaded only when an election names it. */

import { InvalidOptionError } from '../../common/errors.ts'
import { withoutCredentials } from '../../common/secrets.ts'
import type { LeaseStore } from '../store/lease-store.ts'

/** The address of a store: `etcd:URL[,URL]`, `postgres:URL`, `zookeeper:HOST[:PORT][,HOST[:PORT]]` or `kubernetes[:NAMESPACE/NAME]`. */
export type StoreAddress =
  | `etcd:${string}`
  | `postgres:${string}`
  | `zookeeper:${string}`
  | 'kubernetes'
  | `kubernetes:${string}`

interface StoreType {
  /** How its address looks, for the help and for errors. */
  readonly form: string
  /** Checks the part of the address after the colon, which is empty without a colon. @throws InvalidOptionError */
  check(address: string): unknown
  /** Makes the store of a cluster. */
  create(address: string, cluster: string): Promise<LeaseStore>
}

export const stores: { readonly [name: string]: StoreType } = {
  etcd: {
    form: 'etcd:URL[,URL]',
    check: parseUrls,
    create: async (address, cluster) => {
      const { etcdLease } = await import('./etcd.ts')
      return etcdLease({ ...parseUrls(address), prefix: `/p2p-worker/${encodeURIComponent(cluster)}` })
    }
  },
  postgres: {
    form: 'postgres:URL',
    check: postgresUrl,
    create: async (address, cluster) => {
      const { postgresLease } = await import('./postgres.ts')
      return postgresLease({ url: postgresUrl(address), cluster })
    }
  },
  zookeeper: {
    form: 'zookeeper:HOST[:PORT][,HOST[:PORT]]',
    check: parseServers,
    create: async (address, cluster) => {
      const { zookeeperLease } = await import('./zookeeper.ts')
      // The names `.` and `..` are not permitted in ZooKeeper.
      const name = encodeURIComponent(cluster).replaceAll('.', '%2E')
      return zookeeperLease({ servers: parseServers(address), path: `/p2p-worker/${name}` })
    }
  },
  kubernetes: {
    form: 'kubernetes[:NAMESPACE/NAME]',
    check: parsePlace,
    create: async (address, cluster) => {
      const { openKubernetesLease } = await import('./kubernetes.ts')
      return await openKubernetesLease(parsePlace(address), cluster)
    }
  }
}

/** Whether the text is the address of a store of this kind, or looks like one. */
export function isStoreAddress(text: string): text is StoreAddress {
  return text.includes(':') || Object.hasOwn(stores, text)
}

/** @throws InvalidOptionError when there is no such store, or its address is malformed */
export function checkStoreAddress(text: string): StoreAddress {
  const { type, address } = parse(text)
  type.check(address)
  return text as StoreAddress
}

/** Makes the store at this address for a cluster. @throws InvalidOptionError, MissingPackageError */
export async function storeAt(text: string, cluster: string): Promise<LeaseStore> {
  const { type, address } = parse(text)
  return await type.create(address, cluster)
}

function parse(text: string): { type: StoreType; address: string } {
  const name = text.split(':', 1)[0]!
  const type = Object.hasOwn(stores, name) ? stores[name] : undefined
  if (type !== undefined) return { type, address: text.slice(name.length + 1) }
  const forms = Object.values(stores).map(({ form }) => form)
  throw new InvalidOptionError(
    `there is no store ${JSON.stringify(name)} for an election: give one of ${forms.join(', ')}`
  )
}

/** Parses the namespace and the name of a Lease. Returns undefined for an empty text. */
function parsePlace(text: string): { namespace: string; name: string } | undefined {
  if (text === '') return undefined
  const label = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?'
  const [, namespace, name] = new RegExp(`^(${label})/((?=.{1,253}$)${label}(?:\\.${label})*)$`).exec(text) ?? []
  if (namespace !== undefined && name !== undefined) return { namespace, name }
  throw new InvalidOptionError(
    `${JSON.stringify(text)} is no Lease of Kubernetes: give kubernetes:NAMESPACE/NAME, such as kubernetes:default/lab, or kubernetes alone`
  )
}

/** Parses URLs that are separated by commas. The first URL with a user sets the user of all. */
function parseUrls(text: string): { urls: string[]; user: string | undefined; password: string | undefined } {
  const urls = text.split(',').map(each => {
    const written = each.includes('://') ? each : `http://${each}`
    const url = URL.canParse(written) ? new URL(written) : undefined
    if (url !== undefined && /^https?:$/.test(url.protocol) && url.hostname !== '' && /^\/?$/.test(url.pathname))
      return url
    throw new InvalidOptionError(
      `${JSON.stringify(withoutCredentials(each))} is no address of etcd: give URLs such as http://10.0.0.1:2379, separated by commas`
    )
  })
  const named = urls.find(({ username }) => username !== '')
  return {
    urls: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    user: named && decodeURIComponent(named.username),
    password: named && decodeURIComponent(named.password)
  }
}

/** Accepts `postgres:postgres://HOST` and `postgres://HOST`. The error repeats nothing: in a malformed URL the password may be anywhere. */
function postgresUrl(text: string): string {
  const url = text.startsWith('//') ? `postgres:${text}` : text
  if (/^postgres(ql)?:\/\/./.test(url) && URL.canParse(url)) return url
  throw new InvalidOptionError(
    'this is no URL of PostgreSQL: give one such as postgres://USER:PASSWORD@10.0.0.1/DATABASE, with the special characters of the password percent-encoded'
  )
}

/** Parses servers of ZooKeeper that are separated by commas. */
function parseServers(text: string): { host: string; port: number }[] {
  return text.split(',').map(each => {
    const [, v6, host = v6, port = '2181'] = /^(?:\[([\da-f:.]+)\]|([a-z\d._-]+))(?::(\d+))?$/i.exec(each) ?? []
    if (host !== undefined && Number(port) > 0 && Number(port) < 65_536) return { host, port: Number(port) }
    throw new InvalidOptionError(
      `${JSON.stringify(withoutCredentials(each))} is no server of ZooKeeper: give servers such as 10.0.0.1:2181, separated by commas`
    )
  })
}
