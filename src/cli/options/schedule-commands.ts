/** The commands about schedules. */
import { Argument, type Command } from 'commander'
import type { MissedPolicy, OverlapPolicy } from '../../api/schedule-types.ts'
import { InvalidOptionError } from '../../common/errors.ts'
import { defineCommand, defineGroup, type Finish } from './define-command.ts'
import { type ClientFlags, clientOptions, flagsOf, type JobFlags, type JsonFlag, jsonOption, option } from './flags.ts'
import { durationUpTo, forCommander, jobId, nonEmpty, oneOf, wholeNumber } from './options.ts'
import { jobOptions } from './run-options.ts'

export interface ScheduleFlags extends ClientFlags, JobFlags {
  timeZone?: string
  missed: MissedPolicy
  overlap?: OverlapPolicy
  catchUp: number
  jitter: number
}

/** The bounds of two options. src/schedules has the same bounds, and is too large to load for the help. */
const MOST_CAUGHT_UP = 1_000
const MOST_JITTER_MS = 86_400_000

const newName = new Argument('<name>', 'the name of the schedule: 1 to 100 letters, digits, . _ or -').argParser(
  forCommander((text: string) => {
    if (/^[A-Za-z0-9._-]{1,100}$/.test(text)) return text
    throw new InvalidOptionError('It must have 1 to 100 characters out of A-Z a-z 0-9 . _ -')
  })
)
const name = new Argument('<name>', 'the name of the schedule, as `schedule list` shows it').argParser(
  forCommander(jobId)
)

const addCommand = defineCommand<string>({
  name: 'add',
  summary: 'run a task again and again, at the times of a cron expression',
  description:
    'Stores a schedule in the cluster: its name, its times, its task with all that it imports, and its input. At each due time the leader submits a job, whose id is the name and the due time in UTC, such as nightly@2030-11-28T03:00:00Z; `result` gets its result while it is kept (--keep). This machine is not needed any more. When the leader dies, the next one goes on: with --voters a due time is never two jobs; without, each side of a cut network may run it.',
  arguments: [
    newName,
    new Argument(
      '<cron>',
      "the times, as one word: 'minute hour day month weekday', or with the second before these five"
    ),
    new Argument('<task>', "the task's file (TypeScript or JavaScript) or URL")
  ],
  options: [
    option('--time-zone <zone>', "the clock, such as Europe/Berlin or UTC (default: this machine's)", nonEmpty),
    option(
      '--missed <policy>',
      'the due times that passed without a leader: skip them, run one job for the newest, or run all',
      oneOf(['skip', 'one', 'all'])
    ).default('one'),
    option(
      '--overlap <policy>',
      'a due time while the previous job still runs: skip it, queue it until that job has ended, or allow both (default: skip; queue with --missed all)',
      oneOf(['skip', 'queue', 'allow'])
    ),
    option(
      '--catch-up <n>',
      'the most jobs that --missed all runs and --overlap queue lets wait; older due times are skipped',
      wholeNumber(1, MOST_CAUGHT_UP)
    ).default(100),
    option(
      '--jitter <time>',
      'each job starts up to this much later, the same at each leader, such as 30s or 10m, at most 24h',
      durationUpTo(MOST_JITTER_MS)
    ).default(0, '0s'),
    ...jobOptions,
    ...clientOptions
  ],
  examples: [
    "p2p-worker schedule add nightly '0 3 * * *' examples/nas-ep.ts",
    "p2p-worker schedule add pulse '*/10 * * * * *' task.ts --overlap queue"
  ],
  async run(command) {
    const words = command.processedArgs as [string, string, string]
    return (await import('../commands/schedule.ts')).add(...words, flagsOf<ScheduleFlags>(command))
  }
})

const listCommand = defineCommand({
  name: 'list',
  summary: 'show the schedules, their next and their last run',
  description:
    'Shows the schedules, and the jobs of `run --at` and `run --in` that are not due yet. Times are in the time zone of the schedule. SKIPPED counts the due times that were not run, because of --missed, --overlap or --catch-up.',
  options: [
    jsonOption('print one JSON array: name, cron, at, timeZone, task, state, next, last and more; times in ms'),
    ...clientOptions
  ],
  examples: ['p2p-worker schedule list', "p2p-worker schedule list --json | jq '.[].next'"],
  run: async command => (await import('../commands/schedule.ts')).list(flagsOf<ClientFlags & JsonFlag>(command))
})

/** Defines a command that does one thing with a schedule. */
function aboutOne(
  action: 'remove' | 'pause' | 'resume' | 'run',
  summary: string,
  description: string
): (finish: Finish) => Command {
  return defineCommand<string>({
    name: action,
    summary,
    description,
    argument: name,
    options: clientOptions,
    examples: [`p2p-worker schedule ${action} nightly`],
    run: async (command, name) => (await import('../commands/schedule.ts'))[action](name, flagsOf<ClientFlags>(command))
  })
}

export const scheduleCommand = defineGroup(
  {
    name: 'schedule',
    summary: 'run a task at the times of a cron expression',
    description:
      'Runs tasks at the times of a cron expression. The cluster keeps a schedule without the machine that added it, and its leader submits the jobs.',
    examples: ["p2p-worker schedule add nightly '0 3 * * *' examples/nas-ep.ts", 'p2p-worker schedule list']
  },
  [
    addCommand,
    listCommand,
    aboutOne('remove', 'remove a schedule', 'Removes a schedule. Its jobs that run go on.'),
    aboutOne(
      'pause',
      'let due times pass without a job',
      'Pauses a schedule until `resume`: its due times pass without a job, and are not caught up.'
    ),
    aboutOne('resume', 'end a pause', 'Resumes a paused schedule from its next due time on.'),
    aboutOne(
      'run',
      'run a job of a schedule now',
      "Submits a job of a schedule now, also while the schedule is paused, and prints the job's id. The due times stay."
    )
  ]
)
