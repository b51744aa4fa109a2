/** The commands about jobs. */
import { Argument } from 'commander'
import { tracesOption } from '../peers/traces.ts'
import { defineCommand } from './define-command.ts'
import {
  type ClientFlags,
  clientOptions,
  flagsOf,
  type JsonFlag,
  jsonOption,
  type OutcomeFlags,
  type RunFlags
} from './flags.ts'
import { localFlagsOf } from './local-option.ts'
import { checkMapFlags, type MapFlags, mapOptions } from './map-options.ts'
import { jobId } from './options.ts'
import { checkDetached, OUTCOME_FIELDS, outputOption, runOptions } from './run-options.ts'

const JOB = new Argument(
  '<job>',
  "the job's id, as `run --detach` and `jobs` print it, or its beginning where no other id begins alike"
).argParser(jobId)

export const runCommand = defineCommand<string>({
  name: 'run',
  summary: 'compute a task on the cluster, or on this machine, and print its result',
  description:
    'Computes a task on the cluster, and prints its result as JSON (bytes as they are). Ctrl-C cancels the job everywhere. With --detach the command ends once the cluster has the job, and `result` gets its result. With --local this machine computes the task without a cluster, with the same result to the bit.',
  argument: new Argument('<task>', "the task's file (TypeScript or JavaScript) or URL"),
  options: [...runOptions, ...clientOptions, tracesOption],
  examples: [
    `p2p-worker run examples/nas-ep.ts --input '{"class":"W"}'`,
    'p2p-worker run examples/nas-ep.ts --local',
    'p2p-worker run word-count.ts --input-file book.txt --output counts.json',
    'p2p-worker result $(p2p-worker run examples/nas-ep.ts --detach)'
  ],
  async run(command, task) {
    const local = localFlagsOf(command)
    if (local !== undefined) return (await import('../jobs/run-local.ts')).runLocally(task, local)
    const flags = flagsOf<RunFlags>(command)
    checkDetached(flags)
    return (await import('../commands/run.ts')).run(task, flags)
  }
})

export const mapCommand = defineCommand<string | undefined>({
  name: 'map',
  summary: 'compute something of each line, or run a command for each',
  description:
    'Reads lines from stdin, computes each on a peer of the cluster, and prints the results in the same order: strings as they are, all else as JSON. With --exec a command runs for each line, which stands in {} as one word, also within quotes, or else at the end; P2P_WORKER_INDEX is its number, from 0. A command that would run a line as code, such as eval {}, is refused; write -- {} where lines may begin with a dash. The output of a command is printed whole, never mixed with that of another. --retries runs a failed command again on the same peer. When a peer dies, its commands run again elsewhere; a slow command never runs twice. Lines are read as fast as the peers and the reader of the output keep up. When a peer dies, even the leader, no line of output is lost or repeated.',
  argument: new Argument('[task]', "the task's file (TypeScript or JavaScript) or URL; its `run` gets a line"),
  options: [...mapOptions, ...clientOptions, tracesOption],
  examples: [
    'seq 1000 | p2p-worker map examples/collatz.ts',
    "ls *.wav | p2p-worker map --exec 'flac --silent {}' --keep-going",
    "p2p-worker map --exec 'curl -fsS {} | wc -c' --retries 3 < urls.txt"
  ],
  async run(command, task) {
    const flags = flagsOf<MapFlags>(command)
    checkMapFlags(task, flags)
    return (await import('../commands/map.ts')).map(task, flags)
  }
})

export const jobsCommand = defineCommand({
  name: 'jobs',
  summary: 'show the jobs',
  description:
    'Shows the jobs that run, and those that have ended while their outcome is kept. AGE is the time since the current leader accepted the job.',
  options: [
    jsonOption('print one JSON array: jobId, task, state, done, total, unserved, ageMs, durable, durability'),
    ...clientOptions
  ],
  examples: ['p2p-worker jobs', "p2p-worker jobs --json | jq -r '.[].jobId'"],
  run: async command => (await import('../commands/jobs.ts')).jobs(flagsOf<ClientFlags & JsonFlag>(command))
})

export const resultCommand = defineCommand<string>({
  name: 'result',
  summary: 'print the result of a job, when it has ended',
  description:
    'Waits for a job that somebody has submitted, and prints its result as `run` does. Ctrl-C ends the wait, not the job.',
  argument: JOB,
  options: [outputOption, jsonOption(`print one JSON object: ${OUTCOME_FIELDS}`), ...clientOptions],
  examples: ['p2p-worker result 1c0f2d8e-6c39-4f9e-9f0a-0d5f4d0c8a57'],
  run: async (command, id) => (await import('../commands/result.ts')).result(id, flagsOf<OutcomeFlags>(command))
})

export const cancelCommand = defineCommand<string>({
  name: 'cancel',
  summary: 'cancel a job of any client',
  description:
    'Ends a job on the whole cluster, and waits until the leader has confirmed it. For a job that has already ended it says how; that is no error.',
  argument: JOB,
  options: clientOptions,
  examples: ['p2p-worker cancel 1c0f2d8e-6c39-4f9e-9f0a-0d5f4d0c8a57'],
  run: async (command, id) => (await import('../commands/cancel.ts')).cancel(id, flagsOf<ClientFlags>(command))
})

export const resumeCommand = defineCommand<string>({
  name: 'resume',
  summary: 'resume a suspended job',
  description:
    'Resumes a job that may have ended already, and so does not run by itself: the cluster has forgotten how it ended, or a folder was restored. Look for its result first. The job goes on from its last checkpoint, and `result` gets its result. For a job that runs or has ended it says so; that is no error.',
  argument: JOB,
  options: clientOptions,
  examples: ['p2p-worker resume 1c0f2d8e-6c39-4f9e-9f0a-0d5f4d0c8a57'],
  run: async (command, id) => (await import('../commands/resume.ts')).resume(id, flagsOf<ClientFlags>(command))
})
