/** The names of schedules in the journal, and the ids of their jobs. */

const DEFINITION = 'schedule/'
const MARK = 'mark/'

/** Returns the key of the definition. Ids of jobs contain no slash. */
export function definitionKey(name: string): string {
  return DEFINITION + name
}

export function markKey(name: string): string {
  return MARK + name
}

/** Returns the name in the key of a definition or mark, or `undefined` for other keys. */
export function nameOf(key: string): string | undefined {
  for (const prefix of [DEFINITION, MARK]) if (key.startsWith(prefix)) return key.slice(prefix.length)
  return undefined
}

/** Returns the id of the job of a due time, e.g. `nightly@2026-11-28T03:00:00Z`. Due times are whole seconds. */
export function dueJob(name: string, due: number): string {
  return `${name}@${new Date(due).toISOString().replace('.000Z', 'Z')}`
}

/** Returns the id of a job that a client starts at `time`. It always has milliseconds, so it differs from the id of each due time. */
export function runJob(name: string, time: number): string {
  return `${name}@${new Date(time).toISOString()}`
}

/** Returns the schedule to which a job belongs by its id. Returns `undefined` for the id of an ordinary job. */
export function scheduleOf(job: string): string | undefined {
  return /^(.+)@\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/.exec(job)?.[1]
}
