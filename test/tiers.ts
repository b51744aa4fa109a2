/**
 * The tier of each test. A file belongs to the first row that names it, and CONTRIBUTING.md shows this table. A new test goes to the lowest possible tier.
 */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** `npm test` runs `quick`, the gate also runs `gate`, and `npm run test:full` runs all tiers except `compose`, which needs a Docker engine and a separate run. */
export type Tier = 'quick' | 'gate' | 'full' | 'compose'

/** Tests that measure how soon many busy processes react. Therefore no other test runs at the same time as one of these tests. */
export const ALONE = [
  'cluster/demo.test.ts',
  'cluster/flood.test.ts',
  'cluster/floods.test.ts',
  'cluster/jobs-survive.test.ts',
  'cluster/lead.test.ts',
  'cluster/many-peers.test.ts',
  'cluster/paused.test.ts'
]

/** Tests whose outcome can depend on the version of Node: tests of threads, processes, streams, files, sockets and whole peers. */
export const NODE =
  /^persistence\/|^tasks\/(?!bundle\/bundle)|^exec\/(?:exec-task|run-command)\.|^cli\/(?:bundle|compile-cache|jobs\/(?:bulk-writer|line-reader)|peers\/join)\.|^network\/(?:stop|channel\/channel|guard\/admission)\.|^cluster\/(?:isolated-peer|isolation|jobs-survive|three-peers)\./

/** Tests whose outcome can depend on the user who runs them: tests of files, processes, sockets and whole peers. */
export const ROOT = /^(?:cli|cluster|exec|lead|network|persistence|scripts|tasks\/process)\/|^http\/(?:server|token)\./

export interface TierRow {
  tier: Tier
  /** Prefixes of paths below test/. The prefix `./` stands for the files directly in test/. */
  paths: readonly string[]
  why: string
}

export const TIER_ROWS: readonly TierRow[] = [
  {
    tier: 'quick',
    paths: ['cluster/three-peers.test.ts', 'cluster/data-dir.test.ts', 'cluster/keys.test.ts'],
    why: 'real processes: an election after `kill -9`, a restart with a folder, a wrong key'
  },
  {
    tier: 'gate',
    paths: [
      'cluster/bad-tasks.test.ts',
      'cluster/damaged-voter.test.ts',
      'cluster/deadly-chunk.test.ts',
      'cluster/detached.test.ts',
      'cluster/durable.test.ts',
      'cluster/flood.test.ts',
      'cluster/floods.test.ts',
      'cluster/forgers.test.ts',
      'cluster/full-disk.test.ts',
      'cluster/full-stop.test.ts',
      'cluster/hostile-bytes.test.ts',
      'cluster/isolated-peer.test.ts',
      'cluster/jobs-survive.test.ts',
      'cluster/lead.test.ts',
      'cluster/locks.test.ts',
      'cluster/map.test.ts',
      'cluster/paused.test.ts',
      'cluster/rolling-restart.test.ts',
      'cluster/rotation.test.ts',
      'cluster/schedules.test.ts',
      'cluster/secrets.test.ts',
      'cluster/too-large.test.ts',
      'cluster/voters.test.ts',
      'faults/cut.test.ts'
    ],
    why: 'real processes and hosts that show a row of docs/guarantees.md'
  },
  {
    tier: 'full',
    paths: ['cluster/isolation.test.ts', 'tasks/process/quarantine.test.ts'],
    why: 'tests that the gate runs on the newest LTS of Node (`NODE` in test/tiers.ts), which can change their result, and not also on this Node'
  },
  { tier: 'full', paths: ['cluster/'], why: 'real processes: tests that show no guarantee' },
  { tier: 'full', paths: ['faults/'], why: 'hosts with their own network: tests that show no guarantee' },
  { tier: 'full', paths: ['stores/'], why: 'real stores that grant the lease of a leader' },
  {
    tier: 'full',
    paths: ['terminal/', 'browser/accessibility.test.ts', 'browser/pictures.test.ts'],
    why: 'the screen of a real terminal, completion in real shells, the accessibility of the dashboard in all colours and widths, and the remade pictures'
  },
  {
    tier: 'full',
    paths: ['browser/locks.test.ts', 'browser/schedules.test.ts', 'browser/suspended.test.ts'],
    why: 'the dashboard shows what the HTTP API says, whose tests the gate runs'
  },
  { tier: 'gate', paths: ['browser/'], why: 'the dashboard in a real browser' },
  {
    tier: 'gate',
    paths: ['docs/blocks/run-start.test.ts', 'docs/api.test.ts'],
    why: 'runs the blocks of README and docs/getting-started.md on a real cluster, and regenerates the API reference'
  },
  {
    tier: 'gate',
    paths: [
      'api/locks.test.ts',
      'api/schedules-leaders.test.ts',
      'api/store-election.test.ts',
      'exec/exec-task.test.ts',
      'exec/run-command.test.ts',
      'exec/template.test.ts',
      'http/results.test.ts',
      'lead/supervised-command.test.ts',
      'network/peer-store-cleanup.test.ts',
      'network/guard/strangers.test.ts',
      'persistence/folder-lock.test.ts',
      'simulation/membership-scale.test.ts',
      'tasks/process/',
      'tasks/execute/resume.test.ts',
      'tasks/execute/stop-chunk.test.ts'
    ],
    why: 'other tests that show a guarantee or a defence, and need processes, shells or many seconds'
  },
  {
    tier: 'gate',
    paths: [
      'api/schedules.test.ts',
      'deploy/monitoring.test.ts',
      'docs/code-blocks.test.ts',
      'http/locks.test.ts',
      'http/openapi.test.ts',
      'jobs/detached.test.ts',
      'jobs/many-submissions.test.ts',
      'jobs/stream.test.ts',
      'persistence/log/power-cut.test.ts',
      'tasks/execute/driver.test.ts',
      'tasks/execute/iteration.test.ts'
    ],
    why: 'tests that take many seconds: 20,000 submissions, threads of many rounds, every block of code, and each path of the HTTP API'
  },
  {
    tier: 'full',
    paths: ['simulation/cluster-stories.test.ts'],
    why: 'whole peers for minutes of virtual time: the first tier runs shorter worlds of the same'
  },
  { tier: 'full', paths: ['docs/blocks/run-'], why: 'runs the blocks of all other documents on real clusters' },
  {
    tier: 'full',
    paths: [
      'cli/jobs/bad-imports.test.ts',
      'cli/bundle.test.ts',
      'cli/peers/join.test.ts',
      'cli/jobs/run-local.test.ts',
      'cli/jobs/task-first.test.ts',
      'cli/usage.test.ts',
      'http/chunks.test.ts',
      'http/command-line.test.ts',
      'http/docs.test.ts',
      'http/events.test.ts',
      'simulation/simulate.test.ts',
      'tasks/bundle/bundle',
      'tasks/execute/driver-threads.test.ts',
      'tasks/thread/many-modules.test.ts',
      'testing/cluster.test.ts'
    ],
    why: 'tests that start a process, a thread or a cluster for each case, and show no guarantee'
  },
  {
    tier: 'full',
    paths: ['membership/hostile.test.ts', 'membership/large-cluster.test.ts'],
    why: 'members that lie until the others block them, and a hundred nodes in one process'
  },
  {
    tier: 'full',
    paths: ['examples/run.test.ts', 'examples/leader-only.test.ts'],
    why: 'runs the commands of the examples on a real cluster'
  },
  { tier: 'compose', paths: ['compose/compose.test.ts'], why: 'docker-compose.yml on a real engine, in the gate' },
  { tier: 'full', paths: ['compose/'], why: 'runs the documents’ blocks that need an engine' },
  {
    tier: 'quick',
    paths: ['simulation/', 'fuzz/'],
    why: 'the cores in virtual time: kept seeds, a tenth of the worlds and frames, each planted bug at its known seed; all of them in `npm run test:full`'
  },
  {
    tier: 'quick',
    paths: [
      'attach/',
      'election/',
      'exec/',
      'jobs/',
      'journal/',
      'lead/',
      'locks/',
      'membership/',
      'network/',
      'persistence/',
      'schedules/',
      'tasks/'
    ],
    why: 'the layers: pure, in threads, and as libp2p nodes in one process'
  },
  {
    tier: 'quick',
    paths: ['api/', 'cli/', 'doctor/', 'http/', 'telemetry/', 'testing/', 'views/'],
    why: 'the faces, as a user or a program uses them'
  },
  {
    tier: 'quick',
    paths: ['deploy/', 'docs/', 'examples/', 'scripts/'],
    why: 'documents, examples, scripts and deployment files, compared with the code; every block is compiled or parsed'
  },
  {
    tier: 'quick',
    paths: ['./', 'common/', 'lib/'],
    why: 'code that every room uses, and the architecture'
  }
]

/** Returns the paths of all test files below test/. */
export function testFiles(): string[] {
  const files = readdirSync(fileURLToPath(new URL('.', import.meta.url)), { recursive: true, encoding: 'utf8' })
  return files.filter(name => name.endsWith('.test.ts')).sort()
}

/** Returns the row of a test file. Returns undefined if no row names the file. */
export function rowOf(file: string): TierRow | undefined {
  return TIER_ROWS.find(({ paths }) => paths.some(path => isBelow(file, path)))
}

/** Returns whether a path of a row covers a test file. */
export function isBelow(file: string, path: string): boolean {
  return path === './' ? !file.includes('/') : file.startsWith(path)
}
