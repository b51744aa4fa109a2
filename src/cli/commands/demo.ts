/**
 * Runs the demo. The demo starts a cluster of processes on this machine, submits a job, and kills the leader while the
 * job runs.
 */
import { existsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { P2pWorkerError } from '../../common/errors.ts'
import { comparePeerIds } from '../../election/core/rank.ts'
import type { JobStats } from '../../jobs/shared/types.ts'
import { atMost } from '../../lib/abort.ts'
import { removeStaleFolders } from '../../persistence/temporary-folder.ts'
import { count, duration, shortId } from '../../views/words.ts'
import { killLeader } from '../demo/kill-leader.ts'
import { LocalCluster } from '../demo/local-cluster.ts'
import type { PeerView } from '../demo/peer-process.ts'
import { reference } from '../demo/reference.ts'
import { type Verdict, verifyAgainst, verifyNasEpW } from '../demo/verify.ts'
import { exitCodes } from '../exit-codes.ts'
import { JobMeter, taskLine } from '../jobs/job-view.ts'
import { ProgressLine } from '../jobs/progress-line.ts'
import type { DemoFlags } from '../options/flags.ts'
import { onInterruption } from '../terminal/interruption.ts'
import { paint, print, say } from '../terminal/output.ts'
import { table } from '../terminal/table.ts'

/** How long the peers may take to find each other and agree on a leader, in ms. */
const MEET_MS = 30_000
/** How long the built-in job may take, in ms. The job usually needs some seconds. */
const JOB_MS = 120_000
/**
 * The longest time of a short task on one thread, in ms. For a short task, the demo kills the leader as soon as the
 * leader has accepted the job.
 */
const SHORT_MS = 2_000

/** 2^25 pairs in blocks of 2^16. */
const NAS_EP_W_CHUNKS = 512
/** The share of done chunks at which the demo kills the leader. */
const KILL_AT = 0.4

/** The job of the demo and the check of its result. */
interface Work {
  title: string
  task: string
  input: unknown
  /** The number of chunks of the job; undefined if the number is unknown before the split has ended. */
  chunks: number | undefined
  /**
   * The share of done chunks at which the demo kills the leader. With 0, the demo kills the leader as soon as the
   * leader has accepted the job.
   */
  killAt: number
  /**
   * While the number of chunks is unknown, the demo kills the leader this long after the first chunk is folded, in ms.
   */
  killAfterMs: number
  limitMs: number | undefined
  verify(result: unknown): Verdict
}

function builtInTask(): string {
  const file = fileURLToPath(new URL('../../../examples/nas-ep.ts', import.meta.url))
  if (!existsSync(file)) throw new P2pWorkerError(`the demo's task ${file} is missing: install p2p-worker again`)
  return file
}

async function workOf(task: string | undefined, flags: DemoFlags, signal: AbortSignal): Promise<Work> {
  if (task === undefined && flags.input === undefined) {
    return {
      title: 'NAS EP class W, 2^25 pairs of random numbers',
      task: builtInTask(),
      input: { class: 'W' },
      chunks: NAS_EP_W_CHUNKS,
      killAt: KILL_AT,
      killAfterMs: JOB_MS,
      limitMs: JOB_MS,
      verify: verifyNasEpW
    }
  }
  const file = task ?? builtInTask()
  const input = flags.input?.value
  say(`First ${basename(file)} on one thread, undisturbed, to compare with …`)
  const { result, ms } = await reference(file, input, signal)
  say(`  done in ${duration(ms)}\n`)
  return {
    title: basename(file),
    task: file,
    input,
    chunks: undefined,
    killAt: ms < SHORT_MS ? 0 : KILL_AT,
    killAfterMs: (KILL_AT * ms) / Math.min(flags.peers, availableParallelism()),
    limitMs: undefined,
    verify: computed => verifyAgainst(result, computed)
  }
}

const name = (peer: PeerView): string => `peer ${peer.number} (${shortId(peer.id)})`

/**
 * Prints each leadership one time, when a follower reports it. A report by the leader itself does not count, because a
 * peer that knows no other peers is its own leader.
 */
function tellElections(cluster: LocalCluster): void {
  const told = new Set<string>()
  cluster.onChange(() => {
    for (const { id, leader } of cluster.running) {
      const elected = cluster.peers.find(peer => peer.id === leader?.id)
      if (leader === undefined || elected === undefined || told.has(`${leader.epoch} ${leader.id}`)) continue
      if (id === leader.id && cluster.running.length > 1) continue
      told.add(`${leader.epoch} ${leader.id}`)
      say(`  ${paint('bold', `${name(elected)} leads`)}, epoch ${leader.epoch}`)
    }
  })
}

/** Starts the peers, and waits until each peer knows all other peers and follows the highest-ranked peer. */
async function form(cluster: LocalCluster, peers: number, signal: AbortSignal): Promise<PeerView> {
  const limits = { ms: MEET_MS, signal }
  say(`Starting ${peers} peers, each a process of its own, on 127.0.0.1`)
  const started = new Set<PeerView>()
  const tellStarted = (): void => {
    for (const peer of cluster.running) {
      if (peer.id === '' || started.has(peer)) continue
      started.add(peer)
      say(`  ${name(peer)} has joined, process ${peer.pid}`)
    }
  }
  const stopTelling = cluster.onChange(tellStarted)
  tellElections(cluster)
  const first = cluster.start()
  await cluster.until(() => first.id !== '', 'the first peer is ready', limits)
  for (let peer = 1; peer < peers; peer++) cluster.start()
  const highest = (): string | undefined =>
    cluster.running
      .map(peer => peer.id)
      .sort(comparePeerIds)
      .at(-1)
  await cluster.until(
    () =>
      cluster.running.every(peer => peer.id !== '' && peer.alive.size === peers - 1) &&
      cluster.agreed()?.peer.id === highest(),
    'all peers see each other and follow the highest PeerId',
    limits
  )
  stopTelling()
  const { peer } = cluster.agreed()!
  say(`  all ${peers} see each other and agree: the highest PeerId, ${name(peer)}, leads\n`)
  return peer
}

function chunksTable(cluster: LocalCluster, stats: JobStats, killed: PeerView | undefined): string {
  const leader = cluster.agreed()?.peer
  const rows = cluster.peers.map(peer => {
    const note = peer === killed ? 'killed' : peer === leader ? 'leader' : ''
    return [`peer ${peer.number}`, shortId(peer.id), String(stats.perPeer[peer.id] ?? 0), note]
  })
  return table([{ title: 'PEER' }, { title: 'ID' }, { title: 'CHUNKS', align: 'right' }, { title: '' }], rows)
}

async function compute(cluster: LocalCluster, work: Work, signal: AbortSignal): Promise<Verdict> {
  const { connect } = await import('../../api/client.ts')
  const client = await connect({
    cluster: 'demo',
    key: cluster.key,
    bootstrap: cluster.addresses(),
    mdns: false,
    signal
  })
  const progress = new ProgressLine()
  const settled = new AbortController()
  let timer: NodeJS.Timeout | undefined
  try {
    say(`Running ${work.title}`)
    const meter = new JobMeter()
    const job = await client.submit<unknown, unknown>(work.task, work.input, { signal })
    let done = 0
    job.addEventListener('log', ({ detail }) => say(taskLine(detail)))
    job.addEventListener('progress', ({ detail }) => {
      if (detail.done < done) say(`  the next leader goes on after ${count(detail.done, 'chunk')}, which others hold`)
      done = detail.done
      const total = detail.total ?? work.chunks
      progress.update(meter.line({ ...detail, total }))
    })
    const killing = killLeader(cluster, job, { ...work, signal: settled.signal })
    if (work.limitMs !== undefined) {
      const late = new P2pWorkerError(`the job did not end within ${work.limitMs / 1_000} s`)
      timer = setTimeout(() => settled.abort(late), work.limitMs)
    }
    const limit = AbortSignal.any([signal, settled.signal])
    // The end of the job is not enough: the kill ends soon afterwards, and fails if the peers elect no new leader.
    const result = await Promise.race([job.result({ signal: limit }), cluster.failed(settled.signal), killing.failed])
    const ms = meter.elapsed
    progress.end()
    const killed = await killing.done
    if (killed === undefined) say('\nThe job ended before its leader could be killed.\n')
    const verdict = work.verify(result)
    await print(`\nResult after ${duration(ms)}:`)
    for (const line of verdict.lines) await print(`  ${line}`)
    if (job.stats !== undefined) {
      const { chunks, retries, recomputed } = job.stats
      await print(`\n${chunksTable(cluster, job.stats, killed)}`)
      await print(`${count(chunks, 'chunk')}, ${retries} started again, ${recomputed} computed again`)
    }
    return verdict
  } finally {
    progress.end()
    clearTimeout(timer)
    settled.abort()
    await atMost(client.close(), 2_000)
  }
}

export async function demo(task: string | undefined, flags: DemoFlags): Promise<number> {
  const interruption = onInterruption()
  const { signal } = interruption
  let cluster: LocalCluster | undefined
  try {
    const work = await workOf(task, flags, signal)
    await removeStaleFolders(tmpdir())
    cluster = await LocalCluster.create()
    await form(cluster, flags.peers, signal)
    const verdict = await compute(cluster, work, signal)
    await cluster.leave()
    await print(
      verdict.verified
        ? `\n${paint('good', 'verified', process.stdout)}`
        : `\n${paint('bad', 'NOT VERIFIED', process.stdout)}`
    )
    return verdict.verified ? exitCodes.done : exitCodes.failed
  } catch (error) {
    if (interruption.exitCode === undefined) throw error
    say('interrupted: ending the peers')
    return interruption.exitCode
  } finally {
    await cluster?.stop()
  }
}
