/** The commands and their options. What a command does is loaded when it runs, so that `--help` is quick. */
import { Argument, Command } from 'commander'
import { version } from '../common/version.ts'
import { exitMeanings } from './exit-codes.ts'
import { BareOptionsCommand } from './options/bare-options.ts'
import {
  addClientOptions,
  addLogOptions,
  type ClientFlags,
  type DemoFlags,
  example,
  type Finish,
  flagsOf,
  groups,
  type JoinFlags,
  type JsonFlag,
  jsonOption,
  type LeadFlags,
  type MembersFlags,
  option
} from './options/flags.ts'
import { addHelp, completionCommand, helpCommand } from './options/help-commands.ts'
import { cancelCommand, jobsCommand, mapCommand, resultCommand, runCommand } from './options/job-commands.ts'
import { idCommand, inviteCommand, keygenCommand } from './options/key-commands.ts'
import { duration, json, wholeNumber } from './options/options.ts'
import { addPeerOptions } from './options/peer-options.ts'

/** A leader is killed, so somebody has to be left; and it is one machine. */
const DEMO_PEERS = { least: 2, most: 20 }

function joinCommand(finish: Finish): Command {
  const command = addPeerOptions(new BareOptionsCommand('join'))
    .summary('make this machine a peer of a cluster')
    .description(
      'Makes this machine a peer of a cluster: it meets the others, takes part in elections, and computes. SIGINT or SIGTERM makes it leave; a second one ends it at once. SIGHUP reads the file of its keys and that of --allow again (when its terminal is gone, it leaves); npx does not pass SIGHUP on, so send it to the peer, whose process id it prints.'
    )
    .addArgument(
      new Argument('[token]', 'what `p2p-worker invite` printed on another machine; its key is saved on this one')
    )
    .addOption(jsonOption('print events on stdout, one JSON object a line'))
    .addHelpText(
      'after',
      example(
        'p2p-worker join',
        'p2p-worker join "$(ssh seed p2p-worker invite)"',
        'p2p-worker join --cluster lab --bootstrap /dns4/seed.example.org/tcp/4001',
        'p2p-worker join --key-file lab.key --data-dir data --allow allow.txt'
      )
    )
  return addLogOptions(command, '(default: info, with --json warn)').action(async (token: string | undefined) => {
    const flags = flagsOf<JoinFlags>(command, token)
    const { join } = await import('./commands/join.ts')
    finish(await join(flags))
  })
}

function leadCommand(finish: Finish): Command {
  const command = addPeerOptions(new BareOptionsCommand('lead'))
    .summary('run a command at the leader, and nowhere else')
    .description(
      "Joins the cluster, and runs a command whenever this peer leads: started on several machines, it runs on one of them, and on the next when that one dies. It is stopped before the leadership ends, waits, and is run anew when this peer leads again. P2P_WORKER_EPOCH in its environment is the leadership's epoch. A command that ends by itself ends its `lead`, with its exit code, and the next machine begins: what has to run again and again is a loop. 125 when `lead` itself fails. Without --voters each side of a cut network has a leader, and runs the command."
    )
    .addArgument(new Argument('<command...>', 'the command and its arguments, after --'))
    .addOption(
      option(
        '--grace <time>',
        'between SIGTERM and SIGKILL (default: 10s; with --voters as much of it as the lease time has room for)',
        duration
      ).helpGroup(groups.own)
    )
    .addHelpText(
      'after',
      example(
        "p2p-worker lead -- sh -c 'while sleep 86400; do ./backup.sh; done'",
        'p2p-worker lead --voters voters.txt --data-dir data -- my-service -p 8080'
      )
    )
  return addLogOptions(command).action(async (words: [string, ...string[]]) => {
    const { lead } = await import('./commands/lead.ts')
    finish(await lead(words, flagsOf<LeadFlags>(command)))
  })
}

function statusCommand(finish: Finish): Command {
  const command = new Command('status')
    .summary('show the leader, the members and the jobs')
    .description('Shows the leader, the members and the jobs of the cluster, as the leader sees them.')
    .addOption(jsonOption('print one JSON object'))
    .addHelpText('after', example('p2p-worker status', 'p2p-worker status --json | jq .leader'))
  return addClientOptions(command).action(async () => {
    const { status } = await import('./commands/status.ts')
    finish(await status(flagsOf<ClientFlags & JsonFlag>(command)))
  })
}

function membersCommand(finish: Finish): Command {
  const command = new Command('members')
    .summary('show who is in the cluster')
    .description('Shows who is, and lately was, in the cluster. RANK 1 is who leads, or is about to.')
    .addOption(option('--watch', 'go on showing changes'))
    .addOption(jsonOption('print one JSON object; with --watch one a line, at each change'))
    .addHelpText('after', example('p2p-worker members', 'p2p-worker members --watch'))
  return addClientOptions(command).action(async () => {
    const { members } = await import('./commands/members.ts')
    finish(await members(flagsOf<MembersFlags>(command)))
  })
}

function topCommand(finish: Finish): Command {
  const command = new Command('top')
    .summary('watch members and jobs on a full screen')
    .description(
      'Shows the members, the leader, how busy the slots are, the jobs and what happens, on a full screen, until q or Ctrl-C. ? shows the keys; c cancels the selected job. Needs a terminal of 40×10 or more; diagnostics are shown where stderr goes elsewhere (2> file).'
    )
    .addHelpText('after', example('p2p-worker top', 'p2p-worker top --bootstrap /dns4/seed/tcp/4001'))
  return addClientOptions(command).action(async () => {
    const { top } = await import('./commands/top.ts')
    finish(await top(flagsOf<ClientFlags>(command)))
  })
}

function historyCommand(finish: Finish): Command {
  const command = new Command('history')
    .summary('show who led when')
    .description(
      'Shows the leaderships that the members of the cluster have seen since they started, and why each ended. Times are by the clocks of those who tell.'
    )
    .addOption(jsonOption('print one JSON array: peerId, epoch, from, until, why, seenBy'))
    .addHelpText('after', example('p2p-worker history', 'p2p-worker history --json | jq .[-1]'))
  return addClientOptions(command).action(async () => {
    const { history } = await import('./commands/history.ts')
    finish(await history(flagsOf<ClientFlags & JsonFlag>(command)))
  })
}

function doctorCommand(finish: Finish): Command {
  const command = new Command('doctor')
    .summary("find out why peers don't meet")
    .description(
      "Looks at all that is between this machine and its cluster (key, name, addresses, multicast, ports, the cluster's members), and says what is wrong. Exits 0 when a peer lets this machine in and there is a leader."
    )
    .addOption(jsonOption('print one JSON object'))
    .addHelpText('after', example('p2p-worker doctor', 'p2p-worker doctor --bootstrap /ip4/192.0.2.7/tcp/4001'))
  return addClientOptions(command).action(async () => {
    const { doctor } = await import('./commands/doctor.ts')
    finish(await doctor(flagsOf<ClientFlags & JsonFlag>(command)))
  })
}

function demoCommand(finish: Finish): Command {
  const command = new Command('demo')
    .summary('show a cluster on this machine, and kill its leader')
    .description(
      'Starts a cluster of processes on this machine (loopback only), runs a job on it, kills the leader in the middle, and checks the result: against published sums, or, for a task of yours, against an undisturbed run on one thread.'
    )
    .addArgument(new Argument('[task]', "a task's file or URL (default: NAS EP, class W)"))
    .addOption(option('--peers <n>', 'how many peers', wholeNumber(DEMO_PEERS.least, DEMO_PEERS.most)).default(4))
    .addOption(option('--input <json>', "the task's input", json))
    .addHelpText('after', example('p2p-worker demo', `p2p-worker demo examples/n-queens.ts --input '{"n":12}'`))
  return command.action(async (task: string | undefined) => {
    const { demo } = await import('./commands/demo.ts')
    finish(await demo(task, command.opts<DemoFlags>()))
  })
}

/** @param finish - takes the exit code of the command that ran */
export function createProgram(finish: Finish): Command {
  const program = new Command('p2p-worker')
    .description('Turns machines into one compute cluster: no broker, no database, no head node.')
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    .addHelpText('after', () => epilog())
  const commands: [heading: string, makers: ((finish: Finish) => Command)[]][] = [
    ['Make a cluster:', [joinCommand, inviteCommand, demoCommand]],
    ['Compute on it:', [runCommand, mapCommand, resultCommand, cancelCommand, leadCommand]],
    ['Look at it:', [statusCommand, topCommand, membersCommand, jobsCommand, historyCommand, doctorCommand]],
    ['Keys and names:', [keygenCommand, idCommand]],
    ['This command line:', [completionCommand, over => helpCommand(program, over)]]
  ]
  for (const [heading, makers] of commands) {
    for (const make of makers) program.addCommand(addHelp(make(finish)).helpGroup(heading))
  }
  return addHelp(program)
}

/** What is the same for all commands. */
function epilog(): string {
  const codes = exitMeanings.map(([code, meaning]) => `  ${String(code).padEnd(3)}  ${meaning}`)
  return `
Every option has an environment variable, which the help of each command names:
--key is P2P_WORKER_KEY. Keys are saved in the system's folder for data, or in
the folder that P2P_WORKER_HOME names. \`man p2p-worker\` has all of this where
the package is installed globally, \`p2p-worker help --man\` prints it anywhere.

Exit codes:
${codes.join('\n')}
${example('p2p-worker join', 'p2p-worker invite', 'p2p-worker run task.ts', 'p2p-worker help run')}`
}
