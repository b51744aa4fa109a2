/** Defines the commands. The code of a command loads only when the command runs, so that `--help` is fast. */
import { Argument, Command } from 'commander'
import { version } from '../common/version.ts'
import { type ElectionPriority, parsePriority } from '../election/core/priority.ts'
import { exitMeanings } from './exit-codes.ts'
import { defineCommand, exampleText, type Finish } from './options/define-command.ts'
import {
  type ClientFlags,
  clientOptions,
  type DemoFlags,
  flagsOf,
  type JoinFlags,
  type JsonFlag,
  jsonOption,
  type LeadFlags,
  logOptions,
  type MembersFlags,
  option
} from './options/flags.ts'
import { addHelp, completionCommand, helpCommand } from './options/help-commands.ts'
import {
  cancelCommand,
  jobsCommand,
  mapCommand,
  resultCommand,
  resumeCommand,
  runCommand
} from './options/job-commands.ts'
import { acceptLossCommand, backupCommand, idCommand, inviteCommand, keygenCommand } from './options/key-commands.ts'
import { lockCommand, locksCommand, ttl } from './options/lock-commands.ts'
import { duration, forCommander, json, nonEmpty, wholeNumber } from './options/options.ts'
import { peerOptions } from './options/peer-options.ts'
import { scheduleCommand } from './options/schedule-commands.ts'

/**
 * The numbers of peers that the demo accepts. The demo kills the leader, so it needs a second peer. All peers run on
 * this machine, which limits their number.
 */
const DEMO_PEERS = { least: 2, most: 20 }

const joinCommand = defineCommand<string | undefined>({
  name: 'join',
  summary: 'make this machine a peer of a cluster',
  description:
    'Makes this machine a peer of a cluster: it meets the others, takes part in elections, and computes. On SIGINT or SIGTERM it leaves; a second signal ends it at once. On SIGHUP it reads its key file and the file of --allow again, or leaves when its terminal is gone. npx does not pass SIGHUP on: send it to the process id that the peer prints.',
  argument: new Argument(
    '[token]',
    'what `p2p-worker invite` printed on another machine; its key is saved on this machine'
  ),
  options: [
    ...peerOptions,
    jsonOption('print events on stdout, one JSON object a line'),
    ...logOptions('(default: info, with --json warn)')
  ],
  examples: [
    'p2p-worker join',
    'p2p-worker join "$(ssh seed p2p-worker invite)"',
    'p2p-worker join --cluster lab --bootstrap /dns4/seed.example.org/tcp/4001',
    'p2p-worker join --key-file lab.key --data-dir data --allow allow.txt'
  ],
  async run(command, token) {
    const flags = flagsOf<JoinFlags>(command, token)
    return (await import('./commands/join.ts')).join(flags)
  }
})

const leadCommand = defineCommand<[string, ...string[]]>({
  name: 'lead',
  summary: 'run a command at the leader, and nowhere else',
  description:
    "Joins the cluster, and runs a command whenever this peer leads. Started on several machines, the command runs on one of them, and on the next when that machine dies. It is stopped before the leadership ends, and starts again when this peer leads again. Its environment has the leadership's epoch in P2P_WORKER_EPOCH, or with --name its token in P2P_WORKER_FENCE. When the command ends by itself, `lead` ends with its exit code, and the next machine starts its own: write what has to run again and again as a loop. The exit code is 125 when `lead` itself fails. Without --voters or a store each side of a cut network has a leader, and runs the command.",
  argument: new Argument('<command...>', 'the command and its arguments, after --'),
  options: [
    ...peerOptions,
    option(
      '--grace <time>',
      'between SIGTERM and SIGKILL (default: 10s; with --voters or a store as much of it as the lease time has room for)',
      duration
    ),
    option(
      '--name <name>',
      'lead only this name: each name has a leader of its own, and the peers share the names evenly',
      nonEmpty
    ),
    option('--ttl <time>', 'with --name: how long after this machine has died another one leads (default: 10s)', ttl),
    ...logOptions()
  ],
  examples: [
    "p2p-worker lead -- sh -c 'while sleep 86400; do ./backup.sh; done'",
    'p2p-worker lead --voters voters.txt --data-dir data -- my-service -p 8080',
    'p2p-worker lead --name mailer -- ./mailer'
  ],
  run: async (command, words) => (await import('./commands/lead.ts')).lead(words, flagsOf<LeadFlags>(command))
})

const statusCommand = defineCommand({
  name: 'status',
  summary: 'show the leader, the members and the jobs',
  description: 'Shows the leader, the members and the jobs of the cluster, as the leader sees them.',
  options: [jsonOption('print one JSON object'), ...clientOptions],
  examples: ['p2p-worker status', 'p2p-worker status --json | jq .leader'],
  run: async command => (await import('./commands/status.ts')).status(flagsOf<ClientFlags & JsonFlag>(command))
})

const membersCommand = defineCommand({
  name: 'members',
  summary: 'show who is in the cluster',
  description: 'Shows the members of the cluster, and those that were lately in it. RANK 1 leads, or is about to.',
  options: [
    option('--watch', 'go on showing changes'),
    jsonOption('print one JSON object; with --watch one a line, at each change'),
    ...clientOptions
  ],
  examples: ['p2p-worker members', 'p2p-worker members --watch'],
  run: async command => (await import('./commands/members.ts')).members(flagsOf<MembersFlags>(command))
})

const topCommand = defineCommand({
  name: 'top',
  summary: 'watch members and jobs on a full screen',
  description:
    'Shows the members, the leader, how busy the slots are, the jobs and the events on a full screen, until q or Ctrl-C. ? shows the keys; c cancels the selected job. Needs a terminal of 40×10 or more; redirect stderr (2> file) to see diagnostics.',
  options: clientOptions,
  examples: ['p2p-worker top', 'p2p-worker top --bootstrap /dns4/seed/tcp/4001'],
  run: async command => (await import('./commands/top.ts')).top(flagsOf<ClientFlags>(command))
})

const historyCommand = defineCommand({
  name: 'history',
  summary: 'show who led when',
  description:
    'Shows the leaderships that the members of the cluster have seen since they started, and why each ended. Times are by the clocks of the members that have seen them.',
  options: [jsonOption('print one JSON array: peerId, epoch, from, until, why, seenBy'), ...clientOptions],
  examples: ['p2p-worker history', 'p2p-worker history --json | jq .[-1]'],
  run: async command => (await import('./commands/history.ts')).history(flagsOf<ClientFlags & JsonFlag>(command))
})

const priorityCommand = defineCommand<ElectionPriority>({
  name: 'priority',
  summary: 'change which peer should lead',
  description:
    'Changes the --election-priority of the peer on this machine, or of another one, while it runs. If another peer should lead now, the leadership moves once, by an awaited hand-off: jobs go on. The peer forgets the change when it restarts.',
  argument: new Argument('<priority>', 'a number, slots, memory or age').argParser(forCommander(parsePriority)),
  options: [
    option(
      '--peer <id>',
      "another peer's PeerId, or its end as `status` shows it (default: the peer on this machine)",
      nonEmpty
    ),
    ...clientOptions
  ],
  examples: ['p2p-worker priority 10', 'p2p-worker priority --peer oVkD3wEp memory'],
  run: async (command, priority) => (await import('./commands/priority.ts')).priority(priority, flagsOf(command))
})

const doctorCommand = defineCommand({
  name: 'doctor',
  summary: "find out why peers don't meet",
  description:
    "Checks everything between this machine and its cluster (key, name, addresses, multicast, ports, the cluster's members), and says what is wrong. With the --data-dir of a peer it also looks at that folder: who uses it, its format, damage, room, and how long a sync takes; a folder in use is only read. Exits 0 when a peer admits this machine, there is a leader, and the folder is sound.",
  options: [jsonOption('print one JSON object'), ...clientOptions],
  examples: [
    'p2p-worker doctor',
    'p2p-worker doctor --bootstrap /ip4/192.0.2.7/tcp/4001',
    'p2p-worker doctor --data-dir /var/lib/p2p-worker'
  ],
  run: async command => (await import('./commands/doctor.ts')).doctor(flagsOf<ClientFlags & JsonFlag>(command))
})

const demoCommand = defineCommand<string | undefined>({
  name: 'demo',
  summary: 'show a cluster on this machine, and kill its leader',
  description:
    'Starts a cluster of processes on this machine (loopback only), runs a job on it, kills the leader in the middle, and checks the result: against published sums, or, for a task of yours, against an undisturbed run on one thread.',
  argument: new Argument('[task]', "a task's file or URL (default: NAS EP, class W)"),
  options: [
    option('--peers <n>', 'how many peers', wholeNumber(DEMO_PEERS.least, DEMO_PEERS.most)).default(4),
    option('--input <json>', "the task's input", json)
  ],
  examples: ['p2p-worker demo', `p2p-worker demo examples/n-queens.ts --input '{"n":12}'`],
  run: async (command, task) => (await import('./commands/demo.ts')).demo(task, command.opts<DemoFlags>())
})

/** @param finish - takes the exit code of the command that ran */
export function createProgram(finish: Finish): Command {
  const program = new Command('p2p-worker')
    .description('Turns machines into one compute cluster: no broker, no database, no head node.')
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    .addHelpText('after', () => epilog())
  const commands: [heading: string, makers: ((finish: Finish) => Command)[]][] = [
    ['Make a cluster:', [joinCommand, inviteCommand, priorityCommand, demoCommand]],
    ['Compute on it:', [runCommand, mapCommand, scheduleCommand, resultCommand, resumeCommand, cancelCommand]],
    ['Let one do it:', [leadCommand, lockCommand]],
    [
      'Look at it:',
      [statusCommand, topCommand, membersCommand, jobsCommand, locksCommand, historyCommand, doctorCommand]
    ],
    ['Keys and folders:', [keygenCommand, idCommand, backupCommand, acceptLossCommand]],
    ['This command line:', [completionCommand, over => helpCommand(program, over)]]
  ]
  for (const [heading, makers] of commands) {
    for (const make of makers) program.addCommand(make(finish).helpGroup(heading))
  }
  return addHelp(program)
}

/** Returns the end of the program's help. */
function epilog(): string {
  const codes = exitMeanings.map(([code, meaning]) => `  ${String(code).padEnd(3)}  ${meaning}`)
  return `
Every option has an environment variable, which the help of each command names:
--key is P2P_WORKER_KEY. Keys are saved in the system's folder for data, or in
the folder that P2P_WORKER_HOME names. \`man p2p-worker\` has all of this where
the package is installed globally, \`p2p-worker help --man\` prints it anywhere.

Exit codes:
${codes.join('\n')}
${exampleText('p2p-worker join', 'p2p-worker invite', 'p2p-worker run task.ts', 'p2p-worker help run')}`
}
