/** Reads where and when each chunk ran from the file that its task writes (tasks/sleep.ts). Times are in ms, by the machine's clock. */
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

export interface Execution {
  index: number
  pid: number
  began: number
  /** The time of the end. It is undefined if the execution was killed or cancelled. */
  ended: number | undefined
}

/** The numbers of chunks that were computed again after an event, by the state of the chunks at the time of the event. */
export interface Again {
  /** Chunks that a surviving peer had finished. */
  finished: number
  /** Chunks that only dying peers had finished, so that perhaps no surviving peer had the partials of these chunks. */
  finishedByDead: number
  /** Chunks that ran at a surviving peer, or that began only after the event. Both kinds should not have been computed twice. */
  running: number
  /** Chunks that ran at dying peers. */
  runningAtDead: number
}

export async function executionsIn(file: string): Promise<Execution[]> {
  const executions: Execution[] = []
  const open = new Map<string, Execution>()
  const text = await readFile(file, 'utf8').catch(() => '')
  for (const line of text.split('\n').slice(0, -1)) {
    const [what, index, pid, time] = line.split(' ')
    const key = `${index} ${pid}`
    const running = open.get(key)
    if (what === '-' && running !== undefined) {
      running.ended = Number(time)
      open.delete(key)
    } else if (what === '+') {
      const execution = { index: Number(index), pid: Number(pid), began: Number(time), ended: undefined }
      open.set(key, execution)
      executions.push(execution)
    }
  }
  return executions
}

/** Returns the time at which each chunk was first completed, in ascending order. */
export function firstEnds(executions: readonly Execution[]): number[] {
  const ends = new Map<number, number>()
  for (const { index, ended } of executions) {
    if (ended !== undefined) ends.set(index, Math.min(ended, ends.get(index) ?? Number.POSITIVE_INFINITY))
  }
  return [...ends.values()].sort((a, b) => a - b)
}

/** Resolves when `count` chunks have been computed. The function polls the file, because other processes write the file. */
export async function finished(file: string, count: number, limitMs: number): Promise<void> {
  for (const end = performance.now() + limitMs; ; await delay(5)) {
    const done = firstEnds(await executionsIn(file)).length
    if (done >= count) return
    if (performance.now() > end) throw new Error(`${done} of ${count} chunks were computed in ${limitMs} ms`)
  }
}

/** Counts the repeated executions of chunks by the state of the chunk at `moment`, when the processes `dead` died. */
export function againIn(executions: readonly Execution[], moment: number, dead: ReadonlySet<number>): Again {
  const again: Again = { finished: 0, finishedByDead: 0, running: 0, runningAtDead: 0 }
  const before = new Map<number, Execution[]>()
  for (const execution of executions.toSorted((a, b) => a.began - b.began)) {
    const earlier = before.get(execution.index) ?? []
    before.set(execution.index, [...earlier, execution])
    if (earlier.length === 0) continue
    const living = earlier.filter(({ pid }) => !dead.has(pid))
    const wasFinished = ({ ended = Number.POSITIVE_INFINITY }: Execution): boolean => ended < moment
    if (living.some(wasFinished)) again.finished++
    else if (living.length > 0) again.running++
    else if (earlier.some(wasFinished)) again.finishedByDead++
    else again.runningAtDead++
  }
  return again
}

export function added(all: readonly Again[]): Again {
  const sum: Again = { finished: 0, finishedByDead: 0, running: 0, runningAtDead: 0 }
  for (const again of all) for (const key of Object.keys(sum) as (keyof Again)[]) sum[key] += again[key]
  return sum
}
