/** The metrics of p2p-worker itself: one table, which `/metrics`, the documents, the alerts and the dashboard follow. */
import type { Histogram, PeerStats } from '../api/peer-stats.ts'

/** A value of a metric, and what sets it apart from the others of that metric. */
export interface Sample {
  /** Names and values of its labels; left out: none. */
  labels?: Record<string, string>
  /** In the unit of the metric. */
  value: number
}

interface MetricBase {
  /** As Prometheus knows it. */
  name: string
  /** What it means, in a sentence. */
  help: string
  /** Names of its labels. */
  labels: readonly string[]
  /** Where in {@link PeerStats} it comes from. */
  stat: string
}

/** A metric that is a number, or one for each of several labels. */
export interface NumberMetric extends MetricBase {
  /** A count that only grows, or a value that goes up and down. */
  type: 'counter' | 'gauge'
  /** None: there is nothing to say now, as for what only a leader knows. */
  samples(stats: PeerStats): Sample[]
}

/** A metric that counts how often values fell where. */
export interface HistogramMetric extends MetricBase {
  /** As Prometheus has it. */
  type: 'histogram'
  /** Where it comes from. */
  histogram(stats: PeerStats): Histogram
  /** How many of the stat's units make one of the metric's: of ms it takes 1,000 for a second. */
  per: number
}

/** A row of {@link METRICS}. */
export type MetricRow = NumberMetric | HistogramMetric

const MS = 1_000

type Leading = NonNullable<PeerStats['leading']>

/** A number that every peer has. */
function number(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  stat: string,
  value: (stats: PeerStats) => number | undefined
): NumberMetric {
  return {
    name,
    type,
    help,
    labels: [],
    stat,
    samples: stats => {
      const known = value(stats)
      return known === undefined ? [] : [{ value: known }]
    }
  }
}

/** A number for each of several kinds. */
function kinds(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  stat: string,
  label: string,
  values: (stats: PeerStats) => Readonly<Record<string, number>> | undefined
): NumberMetric {
  return {
    name,
    type,
    help,
    labels: [label],
    stat,
    samples: stats => Object.entries(values(stats) ?? {}).map(([kind, value]) => ({ labels: { [label]: kind }, value }))
  }
}

/** A number that only the leader has. */
function led(name: string, help: string, stat: string, value: (leading: Leading) => number | undefined): NumberMetric {
  return number('gauge', name, help, stat, ({ leading }) => leading && value(leading))
}

function histogram(
  name: string,
  help: string,
  stat: string,
  of: (stats: PeerStats) => Histogram,
  per = 1
): HistogramMetric {
  return { name, type: 'histogram', help, labels: [], stat, histogram: of, per }
}

/** All times in seconds, all sizes in bytes, all counts since the peer started, as that peer has seen things. */
export const METRICS: readonly MetricRow[] = [
  kinds('gauge', 'p2p_worker_members', 'Members by state, this peer among them.', 'members', 'state', s => s.members),
  number(
    'counter',
    'p2p_worker_false_suspicions_total',
    'How often a member that this peer held for suspect showed that it lives.',
    'falseSuspicions',
    s => s.falseSuspicions
  ),
  number(
    'counter',
    'p2p_worker_false_deaths_total',
    'How often a member that this peer held for dead showed that it had lived all the time.',
    'falseDeaths',
    s => s.falseDeaths
  ),
  number(
    'counter',
    'p2p_worker_refutations_total',
    'How often this peer has refuted an accusation of itself.',
    'refutations',
    s => s.refutations
  ),
  number(
    'gauge',
    'p2p_worker_local_health',
    "Lifeguard's local health multiplier: 0 is well; the higher, the more this peer doubts itself.",
    'localHealth',
    s => s.localHealth
  ),
  number('gauge', 'p2p_worker_is_leader', '1 on the peer that leads, 0 on all others.', 'isLeader', s =>
    s.isLeader ? 1 : 0
  ),
  number(
    'gauge',
    'p2p_worker_leader_epoch',
    'The epoch of the leadership that this peer accepts; absent while there is none.',
    'epoch',
    s => s.epoch
  ),
  number(
    'counter',
    'p2p_worker_leadership_changes_total',
    'Leaderships that this peer has accepted, the one found at its start among them.',
    'leaderChanges',
    s => s.leaderChanges
  ),
  number(
    'counter',
    'p2p_worker_leaderless_seconds_total',
    'For how long this peer has known of no leader.',
    'leaderless',
    s => s.leaderless / MS
  ),
  histogram(
    'p2p_worker_election_duration_seconds',
    'How long elections took: from when this peer had no leader, or began to take over, until it accepted one; 0 where one led at once.',
    'electionDurations',
    s => s.electionDurations,
    MS
  ),
  number('gauge', 'p2p_worker_slots', 'Chunks that this peer runs at a time.', 'slots', s => s.slots),
  number('gauge', 'p2p_worker_busy_slots', 'Chunks running on this peer.', 'busy', s => s.busy),
  kinds(
    'counter',
    'p2p_worker_chunks_total',
    'Chunks that ended on this peer, by how.',
    'chunks',
    'outcome',
    s => s.chunks
  ),
  histogram(
    'p2p_worker_batch_size_chunks',
    'How many chunks each message to a worker held, at this peer as the leader.',
    'batchSizes',
    s => s.batchSizes
  ),
  kinds(
    'counter',
    'p2p_worker_led_chunks_total',
    'What this peer has done with chunks as the leader, in all its leaderships.',
    'led',
    'what',
    ({ led: { folded, retried, speculated, recomputed, dispatched } }) => ({
      folded,
      retried,
      speculated,
      recomputed,
      dispatched
    })
  ),
  kinds(
    'gauge',
    'p2p_worker_jobs',
    'Jobs that have not ended; unserved are those that wait because no live peer can compute their chunks. Only on the leader.',
    'leading.jobs, leading.unserved',
    'state',
    ({ leading }) => leading && { running: leading.jobs - leading.unserved, unserved: leading.unserved }
  ),
  led(
    'p2p_worker_queue_depth_chunks',
    'Chunks that are split and wait for a worker. Only on the leader.',
    'leading.ready',
    l => l.ready
  ),
  led(
    'p2p_worker_dispatched_chunks',
    'Chunks that workers have, running or waiting there. Only on the leader.',
    'leading.dispatched',
    l => l.dispatched
  ),
  led(
    'p2p_worker_fold_lag_chunks',
    'Partials that wait to be folded. Only on the leader.',
    'leading.unfolded',
    l => l.unfolded
  ),
  led(
    'p2p_worker_fold_lag_bytes',
    'Bytes of the partials that wait to be folded. Only on the leader.',
    'leading.unfoldedBytes',
    l => l.unfoldedBytes
  ),
  led(
    'p2p_worker_checkpoint_age_seconds',
    'Of the running job for which it is longest: for how long something has been folded that no other peer holds. Only on the leader, while a job runs.',
    'leading.checkpointAge',
    ({ checkpointAge }) => checkpointAge && checkpointAge / MS
  ),
  histogram(
    'p2p_worker_event_loop_lag_seconds',
    "How late this peer's main thread was with its timers.",
    'eventLoopLag',
    s => s.eventLoopLag,
    MS
  ),
  kinds(
    'counter',
    'p2p_worker_refused_total',
    'What this peer has refused, by kind.',
    'refusals',
    'kind',
    s => s.refusals
  )
]
