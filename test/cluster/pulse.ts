/** Three voters with data folders, and a worker without a vote, that run a schedule of every second. Counts what has run. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type PeerEvent, type PeerProcess, ProcessCluster } from './processes.ts'

const SECOND = 1_000
const POLL_MS = 20
/** The longest pause between two due times that run, in ms. */
const LIMIT_MS = 60_000

/** What became of the due times of the schedule up to its newest job. */
export interface DueTimes {
  due: string[]
  /** Due times that did not run, as text. */
  missing: string[]
  /** Due times that ran more than once, or whose job was accepted more than once. */
  twice: string[]
  /** Due times that the leader counts as skipped. */
  skipped: number
}

/**
 * Only the worker computes, and nobody kills it, so a due time with two lines had two jobs. A worker that dies may have run a chunk of a job that runs
 * again.
 */
export class Pulse {
  readonly cluster: ProcessCluster
  readonly voters: PeerProcess[] = []
  #voterIds: string[] = []
  #name = ''
  /** The first due time of the schedule. */
  #first = 0

  private constructor(cluster: ProcessCluster) {
    this.cluster = cluster
  }

  static async start(): Promise<Pulse> {
    const pulse = new Pulse(await ProcessCluster.create())
    try {
      await pulse.#start()
      return pulse
    } catch (error) {
      await pulse.stop()
      throw error
    }
  }

  async #start(): Promise<void> {
    const { cluster } = this
    const ids = [0, 1, 2].map(n => cluster.spawnBare(['id', '--data-dir', this.#folder(n)], cluster.env).ended)
    this.#voterIds = (await Promise.all(ids)).map(({ stdout }) => stdout.trim())
    for (const n of [0, 1, 2]) await this.startVoter(n)
    await cluster.join([...this.#votersOption, '--role', 'worker']).ready()
    await cluster.agreed()
  }

  /** Adds the schedule. The other methods are about the newest one. */
  async add(name: string): Promise<void> {
    this.#name = name
    const task = join(this.cluster.home, `${name}.ts`)
    await writeFile(
      task,
      `import { appendFileSync } from 'node:fs'
export default {
  name: '${name}',
  split: (_, { scheduledFor }) => [scheduledFor.toISOString()],
  run: time => { appendFileSync(${JSON.stringify(this.#lines)}, time + '\\n'); return time }
}`
    )
    await writeFile(this.#lines, '')
    // On a busy machine the due times lag far behind, and none of them may be skipped.
    const all = ['--missed', 'all', '--catch-up', '1000']
    await this.command('schedule', 'add', name, '* * * * * *', task, ...all, '--no-speculate')
    const { next } = await this.#info()
    const [line] = await this.ran()
    this.#first = line === undefined ? next : Date.parse(line)
  }

  /** Starts the voter of this number, again if it was killed. */
  async startVoter(n: number): Promise<void> {
    const peer = this.cluster.join(['--data-dir', this.#folder(n), ...this.#votersOption, '--role', 'leader'])
    this.voters[n] = peer
    await peer.ready()
  }

  /** Kills the leader again and again, at most once in `every` ms, for `lasts` ms. Returns how many were killed. */
  async killLeaders(lasts: number, every: number): Promise<number> {
    const began = performance.now()
    const passed = (): number => performance.now() - began
    let kills = 0
    for (let at = every; at < lasts; at = every * Math.ceil(passed() / every), kills++) {
      await delay(at - passed())
      await this.killLeader()
    }
    await delay(lasts - passed())
    return kills
  }

  /** Kills the leader, and starts it again. */
  async killLeader(): Promise<void> {
    const leader = await this.cluster.agreed()
    await leader.end('SIGKILL')
    await this.startVoter(this.voters.indexOf(leader))
  }

  /** Runs a command that must succeed, and returns what it prints. */
  async command(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.cluster.run(args)
    if (code === 0) return stdout.trim()
    throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  }

  /** Returns the result of the job of a due time. */
  async result(time: string): Promise<unknown> {
    return JSON.parse(await this.command('result', this.#jobOf(time)))
  }

  /** Returns the due times that have run, in the order in which they ran. */
  async ran(): Promise<string[]> {
    return (await readFile(this.#lines, 'utf8')).split('\n').slice(0, -1)
  }

  /** Resolves when `more` due times have run that had not yet. */
  async runs(more: number): Promise<void> {
    let ran = (await this.ran()).length
    const enough = ran + more
    for (let since = performance.now(); ran < enough; await delay(POLL_MS)) {
      const now = (await this.ran()).length
      if (now > ran) since = performance.now()
      else if (performance.now() - since > LIMIT_MS) throw new Error(`only ${ran} of ${enough} due times have run`)
      ran = now
    }
  }

  /** Pauses the schedule, waits for its newest job, and counts. */
  async count(): Promise<DueTimes> {
    await this.command('schedule', 'pause', this.#name)
    const { last, skipped } = await this.#info()
    await this.result(new Date(last.due).toISOString())
    const lines = await this.ran()
    const times = [...Array((last.due - this.#first) / SECOND + 1).keys()]
    const due = times.map(n => new Date(this.#first + n * SECOND).toISOString())
    const accepted = this.#events.flatMap(({ state, jobId }) =>
      state === 'accepted' && jobId !== undefined ? [jobId] : []
    )
    const twice = due.filter(time => countOf(lines, time) > 1 || countOf(accepted, this.#jobOf(time)) > 1)
    return { due, missing: due.filter(time => !lines.includes(time)), twice, skipped }
  }

  /** The epochs in which a peer has led. */
  get epochs(): number[] {
    const leads = this.#events.filter(({ event, peerId }) => event === 'leader' && peerId !== null)
    return [...new Set(leads.map(({ epoch }) => epoch!))]
  }

  get #events(): PeerEvent[] {
    return this.cluster.peers.flatMap(({ events }) => events)
  }

  get #lines(): string {
    return join(this.cluster.home, `${this.#name}.lines`)
  }

  get #votersOption(): string[] {
    return ['--voters', this.#voterIds.join(',')]
  }

  #folder(n: number): string {
    return join(this.cluster.home, `voter ${n}`)
  }

  #jobOf(time: string): string {
    return `${this.#name}@${time.replace('.000Z', 'Z')}`
  }

  async #info(): Promise<{ name: string; next: number; last: { due: number }; skipped: number }> {
    const all = JSON.parse(await this.command('schedule', 'list', '--json')) as { name: string }[]
    return all.find(({ name }) => name === this.#name) as never
  }

  stop(): Promise<void> {
    return this.cluster.stop()
  }
}

function countOf(texts: readonly string[], text: string): number {
  return texts.filter(each => each === text).length
}
