/**
 * Troubles three voters and the holders of a lock on hosts of their own, and checks that the commands of `p2p-worker lock` never run at the
 * same time.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Hosts } from '../faults/hosts.ts'
import { Random } from '../fuzz/random.ts'
import { gapsBetween, newestIn, type Stint, stintsIn } from '../stores/stints.ts'
import { type PeerProcess, ProcessCluster, type RunningCommand, root } from './processes.ts'

/** The hosts of the voters. The next host has only a client. */
const VOTERS = [0, 1, 2]
/** The number of hosts, each with a client. */
export const LOCK_HOSTS = VOTERS.length + 1
const TTL_MS = 2_000
const LEASE_TIME = '2s'
/** How long the command of a holder runs, in ms: shortly, so that the lock changes hands often, or longer than the ttl, so that it may be lost. */
const COMMAND_MS = [
  { least: 100, most: 1_500 },
  { least: 2 * TTL_MS, most: 4 * TTL_MS }
]
/** How long a short fault lasts, in ms. Some are shorter than the ttl and the lease time, and some are longer. */
const SHORT_MS = { least: 100, most: 2 * TTL_MS }
/** The pause before a client that has failed starts again, in ms. */
const RESTART_MS = 200
/** The longest time until the next command runs, in ms. New leaders of voters that have all restarted grant nothing for half a minute. */
const LIMIT_MS = 120_000

export interface LockTroubles {
  /** The number of times that a command ran under the lock. */
  holders: number
  /** The number of commands that ran while an earlier one still ran. */
  overlaps: number
  /** The number of commands whose token was not larger than that of the command before. */
  backwards: number
  /** The times from the last mark of one command to the first mark of the next, in ms. */
  gaps: number[]
}

type Fault = (typeof LOCK_FAULTS)[number]
export const LOCK_FAULTS = [
  'kill the leader',
  'pause the leader',
  'cut the leader',
  'mute the leader',
  'deafen the leader',
  'kill the holder',
  'pause the holder',
  'cut the holder'
] as const

/**
 * Kills, pauses and cuts the leader and the holder of the lock, `count` times in all. The order of the faults, and how long they last, derive
 * from the seed; each kind comes as often as each other. A fault ends after a short time, or when the next holder has begun.
 */
export async function troubleLocks(
  hosts: Hosts,
  count: number,
  seed: number,
  tell: (done: string) => void = () => {}
): Promise<LockTroubles> {
  const random = new Random(seed)
  const stage = await LockStage.start(hosts, random)
  try {
    await stage.nextHolder(0n)
    let left: Fault[] = []
    for (let done = 0; done < count; done++) {
      if (left.length === 0) left = [...LOCK_FAULTS]
      const [fault] = left.splice(random.below(left.length), 1) as [Fault]
      const short = random.chance(0.5) ? between(random, SHORT_MS) : undefined
      const leader = await stage.leader()
      const began = process.hrtime.bigint()
      const end = await stage.begin(fault, leader)
      if (short === undefined) await stage.nextHolder(began)
      else await delay(short)
      await end()
      const next = await stage.nextHolder(short === undefined ? began : process.hrtime.bigint())
      const lasted = short === undefined ? 'until the next holder' : `for ${short} ms`
      tell(`${done + 1}: ${fault} ${lasted}, ${((next.from - Number(began)) / 1e6).toFixed(0)} ms until a next holder`)
    }
    await stage.endClients()
    return await stage.troubles()
  } finally {
    await stage.stop()
  }
}

function between(random: Random, { least, most }: { least: number; most: number }): number {
  return least + random.below(most - least)
}

/** Three voters, and a client on each host that again and again runs a command under the lock. */
class LockStage {
  readonly #hosts: Hosts
  readonly #random: Random
  readonly #cluster: ProcessCluster
  #ids: string[] = []
  readonly #voters: PeerProcess[] = []
  readonly #clients: RunningCommand[] = []
  readonly #loops: Promise<void>[] = []
  #isOver = false

  private constructor(hosts: Hosts, random: Random, cluster: ProcessCluster) {
    this.#hosts = hosts
    this.#random = random
    this.#cluster = cluster
  }

  static async start(hosts: Hosts, random: Random): Promise<LockStage> {
    const cluster = await ProcessCluster.create({ wrap: hosts.wrap(0) })
    const stage = new LockStage(hosts, random, cluster)
    try {
      const ids = VOTERS.map(host => cluster.spawnBare(['id', '--data-dir', stage.#folder(host)], cluster.env).ended)
      stage.#ids = (await Promise.all(ids)).map(({ stdout }) => stdout.trim())
      for (const host of VOTERS) await stage.#startVoter(host)
      await cluster.settled()
      for (let host = 0; host < LOCK_HOSTS; host++) {
        await mkdir(stage.#marks(host), { recursive: true })
        stage.#loops.push(stage.#holdAgain(host))
      }
      return stage
    } catch (error) {
      await stage.stop()
      throw error
    }
  }

  /** The host of the leader that all voters follow. */
  async leader(): Promise<number> {
    return this.#voters.indexOf(await this.#cluster.agreed())
  }

  /** Begins a fault. Resolves with a function that ends it. */
  async begin(fault: Fault, leader: number): Promise<() => Promise<void>> {
    const cut = (how: 'cut' | 'mute' | 'deafen', host: number): (() => Promise<void>) => {
      this.#hosts[how](host)
      return async () => this.#hosts.heal()
    }
    const pause = ({ child }: { child: PeerProcess['child'] }): (() => Promise<void>) => {
      child.kill('SIGSTOP')
      return async () => void child.kill('SIGCONT')
    }
    switch (fault) {
      case 'kill the leader':
        await this.#voters[leader]!.end('SIGKILL')
        return () => this.#startVoter(leader)
      case 'pause the leader':
        return pause(this.#voters[leader]!)
      case 'cut the leader':
        return cut('cut', leader)
      case 'mute the leader':
        return cut('mute', leader)
      case 'deafen the leader':
        return cut('deafen', leader)
      case 'kill the holder':
        this.#clients[await this.#holder()]!.child.kill('SIGKILL')
        return async () => {}
      case 'pause the holder':
        return pause(this.#clients[await this.#holder()]!)
      case 'cut the holder':
        return cut('cut', await this.#holder())
    }
  }

  /** Resolves with the first holder that has begun after `since` (ns). */
  async nextHolder(since: bigint): Promise<Stint> {
    const until = performance.now() + LIMIT_MS
    for (;;) {
      const newest = (await this.#newest()).map(({ stint }) => stint)
      const found = newest.find(({ from }) => from > Number(since))
      if (found !== undefined) return found
      if (performance.now() > until) {
        const said = [...this.#voters, ...this.#clients].map(({ stderr }) => stderr)
        throw new Error(`nobody holds the lock:\n${said.join('\n')}`)
      }
      await delay(20)
    }
  }

  /** Ends the clients, even those that are paused. Their supervisors end the commands. */
  async endClients(): Promise<void> {
    this.#isOver = true
    for (const { child } of this.#clients) child.kill('SIGKILL')
    await Promise.all(this.#loops)
  }

  async troubles(): Promise<LockTroubles> {
    const all = await Promise.all(this.#loops.map((_, host) => stintsIn(this.#marks(host))))
    const stints = all.flat().sort((a, b) => a.from - b.from)
    const gaps = gapsBetween(stints)
    return {
      holders: stints.length,
      overlaps: gaps.filter(gap => gap <= 0).length,
      backwards: stints.slice(1).filter(({ token }, i) => token <= stints[i]!.token).length,
      gaps
    }
  }

  async stop(): Promise<void> {
    await this.endClients()
    await this.#cluster.stop()
  }

  #folder(host: number): string {
    return join(this.#cluster.home, `voter-${host}`)
  }

  #marks(host: number): string {
    return join(this.#cluster.home, 'marks', String(host))
  }

  async #startVoter(host: number): Promise<void> {
    const listen = ['--listen', `/ip4/${this.#hosts.address(host)}/tcp/4001`]
    const vote = ['--data-dir', this.#folder(host), '--voters', this.#ids.join(','), '--lease-time', LEASE_TIME]
    const peer = this.#cluster.join([...listen, ...vote], { wrap: this.#hosts.wrap(host) })
    this.#voters[host] = peer
    await peer.ready()
  }

  /** Runs one command after the other under the lock, however each of them ends. */
  async #holdAgain(host: number): Promise<void> {
    const bootstrap = VOTERS.flatMap(voter => ['--bootstrap', `/ip4/${this.#hosts.address(voter)}/tcp/4001`])
    const marker = [process.execPath, join(root, 'test/stores/marker.mjs'), this.#marks(host)]
    while (!this.#isOver) {
      const command = [...marker, String(between(this.#random, this.#random.pick(COMMAND_MS)))]
      const flags = ['--no-mdns', ...bootstrap, '--ttl', `${TTL_MS}ms`]
      const client = this.#cluster.spawnBare(
        ['lock', ...flags, 'night', '--', ...command],
        this.#cluster.env,
        this.#hosts.wrap(host)
      )
      this.#clients[host] = client
      const { code } = await client.ended
      if (code !== 0 && !this.#isOver) await delay(RESTART_MS)
    }
  }

  /** The host of the client whose command has begun last. */
  async #holder(): Promise<number> {
    const newest = await this.#newest()
    return newest.reduce((a, b) => (b.stint.from > a.stint.from ? b : a)).host
  }

  /** The newest stint of each host that has had one. */
  async #newest(): Promise<{ host: number; stint: Stint }[]> {
    const newest = await Promise.all(this.#loops.map((_, host) => newestIn(this.#marks(host))))
    return newest.flatMap((stint, host) => (stint === undefined ? [] : { host, stint }))
  }
}
