/** Measures the effects of a pause (SIGSTOP, later SIGCONT) on the paused process and on the other members. */
import { setTimeout as delay } from 'node:timers/promises'
import { peersOnLoopback, said, saysOf } from './clusters.ts'
import { using } from './resources.ts'

const PEERS = 5
const SHORT_MS = 2_000
const LONG_MS = 60_000
/** The time to wait for delayed verdicts, in ms. This time is longer than a suspicion in a cluster of this size. */
const AFTERWARDS_MS = 8_000
const LIMIT = 60_000

export interface ShortPauses {
  runs: number
  /** The `dead` verdicts of all observers about all members. */
  dead: number
  /** The suspicions of all observers. */
  suspect: number
}

/** Pauses one of five peers for 2 s, a different peer in each run. */
export async function shortPauses(runs: number, tell: (what: string) => void): Promise<ShortPauses> {
  return await using(peersOnLoopback(PEERS), async cluster => {
    const since = performance.now()
    const seen = (): ShortPauses => ({
      runs,
      dead: said(cluster.peers, 'dead', since).length,
      suspect: said(cluster.peers, 'suspect', since).length
    })
    for (let run = 0; run < runs; run++) {
      const { child } = cluster.byRank()[run % PEERS]!
      child.kill('SIGSTOP')
      await delay(SHORT_MS)
      child.kill('SIGCONT')
      await delay(AFTERWARDS_MS)
      tell(`pause of 2 s, run ${run + 1}: ${seen().dead} dead, ${seen().suspect} suspect so far`)
    }
    return seen()
  })
}

export interface LongPause {
  /** The time from SIGCONT until all other peers report the paused peer alive, in ms. */
  backAfter: number
  /** The number of verdicts, by any peer after SIGCONT, about members that were never paused. */
  wronglySuspect: number
  wronglyDead: number
}

/** Pauses one of five peers for 60 s. */
export async function longPauses(runs: number, tell: (what: string) => void): Promise<LongPause[]> {
  const pauses: LongPause[] = []
  for (let run = 0; run < runs; run++) {
    pauses.push(await using(peersOnLoopback(PEERS), cluster => longPause(cluster.byRank(), run)))
    const { backAfter, wronglySuspect, wronglyDead } = pauses.at(-1)!
    tell(
      `pause of 60 s, run ${run + 1}: back after ${backAfter.toFixed(0)} ms; ${wronglySuspect} suspect, ${wronglyDead} dead`
    )
  }
  return pauses
}

async function longPause(peers: Awaited<ReturnType<typeof peersOnLoopback>>['peers'], run: number): Promise<LongPause> {
  const stopped = peers[run % PEERS]!
  const others = peers.filter(peer => peer !== stopped)
  const began = performance.now()
  stopped.child.kill('SIGSTOP')
  await Promise.all(others.map(peer => saysOf(peer, stopped.id, 'dead', began, LIMIT)))
  await delay(began + LONG_MS - performance.now())
  const woken = performance.now()
  stopped.child.kill('SIGCONT')
  const back = await Promise.all(others.map(peer => saysOf(peer, stopped.id, 'alive', woken, LIMIT)))
  await delay(AFTERWARDS_MS)
  const wrongly = (state: string): number => said(peers, state, woken).filter(({ of }) => of !== stopped.id).length
  return { backAfter: Math.max(...back) - woken, wronglySuspect: wrongly('suspect'), wronglyDead: wrongly('dead') }
}
