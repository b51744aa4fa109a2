/** The commands that are about jobs, and their options. */
import { Argument, Command } from 'commander'
import { addTraces } from '../peers/traces.ts'
import { BareOptionsCommand } from './bare-options.ts'
import {
  addClientOptions,
  type ClientFlags,
  example,
  type Finish,
  flagsOf,
  type JsonFlag,
  jsonOption,
  type OutcomeFlags,
  type RunFlags
} from './flags.ts'
import { localFlagsOf } from './local-option.ts'
import { addMapOptions, checkMapFlags, type MapFlags } from './map-options.ts'
import { jobId } from './options.ts'
import { addRunOptions, checkDetached, OUTCOME_FIELDS, outputOption } from './run-options.ts'

const JOB = new Argument(
  '<job>',
  "the job's id, as `run --detach` and `jobs` print it, or its beginning where no other begins alike"
).argParser(jobId)

export function runCommand(finish: Finish): Command {
  const command = addRunOptions(addTraces(new BareOptionsCommand('run')))
    .summary('compute a task on the cluster, or on this machine, and print its result')
    .description(
      'Computes a task on the cluster. The result is printed as JSON (bytes as they are); Ctrl-C cancels the job everywhere. With --detach the job is left to the cluster: `result` gets its result. With --local there is no cluster: this machine computes the task, with the same result to the bit.'
    )
    .addHelpText(
      'after',
      example(
        `p2p-worker run examples/nas-ep.ts --input '{"class":"W"}'`,
        'p2p-worker run examples/nas-ep.ts --local',
        'p2p-worker run word-count.ts --input-file book.txt --output counts.json',
        'p2p-worker result $(p2p-worker run examples/nas-ep.ts --detach)'
      )
    )
  return addClientOptions(command).action(async (task: string) => {
    const local = localFlagsOf(command)
    if (local !== undefined) {
      const { runLocally } = await import('../jobs/run-local.ts')
      finish(await runLocally(task, local))
      return
    }
    const flags = flagsOf<RunFlags>(command)
    checkDetached(flags)
    const { run } = await import('../commands/run.ts')
    finish(await run(task, flags))
  })
}

export function mapCommand(finish: Finish): Command {
  const command = addMapOptions(addTraces(new BareOptionsCommand('map')))
    .summary('compute something of each line, or run a command for each')
    .description(
      'Reads lines from stdin, computes each on some peer of the cluster, and prints what comes of them in the same order: strings as they are, all else as JSON. With --exec a command runs for each line (in {} as one word, also within quotes, else added at the end; P2P_WORKER_INDEX is its number, from 0). A command that would run a line as code, such as eval {}, is refused; write -- {} where lines may begin with a dash. What a command prints is printed, never mixed with the output of others. --retries tries it again on the same peer; where that peer dies it runs again elsewhere, but not because it is slow. Lines are read as fast as the peers and whoever reads the output keep up. A peer that dies, the leader included, neither loses nor repeats a line of output.'
    )
    .addHelpText(
      'after',
      example(
        'seq 1000 | p2p-worker map examples/collatz.ts',
        "ls *.wav | p2p-worker map --exec 'flac --silent {}' --keep-going",
        "p2p-worker map --exec 'curl -fsS {} | wc -c' --retries 3 < urls.txt"
      )
    )
  return addClientOptions(command).action(async (task: string | undefined) => {
    const flags = flagsOf<MapFlags>(command)
    checkMapFlags(task, flags)
    const { map } = await import('../commands/map.ts')
    finish(await map(task, flags))
  })
}

export function jobsCommand(finish: Finish): Command {
  const command = new Command('jobs')
    .summary('show the jobs')
    .description(
      'Shows the jobs that run, and those that have ended as long as their outcome is kept. AGE is the time since the leader accepted the job, where it was this leader.'
    )
    .addOption(jsonOption('print one JSON array: jobId, task, state, done, total, unserved, ageMs'))
    .addHelpText('after', example('p2p-worker jobs', "p2p-worker jobs --json | jq -r '.[].jobId'"))
  return addClientOptions(command).action(async () => {
    const { jobs } = await import('../commands/jobs.ts')
    finish(await jobs(flagsOf<ClientFlags & JsonFlag>(command)))
  })
}

export function resultCommand(finish: Finish): Command {
  const command = new Command('result')
    .summary('print the result of a job, when it has ended')
    .description(
      'Waits for a job that somebody has submitted, and prints its result as `run` does. Ctrl-C ends the wait, not the job.'
    )
    .addArgument(JOB)
    .addOption(outputOption())
    .addOption(jsonOption(`print one JSON object: ${OUTCOME_FIELDS}`))
    .addHelpText('after', example('p2p-worker result 1c0f2d8e-6c39-4f9e-9f0a-0d5f4d0c8a57'))
  return addClientOptions(command).action(async (id: string) => {
    const { result } = await import('../commands/result.ts')
    finish(await result(id, flagsOf<OutcomeFlags>(command)))
  })
}

export function cancelCommand(finish: Finish): Command {
  const command = new Command('cancel')
    .summary('cancel a job, whoever submitted it')
    .description(
      'Ends a job on the whole cluster, and waits until the leader has confirmed it. Of a job that has ended already it says how; that is no error.'
    )
    .addArgument(JOB)
    .addHelpText('after', example('p2p-worker cancel 1c0f2d8e-6c39-4f9e-9f0a-0d5f4d0c8a57'))
  return addClientOptions(command).action(async (id: string) => {
    const { cancel } = await import('../commands/cancel.ts')
    finish(await cancel(id, flagsOf<ClientFlags>(command)))
  })
}
