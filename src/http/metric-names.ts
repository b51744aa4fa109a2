/**
 * The table of the metrics of p2p-worker. `/metrics`, the documents, the alerts and the Grafana dashboard are derived from this
 * table.
 */
import type { Histogram, PeerStats } from '../api/peer-stats.ts'

/** A value of a metric, with the labels that distinguish it. */
export interface Sample {
  /** The names and values of the labels. Default: no labels. */
  labels?: Record<string, string>
  /** The value in the unit of the metric. */
  value: number
}

interface MetricBase {
  /** The name in Prometheus. */
  name: string
  /** The meaning of the metric, in one sentence. */
  help: string
  /** The names of the metric's labels. */
  labels: readonly string[]
  /** The field of {@link PeerStats} that the metric comes from. */
  stat: string
}

/** A metric that is one number, or one number for each of several labels. */
export interface NumberMetric extends MetricBase {
  /** A count that only grows, or a value that goes up and down. */
  type: 'counter' | 'gauge'
  /** Returns the current values, or an empty array when this peer has none. A follower has no values of the leader's metrics. */
  samples(stats: PeerStats): Sample[]
}

/** A metric that counts the values in each bucket. */
export interface HistogramMetric extends MetricBase {
  /** The type in Prometheus. */
  type: 'histogram'
  /** Returns the histogram of the stats, or `undefined` when this peer has none. */
  histogram(stats: PeerStats): Histogram | undefined
  /** The factor between the unit of the stat and the unit of the metric: 1,000 from a stat in ms to a metric in seconds. */
  per: number
}

/** A row of {@link METRICS}. */
export type MetricRow = NumberMetric | HistogramMetric

const MS = 1_000

type Leading = NonNullable<PeerStats['leading']>
type OfDataDir = NonNullable<PeerStats['dataDir']>
/** The names of the stats with a given type. */
type StatOf<Stats, Value> = { [Name in keyof Stats & string]: Stats[Name] extends Value ? Name : never }[keyof Stats &
  string]

/** Returns a metric that every peer reports as a number. A boolean stat becomes 1 or 0. */
function number(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  stat: StatOf<PeerStats, number | boolean | undefined>,
  per = 1
): NumberMetric {
  return { name, type, help, labels: [], stat, samples: stats => sampleOf(stats[stat], per) }
}

/** Returns a metric with a number for each value of a label. */
function kinds(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  stat: string,
  label: string,
  values = (stats: PeerStats): object | undefined => stats[stat as keyof PeerStats] as object
): NumberMetric {
  const samples = (stats: PeerStats): Sample[] =>
    Object.entries(values(stats) ?? {}).map(([kind, value]) => ({ labels: { [label]: kind }, value }))
  return { name, type, help, labels: [label], stat, samples }
}

/** Returns a metric that only the leader reports. */
function led(name: string, help: string, stat: StatOf<Leading, number | undefined>, per = 1): NumberMetric {
  const samples = ({ leading }: PeerStats): Sample[] => sampleOf(leading?.[stat], per)
  return { name, type: 'gauge', help, labels: [], stat: `leading.${stat}`, samples }
}

/** Returns a metric that only a peer with a data folder reports. */
function stored(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  stat: StatOf<OfDataDir, number | boolean | undefined>
): NumberMetric {
  const samples = ({ dataDir }: PeerStats): Sample[] => sampleOf(dataDir?.[stat], 1)
  return { name, type, help, labels: [], stat: `dataDir.${stat}`, samples }
}

function sampleOf(value: number | boolean | undefined, per: number): Sample[] {
  return value === undefined ? [] : [{ value: Number(value) / per }]
}

function histogram(name: string, help: string, stat: StatOf<PeerStats, Histogram>, per = 1): HistogramMetric {
  return { name, type: 'histogram', help, labels: [], stat, histogram: stats => stats[stat], per }
}

/**
 * The table of metrics. Times are in seconds, and sizes are in bytes. Counts begin at the start of the peer, and include only what this
 * peer has observed.
 */
export const METRICS: readonly MetricRow[] = [
  kinds('gauge', 'p2p_worker_members', 'Members by state, including this peer.', 'members', 'state'),
  number(
    'counter',
    'p2p_worker_false_suspicions_total',
    'Suspicions of this peer against members that were alive.',
    'falseSuspicions'
  ),
  number(
    'counter',
    'p2p_worker_false_deaths_total',
    'Members that this peer held dead, but that were alive all the time.',
    'falseDeaths'
  ),
  number(
    'counter',
    'p2p_worker_refutations_total',
    'Accusations against this peer that it has refuted.',
    'refutations'
  ),
  number(
    'gauge',
    'p2p_worker_local_health',
    "Lifeguard's local health multiplier: 0 is well; the higher, the more this peer doubts itself.",
    'localHealth'
  ),
  number('gauge', 'p2p_worker_is_leader', '1 on the peer that leads, 0 on all others.', 'isLeader'),
  number(
    'gauge',
    'p2p_worker_leader_epoch',
    'The epoch of the leadership that this peer accepts; absent while there is none.',
    'epoch'
  ),
  number(
    'counter',
    'p2p_worker_leadership_changes_total',
    'Leaderships that this peer has accepted, including the one found at its start.',
    'leaderChanges'
  ),
  number(
    'counter',
    'p2p_worker_leaderless_seconds_total',
    'The time without a leader, as this peer knows it.',
    'leaderless',
    MS
  ),
  histogram(
    'p2p_worker_election_duration_seconds',
    'Durations of elections: from the loss of the leader, or the beginning of a takeover, until this peer accepted the next leader; 0 if it led at once.',
    'electionDurations',
    MS
  ),
  number('gauge', 'p2p_worker_slots', 'Chunks that this peer runs at a time.', 'slots'),
  number('gauge', 'p2p_worker_busy_slots', 'Chunks running on this peer.', 'busy'),
  kinds('counter', 'p2p_worker_chunks_total', 'Chunks that ended on this peer, by outcome.', 'chunks', 'outcome'),
  histogram(
    'p2p_worker_batch_size_chunks',
    'Chunks in each message to a worker, from this peer as the leader.',
    'batchSizes'
  ),
  kinds(
    'counter',
    'p2p_worker_led_chunks_total',
    'What this peer has done with chunks as the leader, in all its leaderships.',
    'led',
    'what'
  ),
  kinds(
    'gauge',
    'p2p_worker_jobs',
    'Jobs that have not ended; unserved are those that wait because no live peer can compute their chunks. Only on the leader.',
    'leading.jobs, leading.unserved',
    'state',
    ({ leading }) => leading && { running: leading.jobs - leading.unserved, unserved: leading.unserved }
  ),
  led('p2p_worker_queue_depth_chunks', 'Chunks that are split and wait for a worker. Only on the leader.', 'ready'),
  led(
    'p2p_worker_dispatched_chunks',
    'Chunks that workers have, running or waiting there. Only on the leader.',
    'dispatched'
  ),
  led('p2p_worker_fold_lag_chunks', 'Partials that wait to be folded. Only on the leader.', 'unfolded'),
  led(
    'p2p_worker_fold_lag_bytes',
    'Bytes of the partials that wait to be folded. Only on the leader.',
    'unfoldedBytes'
  ),
  led(
    'p2p_worker_checkpoint_age_seconds',
    'The time since the oldest folded partial that no other peer stores, of the job for which it is longest. Only on the leader, while a job runs.',
    'checkpointAge',
    MS
  ),
  kinds(
    'gauge',
    'p2p_worker_lock_sessions',
    'Sessions that hold a lock or named leadership, or wait for one. Only on the leader.',
    'locks',
    'state'
  ),
  number(
    'gauge',
    'p2p_worker_journal_entries',
    'Jobs, ended jobs and locks in the journal of this peer, in memory or on disk.',
    'journalEntries'
  ),
  stored(
    'gauge',
    'p2p_worker_data_dir_bytes',
    'Bytes of the log in the data folder. Only with a data folder.',
    'bytes'
  ),
  stored(
    'gauge',
    'p2p_worker_data_dir_live_bytes',
    'Bytes of that log that are not deleted or replaced. Only with a data folder.',
    'liveBytes'
  ),
  stored(
    'gauge',
    'p2p_worker_data_dir_limit_bytes',
    'The live bytes above which this peer refuses new jobs when it leads (--journal-mb). Only with a data folder.',
    'journalBytes'
  ),
  stored(
    'gauge',
    'p2p_worker_data_dir_free_bytes',
    'Free bytes of the disk of the data folder. Only with a data folder.',
    'freeBytes'
  ),
  stored(
    'gauge',
    'p2p_worker_data_dir_writable',
    '1 while the disk of the data folder takes writes, 0 while it does not. Only with a data folder.',
    'isWritable'
  ),
  stored(
    'counter',
    'p2p_worker_data_dir_failures_total',
    'How often the disk of the data folder has stopped taking writes. Only with a data folder.',
    'failures'
  ),
  {
    name: 'p2p_worker_data_dir_sync_seconds',
    type: 'histogram',
    help: 'How long the syncs of the data folder took. Only with a data folder.',
    labels: [],
    stat: 'dataDir.syncs',
    histogram: ({ dataDir }) => dataDir?.syncs,
    per: MS
  },
  histogram(
    'p2p_worker_event_loop_lag_seconds',
    "How late this peer's main thread was with its timers.",
    'eventLoopLag',
    MS
  ),
  kinds('counter', 'p2p_worker_refused_total', 'What this peer has refused, by kind.', 'refusals', 'kind')
]
