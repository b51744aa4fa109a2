/** Records when jobs pass certain places in the shipped code, in ms, by a clock that all processes of the machine share. */
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type PeerProcess, type ProcessCluster, root } from '../../test/cluster/processes.ts'

/** The time within which a peer must write its marks, in ms. */
const LIMIT = 10_000

/** The times at which a job passed the recorded places, by the name of the place. */
export type Marks = Map<string, number>

export function now(): number {
  return performance.timeOrigin + performance.now()
}

/** Returns the environment with which a peer records marks (marks.mjs). */
export function marking(): NodeJS.ProcessEnv {
  return {
    NODE_OPTIONS: `--import=${pathToFileURL(`${root}/bench/throughput/marks.mjs`).href}`,
    BENCH_DIST: pathToFileURL(`${root}/dist/`).href
  }
}

/** Resolves to the marks of all jobs so far, by job id. If a job passes a place at several peers, the earliest time counts. */
export async function marksOf({ home, live }: ProcessCluster): Promise<Map<string, Marks>> {
  const jobs = new Map<string, Marks>()
  for (const peer of live) {
    for (const line of await linesOf(home, peer)) {
      const [job, place, time] = line.split(' ') as [string, string, string]
      const marks = jobs.get(job) ?? new Map<string, number>()
      jobs.set(job, marks.set(place, Math.min(Number(time), marks.get(place) ?? Number.POSITIVE_INFINITY)))
    }
  }
  return jobs
}

async function linesOf(home: string, { child }: PeerProcess): Promise<string[]> {
  child.kill('SIGUSR2')
  for (const end = performance.now() + LIMIT; performance.now() < end; await delay(5)) {
    const lines = (await readFile(`${home}/marks-${child.pid}`, 'utf8').catch(() => '')).split('\n')
    // The line "." marks the end of the file.
    if (lines.at(-2) === '.') return lines.slice(0, -2).filter(line => line !== '')
  }
  throw new Error(`a peer has not told its marks in ${LIMIT} ms`)
}

/** Records when the client in this process passes certain places during a submission. Only one job may be submitted at a time. */
export async function markPreparations(): Promise<{ take(): Marks }> {
  const marks: Marks = new Map()
  await mark('tasks/execute/code-store.js', 'CodeStore', 'put', 'bundled', marks)
  await mark('jobs/client/submitter.js', 'Submitter', 'submit', 'prepared', marks)
  return {
    take() {
      const taken = new Map(marks)
      marks.clear()
      return taken
    }
  }
}

/** Records each call of a method of the built package. A method that the package does not have is ignored. */
async function mark(file: string, name: string, method: string, place: string, marks: Marks): Promise<void> {
  const module = await import(pathToFileURL(`${root}/dist/${file}`).href).catch(() => ({}))
  const prototype: Record<string, (...args: unknown[]) => unknown> | undefined = module[name]?.prototype
  const original = prototype?.[method]
  if (prototype === undefined || original === undefined) return
  prototype[method] = function (...args) {
    marks.set(place, now())
    return original.apply(this, args)
  }
}
