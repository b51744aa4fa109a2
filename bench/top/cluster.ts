/** Starts a cluster of fifty peers. The two measured peers have separate processes. The remaining peers share a few processes. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type PeerProcess, ProcessCluster, root } from '../../test/cluster/processes.ts'
import type { Resource } from '../membership/resources.ts'
import { tell } from '../rows.ts'

/** The number of all peers. */
export const PEERS = 50
/**
 * The number of processes that run the remaining peers. Each connection has two small WebAssembly memories for the cluster's key, and the address space of
 * a process has room for only some thousand of these memories.
 */
const PROCESSES = 8
/** The time within which all peers must see each other, in ms. */
const START_LIMIT = 180_000

export class BusyCluster implements Resource {
  readonly #others: ChildProcess[] = []

  private constructor(
    readonly processes: ProcessCluster,
    /** The leader, which runs no chunks. */
    readonly leader: PeerProcess,
    /** The peer to which `top` is attached, or which serves the dashboard. */
    readonly attached: PeerProcess
  ) {}

  /** @param args - further options of the attached peer */
  static async start(args: string[] = []): Promise<BusyCluster> {
    const processes = await ProcessCluster.create()
    const leader = processes.join(['--role', 'leader'])
    await leader.ready()
    const attached = processes.join(['--role', 'worker', ...args])
    const cluster = new BusyCluster(processes, leader, attached)
    try {
      await attached.ready()
      for (let i = 0; i < PROCESSES; i++) await cluster.#more((PEERS - 2) / PROCESSES)
      const alive = ({ states }: { states: Map<string, string> }): number =>
        [...states.values()].filter(state => state === 'alive').length
      for (const peer of [leader, attached]) {
        await peer.until(`${PEERS - 1} others`, () => alive({ states: peer.states() }) >= PEERS - 1, START_LIMIT)
      }
      return cluster
    } catch (error) {
      await cluster.stop()
      throw error
    }
  }

  async stop(): Promise<void> {
    for (const child of this.#others) {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    await this.processes.stop()
  }

  async #more(count: number): Promise<void> {
    const file = join(root, 'bench', 'top', 'several-peers.mjs')
    const child = fork(file, [String(count), this.leader.addresses[0]!], { env: this.processes.env })
    this.#others.push(child)
    const failed = once(child, 'exit').then(([code]) => {
      throw new Error(`a process of ${count} peers ended with ${code}`)
    })
    failed.catch(() => {})
    await Promise.race([once(child, 'message'), failed])
    tell(`${count} more peers`)
  }
}
