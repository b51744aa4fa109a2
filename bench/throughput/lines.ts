/** Measures lines through `map`, in order, compared with `sed`. The leader is killed three times during the run. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type ProcessCluster, root } from '../../test/cluster/processes.ts'
import { alike, withCluster } from '../recovery/clusters.ts'

const KILLED_AT = [0.2, 0.4, 0.6]
/** The interval between two measurements of memory, in ms. */
const LOOK_MS = 250

export interface Lines {
  count: number
  /** The times in ms. */
  map: number
  sed: number
  killed: number
  right: boolean
  /** The peak resident memory of the command, in MB: until a tenth of the output was printed, and over the whole run. */
  command: [early: number, most: number]
  peers: [early: number, most: number][]
}

export async function lines(count: number): Promise<Lines> {
  const sed = await measure(
    spawn('sh', ['-c', `seq ${count} | sed s/7/seven/g`], { stdio: ['ignore', 'pipe', 'inherit'] })
  )
  return await withCluster(alike(5), async cluster => {
    const bootstrap = cluster.live.flatMap(({ addresses }) => ['--bootstrap', addresses[0]!])
    const args = [
      `${root}/dist/cli/main.js`,
      'map',
      `${root}/bench/throughput/tasks/sevens.ts`,
      '--no-mdns',
      ...bootstrap
    ]
    const source = spawn('seq', [`${count}`], { stdio: ['ignore', 'pipe', 'inherit'] })
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...cluster.env },
      stdio: [source.stdout, 'pipe', 'inherit']
    })
    let killed = 0
    const memory = new Map<number, [number, number]>()
    let early = true
    let isOver = false
    const watching = (async () => {
      while (!isOver) {
        for (const pid of [child.pid!, ...cluster.live.map(peer => peer.child.pid!)]) await look(pid, memory, early)
        await delay(LOOK_MS)
      }
    })()
    const map = await measure(child, async bytes => {
      if (bytes > 0.1 * sed.bytes) early = false
      if (killed < KILLED_AT.length && bytes > KILLED_AT[killed]! * sed.bytes) {
        killed += 1
        await killLeader(cluster)
      }
    })
    isOver = true
    await watching
    return {
      count,
      map: map.ms,
      sed: sed.ms,
      killed,
      right: map.digest === sed.digest,
      command: memory.get(child.pid!)!,
      peers: cluster.live.map(peer => memory.get(peer.child.pid!)!)
    }
  })
}

async function killLeader(cluster: ProcessCluster): Promise<void> {
  await cluster.byRank()[0]!.end('SIGKILL')
}

async function measure(
  child: ChildProcess,
  at: (bytes: number) => Promise<void> = async () => {}
): Promise<{ ms: number; bytes: number; digest: string }> {
  const began = performance.now()
  const hash = createHash('sha256')
  let bytes = 0
  const exit = once(child, 'close')
  for await (const data of child.stdout!) {
    hash.update(data)
    bytes += data.byteLength
    void at(bytes)
  }
  const [code] = await exit
  if (code !== 0) throw new Error(`the command ended with ${code}`)
  return { ms: performance.now() - began, bytes, digest: hash.digest('hex') }
}

async function look(pid: number, memory: Map<number, [number, number]>, early: boolean): Promise<void> {
  // A process that was killed has no status file.
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const resident = (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024) / 1e6
  const [before, most] = memory.get(pid) ?? [0, 0]
  memory.set(pid, [early ? Math.max(before, resident) : before, Math.max(most, resident)])
}
