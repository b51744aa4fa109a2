/** Peers with data folders that are killed in rounds, at random and from time to time by a power cut of all, while jobs are submitted. Counts what became of the jobs. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { shuffled } from '../../src/membership/core/probe-list.ts'
import { randomFrom } from '../simulation/world.ts'
import { cutPower } from './power-cut.ts'
import { type PeerProcess, ProcessCluster } from './processes.ts'

/** Chunks that append their index to a file as they end. */
const TASK = `
import { appendFileSync } from 'node:fs'
export default {
  name: 'kept',
  *split({ n, file }) { for (let i = 0; i < n; i++) yield { i, file } },
  async run({ i, file }) {
    await new Promise(resolve => setTimeout(resolve, 20))
    appendFileSync(file, i + '\\n')
    return i
  },
  initial: 0,
  reduce: (sum, i) => sum + i
}`

/** The power is cut in each round whose number is a multiple of this one: all peers are killed, and what they have not synced is cut off anywhere. */
const FULL_STOP = 5
const PEERS = 3
const CHUNKS = 40
/** The disks on which each job must be. */
const DISKS = 2
/** The longest pause of a peer that was killed, in ms. */
const AWAY_MS = 2_000
/** The outcomes that the leader keeps, more than there are rounds. */
const MOST_OUTCOMES = 1_000

interface Acknowledged {
  id: string
  /** The file with the indices of the chunks that have run. */
  file: string
  /** The number of chunks that had run when the outcome was read first. */
  ran: number | undefined
}

/** What became of the jobs. */
export interface Rounds {
  acknowledged: number
  /** The jobs that nobody acknowledged, because the leader died first. */
  refused: number
  /** The number of bytes that were not synced when all peers were killed, and were cut off. */
  cut: number
  /** What is wrong with acknowledged jobs, as text. */
  wrong: string[]
}

export class KillRounds {
  readonly #cluster: ProcessCluster
  readonly #random: () => number
  readonly #peers: PeerProcess[] = []
  readonly #jobs: Acknowledged[] = []
  #submitted = 0
  /** The number of bytes that were not synced, and that the full stops have cut off. */
  #cut = 0

  private constructor(cluster: ProcessCluster, seed: number) {
    this.#cluster = cluster
    this.#random = randomFrom(seed)
  }

  static async start(seed: number): Promise<KillRounds> {
    const rounds = new KillRounds(await ProcessCluster.create(), seed)
    try {
      await writeFile(rounds.#task, TASK)
      for (let n = 0; n < PEERS; n++) await rounds.#startPeer(n)
      await rounds.#cluster.settled()
      return rounds
    } catch (error) {
      await rounds.stop()
      throw error
    }
  }

  /** Runs these rounds, and waits for the jobs of all of them. */
  async run(count: number, tell: (what: string) => void = () => {}): Promise<Rounds> {
    for (let round = 1; round <= count; round++) {
      await this.#round(round % FULL_STOP === 0)
      if (round % FULL_STOP === 0) tell(`round ${round}: ${this.#jobs.length} jobs acknowledged`)
    }
    const wrong = [...(await this.#check(this.#jobs)), ...(await this.#check(this.#jobs))]
    return { acknowledged: this.#jobs.length, refused: this.#submitted - this.#jobs.length, cut: this.#cut, wrong }
  }

  stop(): Promise<void> {
    return this.#cluster.stop()
  }

  async #round(isFullStop: boolean): Promise<void> {
    const submitting = this.#submit()
    await delay(this.#random() * 1_500)
    const one = [Math.floor(this.#random() * PEERS)]
    const killed = shuffled(isFullStop ? [...this.#peers.keys()] : one, this.#random)
    await Promise.all(killed.map(n => this.#peers[n]!.end('SIGKILL')))
    if (isFullStop) for (const n of killed) this.#cut += await cutPower(this.#folder(n), this.#random)
    for (const n of killed) {
      await delay(this.#random() * AWAY_MS)
      await this.#startPeer(n)
    }
    await this.#cluster.agreed()
    await submitting
  }

  async #startPeer(n: number): Promise<void> {
    // All outcomes are read in the end.
    const peer = this.#cluster.join(['--data-dir', this.#folder(n), '--limit', `outcomes=${MOST_OUTCOMES}`])
    this.#peers[n] = peer
    await peer.ready()
  }

  #folder(n: number): string {
    return join(this.#cluster.home, `data ${n}`)
  }

  async #submit(): Promise<void> {
    const file = join(this.#cluster.home, `lines ${this.#submitted++}`)
    await writeFile(file, '')
    const input = JSON.stringify({ n: CHUNKS, file })
    const options = ['--input', input, '--detach', '--durable', String(DISKS), '--keep', '24h']
    const { code, stdout } = await this.#cluster.run(['run', this.#task, ...options])
    if (code === 0) this.#jobs.push({ id: stdout.trim(), file, ran: undefined })
  }

  /** Returns what is wrong with these jobs, each of which must have ended with the exact result, and must not run again. */
  async #check(jobs: readonly Acknowledged[]): Promise<string[]> {
    const wrong: string[] = []
    const expected = `${(CHUNKS * (CHUNKS - 1)) / 2}\n`
    for (const job of jobs) {
      const { code, stdout, stderr } = await this.#cluster.run(['result', job.id, '--wait', '60s'])
      if (code !== 0 || stdout !== expected) wrong.push(`${job.id}: ${code} ${stdout}${stderr}`)
      const lines = (await readFile(job.file, 'utf8')).split('\n').slice(0, -1)
      if (new Set(lines).size !== CHUNKS) wrong.push(`${job.id}: ${new Set(lines).size} of ${CHUNKS} chunks ran`)
      if (job.ran !== undefined && job.ran !== lines.length) wrong.push(`${job.id} ran again after its end`)
      job.ran = lines.length
    }
    return wrong
  }

  get #task(): string {
    return join(this.#cluster.home, 'kept.ts')
  }
}
