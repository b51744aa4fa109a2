/** Runs a cluster of etcd on loopback (Debian's `etcd-server`) with defaults: a heartbeat every 100 ms, and an election after 1 s without a heartbeat. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Returns the name and version, such as `etcd 3.4.23`. Returns undefined if etcd is not installed. */
export function etcdVersion(): string | undefined {
  try {
    const said = execFileSync('etcd', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return `etcd ${/etcd Version: (\S+)/.exec(said)?.[1]}`
  } catch {
    return undefined
  }
}

export interface EtcdNode {
  /** The URL for clients. */
  client: string
  child: ChildProcess
}

const START_LIMIT = 30_000
/** The time limit of a write, in ms. A normal write takes some ms. A write without a leader is never answered, so it is retried after this time. */
const WRITE_LIMIT = 100
/** The pause between two attempts to write, in ms. */
const PAUSE = 2

export class EtcdCluster {
  readonly #nodes: EtcdNode[]
  readonly #folder: string

  private constructor(nodes: EtcdNode[], folder: string) {
    this.#nodes = nodes
    this.#folder = folder
  }

  get nodes(): readonly EtcdNode[] {
    return this.#nodes
  }

  /** The address of this etcd for `--election`. */
  get address(): `etcd:${string}` {
    return `etcd:${this.#nodes.map(({ client }) => client).join(',')}`
  }

  static async start(count: number): Promise<EtcdCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'p2p-worker-etcd-'))
    const ports = await freePorts(2 * count)
    const url = (port: number): string => `http://127.0.0.1:${port}`
    const peers = Array.from({ length: count }, (_, i) => `n${i}=${url(ports[2 * i]!)}`).join(',')
    const nodes = Array.from({ length: count }, (_, i): EtcdNode => {
      const [peer, client] = [url(ports[2 * i]!), url(ports[2 * i + 1]!)]
      const args = ['--name', `n${i}`, '--data-dir', join(folder, `n${i}`), '--initial-cluster', peers]
      args.push('--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer)
      args.push('--listen-client-urls', client, '--advertise-client-urls', client, '--log-level', 'error')
      return { client, child: spawn('etcd', args, { stdio: 'ignore' }) }
    })
    const cluster = new EtcdCluster(nodes, folder)
    try {
      await cluster.#written(nodes, performance.now() + START_LIMIT)
    } catch (error) {
      await cluster.stop()
      throw error
    }
    return cluster
  }

  /** Kills the leader, and resolves to the time until another node accepts a write, in ms. */
  async killLeader(): Promise<number> {
    const leader = await this.leader()
    const began = performance.now()
    leader.child.kill('SIGKILL')
    const others = this.#nodes.filter(node => node !== leader)
    return (await this.#written(others, began + START_LIMIT)) - began
  }

  async stop(): Promise<void> {
    const running = this.#nodes.filter(({ child }) => child.exitCode === null && child.signalCode === null)
    const exited = running.map(({ child }) => once(child, 'exit'))
    for (const { child } of running) child.kill('SIGKILL')
    await Promise.all(exited)
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Returns the node that leads. */
  async leader(): Promise<EtcdNode> {
    for (const node of this.#nodes) {
      const { header, leader } = (await post(node, 'maintenance/status', {})) as {
        header: { member_id: string }
        leader: string
      }
      if (header.member_id === leader) return node
    }
    throw new Error('no node of etcd leads')
  }

  /** Sends writes to all nodes repeatedly. Resolves to the time when the first node accepted a write. */
  async #written(nodes: readonly EtcdNode[], until: number): Promise<number> {
    const done = new AbortController()
    const put = { key: Buffer.from('key').toString('base64'), value: Buffer.from('value').toString('base64') }
    const trying = nodes.map(async node => {
      while (!done.signal.aborted) {
        try {
          await post(node, 'kv/put', put)
          return performance.now()
        } catch {
          if (performance.now() > until) throw new Error('etcd takes no write')
          await delay(PAUSE)
        }
      }
      throw new Error('another node took the write')
    })
    try {
      return await Promise.any(trying)
    } finally {
      done.abort()
      await Promise.allSettled(trying)
    }
  }
}

async function post({ client }: EtcdNode, path: string, body: object): Promise<unknown> {
  const signal = AbortSignal.timeout(WRITE_LIMIT)
  const answer = await fetch(`${client}/v3/${path}`, { method: 'POST', body: JSON.stringify(body), signal })
  if (!answer.ok) throw new Error(`etcd answers ${answer.status}`)
  return await answer.json()
}

/** Returns ports of loopback at which nothing listens. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map(server => once(server, 'listening')))
  const ports = servers.map(server => (server.address() as { port: number }).port)
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return ports
}
