/** The options of `join` and `lead`. */
import type { Option } from 'commander'
import { limits } from '../../api/option-limits.ts'
import type { ProfileName } from '../../api/options-types.ts'
import { parsePriority } from '../../election/core/priority.ts'
import type { Role } from '../../membership/core/member.ts'
import { httpAddress } from '../peers/http.ts'
import { tracesOption } from '../peers/traces.ts'
import { election } from './election.ts'
import { connectionOptions, externalOption, groups, inGroup, option } from './flags.ts'
import { duration, durationUpTo, limitValues, list, nonEmpty, oneOf, tags, wholeNumber } from './options.ts'
import { voters } from './voters.ts'

const ROLES: readonly Role[] = ['auto', 'leader', 'worker']
const ISOLATIONS = ['thread', 'process'] as const
const PROFILES: readonly ProfileName[] = ['local', 'lan', 'wan']

/** The options that configure a peer. The most used options come first. */
export const peerOptions: readonly Option[] = [
  option('--slots <n>', 'chunks that run here at a time (default: one a processor)', wholeNumber(1, limits.slots)),
  option(
    '--role <role>',
    'auto: may lead, and computes; leader: may lead, runs no chunks; worker: never leads',
    oneOf(ROLES)
  ).default('auto'),
  option('--tag <key=value>', 'a label that the others see; may be repeated', tags),
  option('--listen <multiaddr>', 'where to listen; may be repeated (default: /ip4/0.0.0.0/tcp/0)', list),
  option(
    '--data-dir <folder>',
    "a folder of this peer's own. It keeps its PeerId there, and finds its cluster again; jobs, schedules and locks there survive a stop of all peers",
    nonEmpty
  ),
  option(
    '--journal-mb <n>',
    'with --data-dir: how much the jobs may take in the folder, in MiB; a leader above it refuses new ones, and goes on with the others (default: 1024)',
    wholeNumber(limits.leastJournalMb, limits.mostJournalMb)
  ),
  option(
    '--recover-wait <time>',
    'how long a new leader waits after a stop of all peers for another one that kept the jobs, before it goes on with what it has (default: 30s)',
    durationUpTo(limits.mostRecoverWait)
  ),
  option(
    '--allow <file>',
    'a file of the PeerIds that may connect with the key: one a line, followed by join, submit, none, or nothing for both; * stands for all others. SIGHUP reads it again',
    nonEmpty
  ),
  option('--profile <name>', 'the periods and timeouts: local, lan, wan', oneOf(PROFILES)).default('lan'),
  ...inGroup(groups.leadership, [
    option(
      '--election <strategy>',
      'how the leader is found: bully, lowest, ring, or by the lease of a store: etcd:URL[,URL], postgres:URL, zookeeper:HOST[,HOST] or kubernetes[:NAMESPACE/NAME] (docs/leadership.md); the same at every peer',
      election
    ).default('bully'),
    option(
      '--election-priority <n>',
      'compared before the PeerId in elections; the higher leads: a number, or slots, memory (more is higher) or age (the longest running is highest)',
      parsePriority
    ).default(0),
    option('--no-preempt', 'do not take over from a live leader that ranks lower'),
    option(
      '--voters <list>',
      'PeerIds of 3, 5 or 7 peers, or a file of them: a peer leads only with a majority of them, so there are never two leaders; the same list at every peer',
      voters
    ),
    option(
      '--lease-time <time>',
      'with --voters or a store: how long a lease of the leader lasts; the same at every peer',
      duration
    )
  ]),
  ...inGroup(groups.tasks, [
    option(
      '--isolation <where>',
      "where tasks run: thread; process: under Node's permission model, without files, environment and processes",
      oneOf(ISOLATIONS)
    ).default('thread'),
    option('--task-env <name>', 'with --isolation process: a variable that tasks may read; may be repeated', list),
    externalOption('an npm package that tasks may load from this folder; may be repeated'),
    option(
      '--max-heap-mb <n>',
      'the heap that each thread of a task may use here, in MiB; what needs more fails, and the peer goes on (default: as Node chooses)',
      wholeNumber(limits.leastHeapMb, limits.mostHeapMb)
    ),
    option(
      '--max-payload-mb <n>',
      'the largest input, chunk, partial and result that this peer takes and gives, in MiB; a job that needs more fails',
      wholeNumber(1, limits.maxPayloadMb)
    ).default(limits.maxPayloadMb),
    option(
      '--limit <name=value>',
      'another value for one of the limits of docs/limits.md, such as jobs=100; may be repeated',
      limitValues
    )
  ]),
  ...connectionOptions,
  ...inGroup(groups.diagnostics, [
    option(
      '--http <[host:]port>',
      'serve an HTTP API: health, metrics, status and events, and jobs with its token; host 127.0.0.1 unless given, port 0: any',
      httpAddress
    ),
    option(
      '--http-allowed-host <name>',
      "a name under which others ask the API, besides addresses and this machine's own; may be repeated",
      list
    )
  ]),
  tracesOption
]
