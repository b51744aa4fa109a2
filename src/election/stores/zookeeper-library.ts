/** The part of node-zookeeper-client 1.1 that the store uses, some of it not public. */
import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { requireOptional } from '../../common/optional-packages.ts'

/** The library, with the version of package.json. */
export const PACKAGES = { 'node-zookeeper-client': '^1.1.3' } as const

export interface Server {
  host: string
  port: number
}

export interface Stat {
  version: number
  /** The transaction that has last changed the node. */
  mzxid: Buffer
}

export type Callback<T extends unknown[]> = (
  error: (Error & { code?: number }) | null | undefined,
  ...answer: T
) => void

export interface Library {
  createClient(servers: string, options: object): Client
}

export interface Client {
  connectionManager: EventEmitter & {
    servers: Server[]
    socket?: Socket
    connectTimeoutHandler: NodeJS.Timeout | null
    connect(): void
    onSocketData(bytes: Buffer): void
  }
  connect(): void
  close(): void
  getSessionId(): Buffer
  getSessionPassword(): Buffer
  getSessionTimeout(): number
  getData(path: string, watcher: (() => void) | undefined, done: Callback<[data: Buffer | undefined, Stat]>): void
  getChildren(path: string, watcher: (() => void) | undefined, done: Callback<[string[], Stat]>): void
  mkdirp(path: string, done: Callback<[string]>): void
  transaction(): Transaction
}

export interface Transaction {
  ops: { version: number }[]
  create(path: string, mode: number): void
  remove(path: string): void
  setData(path: string, data: Buffer, version: number): void
  commit(done: Callback<[{ stat?: Stat }[]]>): void
}

/** The state numbers of the library, and its number for nodes that end with their session. */
export const STATE = { disconnected: 0, connected: 2, expired: -3 } as const
export const EPHEMERAL = 1

/** The codes of ZooKeeper for what a transaction meets. */
export const CODE = {
  ok: 0,
  connectionLoss: -4,
  noNode: -101,
  noAuth: -102,
  badVersion: -103,
  nodeExists: -110,
  expired: -112
} as const

/** @throws MissingPackageError when the library is not installed */
export function loadLibrary(): Library {
  const missing = 'the lease of ZooKeeper needs the package node-zookeeper-client, which is not installed'
  return requireOptional(PACKAGES, missing)('node-zookeeper-client') as Library
}
