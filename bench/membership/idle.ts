/** Measures the processor time, sent bytes and memory of an idle peer in a settled cluster. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type PeerProcess, ProcessCluster } from '../../test/cluster/processes.ts'
import { joinMany } from './many-peers.ts'
import { using } from './resources.ts'

export interface IdleCost {
  /** The age of the cluster at the measurement, in ms. */
  after: number
  /** The share of one core that a peer uses, in percent: the mean over all peers, and the largest share. */
  cpuPercent: number
  cpuPercentMost: number
  /** The bytes per second that a peer sends, as the loopback device counts them, including headers and TCP acknowledgements. */
  bytesPerSecond: number
  /** The mean resident memory of a peer, in MiB. */
  megabytes: number
}

export interface IdleTimes {
  /**
   * The ages at which the cluster is measured, in ms. Dialling back and the mDNS search end soon after the start. But for some minutes
   * V8 still compiles rarely used code of an idle peer in background threads.
   */
  after: number[]
  /** The duration of the measurement, in ms. */
  window: number
}

/** The ticks per second of /proc/PID/stat (sysconf(_SC_CLK_TCK), 100 on every Linux). */
const TICKS = 100

/** A network namespace with only a loopback device, so that the device counts only the traffic of the cluster. */
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

  /** The prefix of a command that makes the command run in the namespace. */
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

/** Resolves to the processor time of a process so far, in ms. */
export async function cpuTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1_000
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_024
}

/** Measures a cluster of `count` peers. `p2p-worker join` starts each peer with mDNS and one bootstrap address. */
export async function measureIdle(count: number, times: IdleTimes): Promise<IdleCost[]> {
  return await using(LoneLoopback.create(), loopback =>
    using(ProcessCluster.create({ wrap: loopback.wrap }), cluster => measure(loopback, cluster, count, times))
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
