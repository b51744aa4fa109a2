import { execFileSync } from 'node:child_process'
import { Counter, register } from 'prom-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { join } from '../../src/api/peer.ts'
import type { PeerStats } from '../../src/api/peer-stats.ts'
import type { Peer } from '../../src/api/types.ts'
import { InvalidOptionError } from '../../src/common/errors.ts'
import { METRICS } from '../../src/http/metric-names.ts'
import { PeerMetrics } from '../../src/http/metrics.ts'
import { needs } from '../needs.ts'
import { Served } from './served.ts'

const leading = {
  jobs: 5,
  unserved: 2,
  ready: 11,
  dispatched: 12,
  unfolded: 13,
  unfoldedBytes: 14,
  checkpointAge: 1_500
}
const stats: PeerStats = {
  members: { alive: 3, suspect: 1, dead: 2, left: 4 },
  falseSuspicions: 6,
  falseDeaths: 7,
  refutations: 8,
  localHealth: 2,
  isLeader: true,
  epoch: 9,
  leaderChanges: 10,
  leaderless: 2_500,
  electionDurations: { bounds: [100, 1_000], counts: [2, 3, 4], sum: 12_345 },
  slots: 4,
  busy: 3,
  chunks: { completed: 21, failed: 22, 'timed-out': 23, cancelled: 24, returned: 25 },
  batchSizes: { bounds: [1, 2], counts: [1, 0, 5], sum: 51 },
  led: { folded: 31, retried: 32, speculated: 33, recomputed: 34, dispatched: 35 },
  leading,
  locks: { held: 15, waiting: 16 },
  journalEntries: 17,
  dataDir: {
    bytes: 41,
    liveBytes: 42,
    journalBytes: 44,
    freeBytes: 45,
    isWritable: false,
    failures: 43,
    syncs: { bounds: [1, 10], counts: [4, 1, 0], sum: 15 }
  },
  eventLoopLag: { bounds: [5, 50], counts: [100, 10, 1], sum: 700 },
  refusals: { key: 1, unlisted: 2, role: 3, message: 4, forged: 5, epoch: 6, chunk: 7, journal: 8, rate: 9, slow: 10 }
}

/** Returns the metrics text of a peer with these stats. */
async function rendered(given: PeerStats): Promise<string> {
  const metrics = new PeerMetrics()
  metrics.follow({ id: 'me', cluster: 'lab', stats: () => given } as Peer, () => 2)
  return (await metrics.render(given)).text
}

function ours(text: string): string[] {
  return text.split('\n').filter(line => line.startsWith('p2p_worker_'))
}

it('a PeerMetrics follows only one peer, but follows this peer again when its HTTP API restarts', async () => {
  const metrics = new PeerMetrics()
  const peer = { id: 'me', cluster: 'lab', stats: () => stats } as Peer
  metrics.follow(peer, () => 2)
  metrics.follow(peer, () => 7)
  expect((await metrics.render(stats)).text).toContain('p2p_worker_http_event_streams 7')
  expect(() => metrics.follow({ ...peer, id: 'other' } as Peer, () => 0)).toThrow(InvalidOptionError)
})

describe('/metrics', () => {
  const served: Served[] = []

  afterEach(async () => {
    for (const one of served.splice(0)) await one.stop()
  })

  it('/metrics reports all counts of a peer, with durations in seconds and sizes in bytes', async () => {
    const lines = ours(await rendered(stats))
    expect(lines.filter(line => !line.startsWith('p2p_worker_info'))).toEqual([
      ...['alive 3', 'suspect 1', 'dead 2', 'left 4'].map(line => {
        const [state, value] = line.split(' ')
        return `p2p_worker_members{state="${state}"} ${value}`
      }),
      'p2p_worker_false_suspicions_total 6',
      'p2p_worker_false_deaths_total 7',
      'p2p_worker_refutations_total 8',
      'p2p_worker_local_health 2',
      'p2p_worker_is_leader 1',
      'p2p_worker_leader_epoch 9',
      'p2p_worker_leadership_changes_total 10',
      'p2p_worker_leaderless_seconds_total 2.5',
      'p2p_worker_election_duration_seconds_bucket{le="0.1"} 2',
      'p2p_worker_election_duration_seconds_bucket{le="1"} 5',
      'p2p_worker_election_duration_seconds_bucket{le="+Inf"} 9',
      'p2p_worker_election_duration_seconds_sum 12.345',
      'p2p_worker_election_duration_seconds_count 9',
      'p2p_worker_slots 4',
      'p2p_worker_busy_slots 3',
      'p2p_worker_chunks_total{outcome="completed"} 21',
      'p2p_worker_chunks_total{outcome="failed"} 22',
      'p2p_worker_chunks_total{outcome="timed-out"} 23',
      'p2p_worker_chunks_total{outcome="cancelled"} 24',
      'p2p_worker_chunks_total{outcome="returned"} 25',
      'p2p_worker_batch_size_chunks_bucket{le="1"} 1',
      'p2p_worker_batch_size_chunks_bucket{le="2"} 1',
      'p2p_worker_batch_size_chunks_bucket{le="+Inf"} 6',
      'p2p_worker_batch_size_chunks_sum 51',
      'p2p_worker_batch_size_chunks_count 6',
      'p2p_worker_led_chunks_total{what="folded"} 31',
      'p2p_worker_led_chunks_total{what="retried"} 32',
      'p2p_worker_led_chunks_total{what="speculated"} 33',
      'p2p_worker_led_chunks_total{what="recomputed"} 34',
      'p2p_worker_led_chunks_total{what="dispatched"} 35',
      'p2p_worker_jobs{state="running"} 3',
      'p2p_worker_jobs{state="unserved"} 2',
      'p2p_worker_queue_depth_chunks 11',
      'p2p_worker_dispatched_chunks 12',
      'p2p_worker_fold_lag_chunks 13',
      'p2p_worker_fold_lag_bytes 14',
      'p2p_worker_checkpoint_age_seconds 1.5',
      'p2p_worker_lock_sessions{state="held"} 15',
      'p2p_worker_lock_sessions{state="waiting"} 16',
      'p2p_worker_journal_entries 17',
      'p2p_worker_data_dir_bytes 41',
      'p2p_worker_data_dir_live_bytes 42',
      'p2p_worker_data_dir_limit_bytes 44',
      'p2p_worker_data_dir_free_bytes 45',
      'p2p_worker_data_dir_writable 0',
      'p2p_worker_data_dir_failures_total 43',
      'p2p_worker_data_dir_sync_seconds_bucket{le="0.001"} 4',
      'p2p_worker_data_dir_sync_seconds_bucket{le="0.01"} 5',
      'p2p_worker_data_dir_sync_seconds_bucket{le="+Inf"} 5',
      'p2p_worker_data_dir_sync_seconds_sum 0.015',
      'p2p_worker_data_dir_sync_seconds_count 5',
      'p2p_worker_event_loop_lag_seconds_bucket{le="0.005"} 100',
      'p2p_worker_event_loop_lag_seconds_bucket{le="0.05"} 110',
      'p2p_worker_event_loop_lag_seconds_bucket{le="+Inf"} 111',
      'p2p_worker_event_loop_lag_seconds_sum 0.7',
      'p2p_worker_event_loop_lag_seconds_count 111',
      ...Object.entries(stats.refusals).map(([kind, count]) => `p2p_worker_refused_total{kind="${kind}"} ${count}`),
      'p2p_worker_http_event_streams 2'
    ])
    expect(lines).toContainEqual(
      expect.stringMatching(/^p2p_worker_info\{version="[\d.]+",peer_id="me",cluster="lab"\} 1$/)
    )
  })

  it('/metrics of a follower has no leader metrics, even if the follower was the leader earlier', async () => {
    const metrics = new PeerMetrics()
    let now = stats
    metrics.follow({ id: 'me', cluster: 'lab', stats: () => now } as Peer, () => 0)
    expect((await metrics.render(now)).text).toContain('p2p_worker_queue_depth_chunks 11')
    now = { ...stats, leading: { ...leading, checkpointAge: undefined } }
    expect(ours((await metrics.render(now)).text).join()).not.toContain('checkpoint_age')
    now = { ...stats, isLeader: false, epoch: undefined, leading: undefined, locks: undefined }
    const lines = ours((await metrics.render(now)).text)
    for (const name of [
      'jobs',
      'queue',
      'dispatched_chunks',
      'fold_lag',
      'checkpoint_age',
      'lock_sessions',
      'leader_epoch'
    ]) {
      expect(lines.filter(line => line.startsWith(`p2p_worker_${name}`))).toEqual([])
    }
    expect(lines).toContain('p2p_worker_is_leader 0')
    expect(lines).toContain('p2p_worker_led_chunks_total{what="folded"} 31')
  })

  it('/metrics of a peer without a data folder has no metrics of a data folder', async () => {
    const lines = ours(await rendered({ ...stats, dataDir: undefined }))
    expect(lines.filter(line => line.startsWith('p2p_worker_data_dir'))).toEqual([])
    expect(lines).toContain('p2p_worker_journal_entries 17')
  })

  it('every metric of the table is unique and follows the naming rules of Prometheus', () => {
    const names = METRICS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, type, help } of METRICS) {
      expect(name).toMatch(/^p2p_worker_[a-z0-9_]+$/)
      expect(name.endsWith('_total')).toBe(type === 'counter')
      expect(help).toMatch(/\.$/)
    }
  })

  needs('promtool').it('promtool reports no problem in /metrics', async () => {
    const text = await rendered(stats)
    // The names of the process and libp2p metrics come from other packages.
    const own = text.slice(0, text.indexOf('# HELP process_'))
    expect(own).toContain('p2p_worker_refused_total')
    execFileSync('promtool', ['check', 'metrics'], { input: own })
  })

  it('/metrics includes the libp2p and process metrics of its own peer only', async () => {
    const metrics = new PeerMetrics()
    // A program that embeds a peer may register metrics of its own.
    new Counter({ name: 'others_total', help: 'Of the program around.' })
    const one = await Served.start({ metrics: metrics.libp2p }, { metrics })
    served.push(one)
    await one.leads()
    const { text, headers } = await one.ask('/metrics')
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    for (const name of [
      'libp2p_data_transfer_bytes_total',
      'process_cpu_seconds_total',
      'nodejs_heap_size_used_bytes'
    ]) {
      expect(text).toContain(`# TYPE ${name} `)
    }
    expect(text).toContain('p2p_worker_http_requests_total')
    expect(text).toContain(`peer_id="${one.peer.id}"`)
    expect(text.match(/^# TYPE (\S+)/gm)).toHaveLength(new Set(text.match(/^# TYPE (\S+)/gm)).size)
    expect(text).not.toContain('others_total')
    expect(await register.getSingleMetricAsString('others_total')).toContain('others_total 0')
    register.removeSingleMetric('others_total')

    const another = { cluster: 'other', insecure: true, listen: ['/ip4/127.0.0.1/tcp/0'], mdns: false }
    await expect(join({ ...another, metrics: new PeerMetrics().libp2p })).rejects.toMatchObject({
      name: 'InvalidOptionError'
    })
    await one.stop()
    served.pop()
    const next = new PeerMetrics()
    const peer = await join({ ...another, metrics: next.libp2p })
    await peer.leave()
  })

  it('/metrics of a leader counts the sessions that hold locks and wait for them', async () => {
    const one = await Served.start()
    served.push(one)
    await one.leads()
    const shown = async (held: number, waiting: number): Promise<void> => {
      const { text } = await one.ask('/metrics')
      expect(text).toContain(`\np2p_worker_lock_sessions{state="held"} ${held}\n`)
      expect(text).toContain(`\np2p_worker_lock_sessions{state="waiting"} ${waiting}\n`)
    }
    await shown(0, 0)
    const first = await one.peer.lock('a')
    const second = one.peer.lock('a')
    await vi.waitFor(() => shown(1, 1), { timeout: 60_000 })
    await first.release()
    await (await second).release()
    await shown(0, 0)
  })

  it('/metrics counts the bytes that peers exchange', async () => {
    const metrics = new PeerMetrics()
    const cluster = `metrics-${process.pid}`
    const one = await Served.start({ metrics: metrics.libp2p, cluster }, { metrics })
    served.push(one)
    const two = await Served.start({ bootstrap: one.peer.addresses(), cluster })
    served.push(two)
    await vi.waitFor(
      async () => {
        const { text } = await one.ask('/metrics')
        expect(text).toMatch(/^libp2p_data_transfer_bytes_total\{protocol="global received"\} [1-9]/m)
      },
      { timeout: 60_000 }
    )
  })

  it('/metrics counts requests by known route, method and status, and never uses text from a client as a label', async () => {
    const one = await Served.start()
    served.push(one)
    await one.ask('/made/up')
    await one.own('/api/jobs/made-up', { method: 'PROPFIND' })
    const { text } = await one.ask('/metrics')
    expect(text).not.toMatch(/made|PROPFIND/)
    expect(text).toContain('p2p_worker_http_requests_total{method="other",route="/api/jobs/:id",status="405"} 1')
  })
})
