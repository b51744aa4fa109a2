/** Runs a cluster of ZooKeeper on loopback (Debian's `zookeeper`), with a tick of half a second, so that leases of 2 s are possible. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ZOOKEEPER_JAR } from '../tools.ts'
import { freePorts } from './etcd.ts'

export interface ZooKeeperNode {
  host: string
  /** The port for clients. */
  port: number
  child: ChildProcess
}

/** The unit of the times of ZooKeeper, in ms. */
const TICK_MS = 500
const START_LIMIT = 60_000
const PAUSE = 50
const ANSWER_LIMIT = 1_000

/** Writes the configuration of a node. Returns the command that runs the node. */
export async function zookeeperCommand(
  folder: string,
  { host, port, more = [] }: { host: string; port: number; more?: string[] }
): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const lines = [`tickTime=${TICK_MS}`, 'maxSessionTimeout=60000', `dataDir=${folder}`, 'maxClientCnxns=0', ...more]
  lines.push(
    `clientPort=${port}`,
    `clientPortAddress=${host}`,
    'admin.enableServer=false',
    '4lw.commands.whitelist=srvr'
  )
  const config = join(folder, 'zoo.cfg')
  await writeFile(config, `${lines.join('\n')}\n`)
  // A small JVM that starts soon. On a disk of a test machine, waiting for each write takes long and shows nothing.
  const flags = ['-Xmx96m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Dzookeeper.forceSync=no']
  return ['java', ...flags, '-cp', ZOOKEEPER_JAR, 'org.apache.zookeeper.server.quorum.QuorumPeerMain', config]
}

export class ZooKeeperCluster {
  readonly nodes: readonly ZooKeeperNode[]
  readonly #folder: string
  readonly #commands: readonly string[][]

  private constructor(folder: string, commands: readonly string[][], ports: readonly number[]) {
    this.#folder = folder
    this.#commands = commands
    this.nodes = ports.map((port, i) => ({ host: '127.0.0.1', port, child: run(commands[i]!) }))
  }

  /** The address of this cluster for `--election`. */
  get address(): `zookeeper:${string}` {
    return `zookeeper:${this.nodes.map(({ host, port }) => `${host}:${port}`).join(',')}`
  }

  static async start(count: number): Promise<ZooKeeperCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'p2p-worker-zookeeper-'))
    const ports = await freePorts(3 * count)
    const clients = ports.slice(0, count)
    const servers = clients.map((_, i) => `server.${i + 1}=127.0.0.1:${ports[count + i]}:${ports[2 * count + i]}`)
    const more = count === 1 ? [] : ['initLimit=20', 'syncLimit=4', ...servers]
    const commands = await Promise.all(
      clients.map(async (port, i) => {
        const command = await zookeeperCommand(join(folder, String(i)), { host: '127.0.0.1', port, more })
        await writeFile(join(folder, String(i), 'myid'), String(i + 1))
        return command
      })
    )
    const cluster = new ZooKeeperCluster(folder, commands, clients)
    try {
      await Promise.all(cluster.nodes.map(node => serving(node)))
    } catch (error) {
      await cluster.stop()
      throw error
    }
    return cluster
  }

  /** Starts a node again that has been killed. */
  async restart(node: ZooKeeperNode): Promise<void> {
    node.child = run(this.#commands[this.nodes.indexOf(node)]!)
    await serving(node)
  }

  /** Resolves with the node that leads and the others, when all others follow it. */
  async roles(): Promise<{ leader: ZooKeeperNode; followers: ZooKeeperNode[] }> {
    const until = performance.now() + START_LIMIT
    for (;;) {
      const modes = await Promise.all(this.nodes.map(node => mode(node).catch(() => undefined)))
      const leader = this.nodes[modes.indexOf('leader')]
      const followers = this.nodes.filter((_, i) => modes[i] === 'follower')
      if (leader !== undefined && followers.length === this.nodes.length - 1) return { leader, followers }
      if (performance.now() > until) throw new Error('the nodes of ZooKeeper follow none of them')
      await delay(PAUSE)
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(kill))
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** Kills a node. Resolves when it has ended. */
export async function kill({ child }: Pick<ZooKeeperNode, 'child'>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

function run([command, ...args]: string[]): ChildProcess {
  return spawn(command!, args, { stdio: 'ignore' })
}

/** Resolves when a node answers clients. */
async function serving(node: ZooKeeperNode): Promise<void> {
  const until = performance.now() + START_LIMIT
  while ((await mode(node).catch(() => undefined)) === undefined) {
    if (performance.now() > until) throw new Error(`ZooKeeper does not start at port ${node.port}`)
    await delay(PAUSE)
  }
}

/** Returns whether a node leads, follows, or is alone. Undefined if it does not serve yet. */
async function mode({ host, port }: ZooKeeperNode): Promise<string | undefined> {
  const socket = connect({ host, port, signal: AbortSignal.timeout(ANSWER_LIMIT) })
  socket.write('srvr')
  let said = ''
  for await (const bytes of socket.setEncoding('utf8')) said += bytes
  return /^Mode: (\w+)/m.exec(said)?.[1]
}
