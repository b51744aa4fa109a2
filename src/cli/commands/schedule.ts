import type { ScheduleInfo } from '../../api/schedule-types.ts'
import { cronTimes } from '../../api/schedules.ts'
import { schedulesJson } from '../../api/status-json.ts'
import type { Client } from '../../api/types.ts'
import { number, runTime } from '../../views/words.ts'
import { checkTask } from '../jobs/check-task.ts'
import { readInput } from '../jobs/input.ts'
import type { ClientFlags, JsonFlag } from '../options/flags.ts'
import type { ScheduleFlags } from '../options/schedule-commands.ts'
import { withClient } from '../peers/client.ts'
import { print } from '../terminal/output.ts'
import { screenOf } from '../terminal/screen.ts'
import { table } from '../terminal/table.ts'
import { oneLine } from '../terminal/text-width.ts'

export async function add(name: string, cron: string, task: string, flags: ScheduleFlags): Promise<number> {
  const { retries, speculate, requires = {}, chunkTimeout, priority, keep, durable, external = [] } = flags
  const { missed, overlap, catchUp, jitter, timeZone } = flags
  const job = { retries, speculate, requires, chunkTimeout, priority, keep, durable, external }
  const options = { ...job, missed, overlap, catchUp, jitter, timeZone }
  let input: unknown
  return await withClient(
    flags,
    async (client, { signal }) => {
      const info = await client.schedules.add(name, cron, task, input, { ...options, signal })
      await print(nextLine(info))
    },
    true,
    async signal => {
      await cronTimes(cron, timeZone)
      input = await readInput(flags, signal)
      await checkTask(task, external, signal)
    }
  )
}

export async function list(flags: ClientFlags & JsonFlag): Promise<number> {
  return await withClient(flags, async (client, { signal }) => {
    const all = await client.schedules.list({ signal })
    await print(flags.json ? JSON.stringify(schedulesJson(all)) : schedulesText(all, screenOf(process.stdout).columns))
  })
}

type Action = (name: string, flags: ClientFlags) => Promise<number>

/** Returns a command that does something with a schedule, and prints a line about it. */
function about(act: (schedules: Client['schedules'], name: string, signal: AbortSignal) => Promise<string>): Action {
  return (name, flags) =>
    withClient(flags, async ({ schedules }, { signal }) => await print(await act(schedules, name, signal)))
}

export const remove = about(async (schedules, name, signal) => {
  await schedules.remove(name, { signal })
  return `schedule ${name} is removed`
})
export const pause = about(async (schedules, name, signal) => nextLine(await schedules.pause(name, { signal })))
export const resume = about(async (schedules, name, signal) => nextLine(await schedules.resume(name, { signal })))
export const run = about((schedules, name, signal) => schedules.run(name, { signal }))

function nextLine({ name, state, next, timeZone }: ScheduleInfo): string {
  if (state === 'paused') return `schedule ${name} is paused`
  return `schedule ${name} runs next at ${next === undefined ? 'no time' : `${runTime(next, timeZone)} (${timeZone})`}`
}

/** Returns one row for each schedule, and a line for each that has a problem. */
export function schedulesText(all: readonly ScheduleInfo[], columns = Number.POSITIVE_INFINITY): string {
  if (all.length === 0) return 'no schedules'
  const rows = all.map(({ name, cron, timeZone, task, state, next, last, skipped }) => [
    oneLine(name),
    cron === undefined ? 'once' : oneLine(cron),
    oneLine(timeZone),
    state === 'paused' ? state : next === undefined ? '-' : runTime(next, timeZone),
    last === undefined ? '-' : runTime(last.due, timeZone),
    last?.state ?? '-',
    number(skipped),
    oneLine(task)
  ])
  const titles = [
    { title: 'NAME', shrink: { turn: 1, least: 9 } },
    { title: 'CRON', drop: 1 },
    { title: 'ZONE', drop: 2 },
    { title: 'NEXT' },
    { title: 'LAST', drop: 3 },
    { title: 'OUTCOME' },
    { title: 'SKIPPED', align: 'right' as const, drop: 4 },
    { title: 'TASK', drop: 5 }
  ]
  const problems = all.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${oneLine(problem)}`]))
  return [table(titles, rows, columns), ...problems].join('\n')
}
