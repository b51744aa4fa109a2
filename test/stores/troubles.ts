/**
 * Troubles the leader of three hosts that elect by a store on a fourth host, and checks that the commands of `p2p-worker lead` never run
 * at two hosts at the same time.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ProcessCluster, type RunningCommand, root } from '../cluster/processes.ts'
import type { Hosts } from '../faults/hosts.ts'
import { gapsBetween, stintsIn } from './stints.ts'

/** The host of the store. The hosts before it are peers. */
export const STORE_HOST = 3

/** A store that runs on the host {@link STORE_HOST}. */
export interface HostedStore {
  /** The flags with which a peer elects by this store. */
  flags: string[]
  /** More environment variables of each peer. */
  env?: NodeJS.ProcessEnv
  /** The lease time of these flags, in ms. */
  leaseTime: number
  stop(): Promise<void>
}

export interface Troubles {
  /** The number of leaderships in which the command ran. */
  stints: number
  /** The number of pairs of leaderships whose commands ran at the same time. */
  overlaps: number
  /** The times from the last mark of one command to the first mark of the next, in ms. */
  gaps: number[]
}

const FAULTS = ['cut', 'pause', 'kill'] as const
/** The longest time until the next command runs, in ms. */
const LIMIT_MS = 60_000

/** Cuts the leader off from the store, pauses it and kills it, by turns, `count` times in all. */
export async function troubleLeaders(
  hosts: Hosts,
  store: HostedStore,
  count: number,
  tell: (done: string) => void = () => {}
): Promise<Troubles> {
  const cluster = await ProcessCluster.create({ wrap: hosts.wrap(0) })
  const marks = join(cluster.home, 'marks')
  await mkdir(marks)
  const peers: RunningCommand[] = []
  const start = (host: number): void => {
    const listen = ['--listen', `/ip4/${hosts.address(host)}/tcp/4001`, '--no-mdns', '--slots', '1']
    const others = [0, 1, 2]
      .filter(other => other !== host)
      .flatMap(other => ['--bootstrap', `/ip4/${hosts.address(other)}/tcp/4001`])
    const command = [process.execPath, join(root, 'test/stores/marker.mjs'), marks]
    peers[host] = cluster.spawnBare(
      ['lead', ...listen, ...others, ...store.flags, '--', ...command],
      { ...cluster.env, ...store.env },
      hosts.wrap(host)
    )
  }
  try {
    for (const host of [0, 1, 2]) start(host)
    let last = await nextStint(marks, [], peers)
    for (let done = 0; done < count; done++) {
      const fault = FAULTS[done % FAULTS.length]!
      const host = leaderOf(peers)
      const seen = await readdir(marks)
      if (fault === 'cut') hosts.separate(host, STORE_HOST)
      else peers[host]!.child.kill(fault === 'pause' ? 'SIGSTOP' : 'SIGKILL')
      last = await nextStint(marks, seen, peers)
      if (fault === 'cut') hosts.heal()
      else if (fault === 'pause') peers[host]!.child.kill('SIGCONT')
      else start(host)
      tell(`${fault} ${done + 1}: ${last}`)
      // The peer that was troubled takes part again before the next fault.
      await delay(store.leaseTime / 2)
    }
    return await troublesIn(marks)
  } finally {
    for (const { child } of peers) child.kill('SIGCONT')
    for (const { child } of peers) child.kill('SIGKILL')
    await Promise.all(peers.map(({ ended }) => ended))
    await cluster.stop()
  }
}

/** The host whose peer has said last that it leads. */
function leaderOf(peers: readonly RunningCommand[]): number {
  const epochs = peers.map(({ stderr }) =>
    Number([...stderr.matchAll(/this peer leads\D*\(epoch (\d+)\)/g)].at(-1)?.[1] ?? 0)
  )
  return epochs.indexOf(Math.max(...epochs))
}

/** Resolves with the name of a stint that is not among `seen`. */
async function nextStint(marks: string, seen: readonly string[], peers: readonly RunningCommand[]): Promise<string> {
  const until = performance.now() + LIMIT_MS
  for (;;) {
    const found = existsSync(marks) ? (await readdir(marks)).find(name => !seen.includes(name)) : undefined
    if (found !== undefined) return found
    if (performance.now() > until) throw new Error(`nobody leads:\n${peers.map(({ stderr }) => stderr).join('\n')}`)
    await delay(5)
  }
}

async function troublesIn(marks: string): Promise<Troubles> {
  const stints = await stintsIn(marks)
  const gaps = gapsBetween(stints)
  return { stints: stints.length, overlaps: gaps.filter(gap => gap <= 0).length, gaps: gaps.filter(gap => gap > 0) }
}
