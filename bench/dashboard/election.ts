/** Measures when a page shows the next leader after the leader was killed. */
import { setTimeout as delay } from 'node:timers/promises'
import type { HeadlessBrowser } from '../../test/browser/browser.ts'
import { joinServed, urlOf } from '../../test/browser/served-cluster.ts'
import type { PeerProcess, ProcessCluster } from '../../test/cluster/processes.ts'

/** The interval between two checks of the page, in ms. The page itself records the time when it showed a leader. */
const LOOK_MS = 50

export interface SeenElection {
  /** The time from the leader event of the peer that serves the page until the page showed the new leader, in ms. */
  told: number
  /** The time from the kill until the page showed the new leader, in ms. */
  killed: number
}

/** Kills the leader, and starts a new peer in its place. */
export async function watchElection(browser: HeadlessBrowser, cluster: ProcessCluster): Promise<SeenElection> {
  await cluster.settled()
  const ranked = cluster.byRank()
  const [leader, next] = ranked as [PeerProcess, PeerProcess]
  const serving = ranked.at(-1)!
  const dashboard = await browser.open(urlOf(serving))
  try {
    while ((await dashboard.leaders()).at(-1)?.id !== leader.id) await delay(LOOK_MS)
    const killedAt = Date.now()
    await leader.end('SIGKILL')
    await serving.follows(next.id)
    let seen = (await dashboard.leaders()).at(-1)
    while (seen?.id !== next.id || !Number.isFinite(seen.at)) {
      await delay(LOOK_MS)
      seen = (await dashboard.leaders()).at(-1)
    }
    const told = serving.events.find(({ event, peerId, epoch }) => {
      return event === 'leader' && peerId === next.id && String(epoch) === seen.epoch
    })!
    return { told: seen.at - Date.parse(told.time), killed: seen.at - killedAt }
  } finally {
    await dashboard.close()
    await joinServed(cluster)
  }
}
