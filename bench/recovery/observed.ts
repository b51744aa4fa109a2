/** Observes the process of a peer, from inside the process (observe.mjs) and through the kernel. */
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type PeerProcess, type ProcessCluster, root } from '../../test/cluster/processes.ts'

export interface Observed {
  /** The share of time in which the main thread was busy. */
  utilization: number
  /** The delays of the event loop, in ms: the 99th percentile and the maximum. */
  p99: number
  most: number
}

/** The measurements of a job in its folding thread. */
export interface Folded {
  /** The total times of folds and checkpoints, in ms. */
  foldMs: number
  checkpointMs: number
  checkpoints: number
}

const LIMIT = 10_000

/** Returns the environment with which a peer starts so that the benchmark can observe the peer. */
export function observable({ checkpoints = true } = {}): NodeJS.ProcessEnv {
  return {
    NODE_OPTIONS: `--import=${pathToFileURL(`${root}/bench/recovery/observe.mjs`).href}`,
    BENCH_DIST: pathToFileURL(`${root}/dist/`).href,
    ...(checkpoints ? {} : { BENCH_NO_CHECKPOINTS: '1' })
  }
}

/** Resolves to the observations since the last call. */
export async function observe({ home }: ProcessCluster, { child }: PeerProcess): Promise<Observed> {
  const file = `${home}/observed-${child.pid}`
  const before = (await linesOf(file)).length
  child.kill('SIGUSR2')
  for (const end = performance.now() + LIMIT; performance.now() < end; await delay(5)) {
    const now = await linesOf(file)
    if (now.length > before) return JSON.parse(now.at(-1)!) as Observed
  }
  throw new Error(`a peer has told nothing of itself in ${LIMIT} ms`)
}

/** Resolves to the measurements of the last job that ended at this peer. */
export async function lastFolded({ home }: ProcessCluster, { child }: PeerProcess): Promise<Folded> {
  return JSON.parse((await linesOf(`${home}/folded-${child.pid}`)).at(-1)!) as Folded
}

async function linesOf(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1)
}

/** Resolves to the number of bytes that the processes have written so far, mostly to sockets. */
export async function bytesWritten(peers: readonly PeerProcess[]): Promise<number> {
  const each = peers.map(async ({ child }) => {
    const io = await readFile(`/proc/${child.pid}/io`, 'utf8')
    return Number(/^wchar: (\d+)$/m.exec(io)![1])
  })
  return (await Promise.all(each)).reduce((sum, bytes) => sum + bytes, 0)
}
