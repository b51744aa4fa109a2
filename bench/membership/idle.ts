/** What a peer costs that has nothing to do: processor time and bytes sent, in a cluster that has settled. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type PeerProcess, ProcessCluster } from '../../test/cluster/processes.ts'
import { joinMany } from './many-peers.ts'
import { using } from './resources.ts'

export interface IdleCost {
  /** How long the cluster had stood, in ms. */
  after: number
  /** Per cent of one core that a peer takes: the mean over all peers, and the one that takes most. */
  cpuPercent: number
  cpuPercentMost: number
  /** Sent per peer: all that passes the loopback device, headers and TCP's acknowledgements included. */
  bytesPerSecond: number
  /** Resident memory of a peer in MiB, the mean. */
  megabytes: number
}

export interface IdleTimes {
  /**
   * How long the cluster has stood when it is measured, in ms, once or more. Dialling back and looking for others by mDNS are over
   * soon; but what an idle peer runs, it runs so seldom that V8 goes on compiling it for some minutes, in threads of its own.
   */
  after: number[]
  /** Over how long it is measured, in ms. */
  window: number
}

/** Ticks of /proc/PID/stat in a second (sysconf(_SC_CLK_TCK), 100 on every Linux). */
const TICKS = 100

/** A network of its own, with nothing but a loopback device: what passes that is the cluster's, and nobody else's. */
export class LoneLoopback {
  readonly #holder: ChildProcess

  private constructor(holder: ChildProcess) {
    this.#holder = holder
  }

  static async create(): Promise<LoneLoopback> {
    const script = 'ip link set lo up && echo up && exec cat'
    const holder = spawn('unshare', ['-n', 'sh', '-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
    await once(holder.stdout!, 'data')
    return new LoneLoopback(holder)
  }

  /** What to put before a command to run it there. */
  get wrap(): string[] {
    return ['nsenter', '-t', String(this.#holder.pid), '-n']
  }

  async bytesSent(): Promise<number> {
    const devices = await readFile(`/proc/${this.#holder.pid}/net/dev`, 'utf8')
    const lo = devices.split('\n').find(line => line.trim().startsWith('lo:'))!
    return Number(lo.split(':')[1]!.trim().split(/\s+/)[8])
  }

  async stop(): Promise<void> {
    const exited = once(this.#holder, 'exit')
    this.#holder.kill('SIGKILL')
    await exited
  }
}

/** Processor time of a process so far, in ms. */
export async function cpuTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1_000
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_024
}

/** `count` peers as `p2p-worker join` starts them, mDNS included, that know one bootstrap address. */
export async function measureIdle(count: number, times: IdleTimes): Promise<IdleCost[]> {
  return await using(LoneLoopback.create(), loopback =>
    using(ProcessCluster.create(loopback.wrap), cluster => measure(loopback, cluster, count, times))
  )
}

async function measure(
  loopback: LoneLoopback,
  cluster: ProcessCluster,
  count: number,
  { after, window }: IdleTimes
): Promise<IdleCost[]> {
  await joinMany(cluster, count, { mdns: true })
  const stands = performance.now()
  const costs: IdleCost[] = []
  for (const ms of after) {
    await delay(ms - (performance.now() - stands))
    costs.push({ after: ms, ...(await costOf(loopback, cluster.peers, window)) })
  }
  return costs
}

async function costOf(
  loopback: LoneLoopback,
  peers: readonly PeerProcess[],
  window: number
): Promise<Omit<IdleCost, 'after'>> {
  const pids = peers.map(peer => peer.child.pid!)
  const cpu = await Promise.all(pids.map(cpuTime))
  const [bytes, began] = [await loopback.bytesSent(), performance.now()]
  await delay(window)
  const took = performance.now() - began
  const sent = (await loopback.bytesSent()) - bytes
  const used = (await Promise.all(pids.map(cpuTime))).map((ms, i) => ((ms - cpu[i]!) / took) * 100)
  const memory = await Promise.all(pids.map(residentMegabytes))
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    cpuPercent: mean(used),
    cpuPercentMost: Math.max(...used),
    bytesPerSecond: sent / (took / 1_000) / peers.length,
    megabytes: mean(memory)
  }
}
