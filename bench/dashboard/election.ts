/** When a page shows who leads next, after the leader was killed. */
import { setTimeout as delay } from 'node:timers/promises'
import type { HeadlessBrowser } from '../../test/browser/browser.ts'
import { joinServed, urlOf } from '../../test/browser/served-cluster.ts'
import type { PeerProcess, ProcessCluster } from '../../test/cluster/processes.ts'

/** Between two looks at the page, in ms: it tells itself when it showed what. */
const LOOK_MS = 50

export interface SeenElection {
  /** From what the peer that serves the page told of its new leader until the page showed that, in ms. */
  told: number
  /** From the kill until the page showed the new leader, in ms. */
  killed: number
}

/** Kills the leader once, and starts another peer in its place. */
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
