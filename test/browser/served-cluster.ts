/** Starts clusters of processes. Each process serves the dashboard. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PeerEvent, type PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import type { Status } from './dashboard.ts'

interface ReadyEvent extends PeerEvent {
  http: string
  httpTokenFile: string
}

const HTTP = ['--http', '127.0.0.1:0']
const GATED = 'test/browser/tasks/gated.ts'

function ready(peer: PeerProcess): ReadyEvent {
  return peer.events.find(({ event }) => event === 'ready') as ReadyEvent
}

/** Returns the URL of a peer's dashboard. */
export function urlOf(peer: PeerProcess): string {
  return ready(peer).http
}

export async function tokenOf(peer: PeerProcess): Promise<string> {
  return (await readFile(ready(peer).httpTokenFile, 'utf8')).trim()
}

export async function startServed(count: number): Promise<ProcessCluster> {
  const cluster = await ProcessCluster.start(count, HTTP)
  try {
    await cluster.settled()
    return cluster
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

/** Adds a peer that serves the dashboard. */
export async function joinServed(cluster: ProcessCluster): Promise<PeerProcess> {
  const peer = cluster.join(HTTP)
  await peer.ready()
  return peer
}

/** A job that waits until its gate is opened. */
export interface GatedJob {
  readonly id: string
  open(): Promise<void>
  /** Resolves with the output of `result --json` when the job has ended. */
  outcome(): Promise<{ state: string; result: number | null; stats: { perPeer: Record<string, number> } }>
}

let gates = 0

/** @param input - the number of chunks, the number of chunks that do not wait for the gate, and the time that each such chunk takes, in ms */
export async function startGated(
  cluster: ProcessCluster,
  input: { n: number; open: number; ms?: number }
): Promise<GatedJob> {
  const gate = join(cluster.home, `gate-${++gates}`)
  const args = ['run', GATED, '--json', '--detach', '--input', JSON.stringify({ ...input, gate })]
  const { stdout, stderr } = await cluster.run(args)
  if (stdout === '') throw new Error(`the job was not taken: ${stderr}`)
  const { jobId } = JSON.parse(stdout) as { jobId: string }
  return {
    id: jobId,
    open: async () => await writeFile(gate, ''),
    outcome: async () => JSON.parse((await cluster.run(['result', jobId, '--json'])).stdout)
  }
}

export async function statusOf(cluster: ProcessCluster): Promise<Status> {
  const { stdout } = await cluster.run(['status', '--json'])
  return JSON.parse(stdout)
}

/** Returns the status of a peer over HTTP, which is faster than the command `status`. */
export async function statusAt(peer: PeerProcess): Promise<Status> {
  return (await (await fetch(`${urlOf(peer)}/api/status`)).json()) as Status
}
