import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { HeadlessBrowser } from './browser.ts'
import type { Dashboard } from './dashboard.ts'
import { sameAsStatus } from './same-as-status.ts'
import { joinServed, startGated, startServed, urlOf } from './served-cluster.ts'

const shortOf = (id: string): string => id.slice(-8)

needs('chromium').describe('the dashboard', () => {
  let browser: HeadlessBrowser
  let cluster: ProcessCluster
  let dashboard: Dashboard
  /** The peer that serves the page. This peer does not lead while a higher-ranked peer lives. */
  let lowest: PeerProcess

  beforeAll(async () => {
    browser = await HeadlessBrowser.start()
    cluster = await startServed(4)
    lowest = cluster.byRank().at(-1)!
    dashboard = await browser.open(urlOf(lowest))
  })

  afterEach(() => {
    expect(dashboard.strayRequests()).toEqual([])
    expect(dashboard.complaints).toEqual([])
  })

  afterAll(async () => {
    await browser?.stop()
    await cluster?.stop()
  })

  it('the dashboard shows the same leader, epoch and members as `status`', async () => {
    const { leader, members } = await sameAsStatus(cluster, dashboard)
    expect(Object.values(members)).toEqual(['alive', 'alive', 'alive', 'alive'])
    expect(await dashboard.page.title()).toBe('p2p-worker · test')
    expect(await dashboard.$('#leader').textContent()).toContain(shortOf(leader))
    const row = await dashboard.member(leader).textContent()
    for (const word of ['alive', 'auto', shortOf(leader)]) expect(row).toContain(word)
    expect(await dashboard.$('#ring').getAttribute('role')).toBe('img')
    expect(await dashboard.$('#ring').getAttribute('aria-label')).toMatch(/\w/)
  })

  it('the dashboard shows a waiting job as `status` does, and shows the name of the task as plain text', async () => {
    const job = await startGated(cluster, { n: 40, open: 12 })
    await expect.poll(async () => (await dashboard.picture()).jobs[job.id]?.done).toBeGreaterThan(0)
    // When all chunks are known, the job waits for its gate, and the numbers of the job do not change.
    await expect.poll(async () => (await dashboard.picture()).jobs[job.id]?.total).toBe(40)
    const { jobs } = await sameAsStatus(cluster, dashboard)
    expect(jobs[job.id]).toMatchObject({ state: 'running', total: 40 })
    expect(await dashboard.job(job.id).textContent()).toContain(
      '<img src="/x" onerror="document.title=1"> & <b>gated</b>'
    )
    expect(await dashboard.$('#jobs img, #jobs b, #log img, #chunks img').count()).toBe(0)
    const { value, max, done } = await dashboard.job(job.id).evaluate((row: HTMLElement) => {
      const bar = row.querySelector('progress')
      return { value: bar?.value ?? 0, max: bar?.max ?? 0, done: Number(row.dataset.done) }
    })
    expect(value / max).toBeCloseTo(done / 40)
    await job.open()
    expect(await job.outcome()).toMatchObject({ state: 'completed', result: 780 })
    await sameAsStatus(cluster, dashboard)
    expect((await dashboard.picture()).jobs[job.id]).toEqual({ state: 'completed', done: 40, total: 40 })
  })

  it('the dashboard shows a peer that joins', async () => {
    const peer = await joinServed(cluster)
    const { members } = await sameAsStatus(cluster, dashboard)
    expect(members[peer.id]).toBe('alive')
    await cluster.settled()
  })

  it('the dashboard shows a killed worker as dead', async () => {
    const worker = cluster.byRank().find((peer, index) => index > 0 && peer !== lowest)!
    await worker.end('SIGKILL')
    await dashboard
      .$(`#log li[data-event="member"]:has-text("${shortOf(worker.id)}")`)
      .first()
      .waitFor()
    await expect.poll(async () => (await dashboard.picture()).members[worker.id]).toBe('dead')
    await sameAsStatus(cluster, dashboard)
    expect(await dashboard.member(worker.id).textContent()).toContain('dead')
  })

  it('the dashboard shows a new leader within a second after the announcement of this leader, and then agrees with `status`', async () => {
    const [old, next] = cluster.byRank() as [PeerProcess, PeerProcess]
    const job = await startGated(cluster, { n: 30, open: 6 })
    await expect.poll(async () => (await dashboard.picture()).jobs[job.id]?.done).toBeGreaterThan(0)
    await old.end('SIGKILL')
    await expect.poll(async () => (await dashboard.leaders()).at(-1)).toMatchObject({ id: next.id })
    const told = lowest.events.findLast(({ event, peerId }) => event === 'leader' && peerId === next.id)!
    await expect.poll(async () => (await dashboard.leaders()).at(-1)?.at).toBeLessThan(Number.POSITIVE_INFINITY)
    const seen = (await dashboard.leaders()).at(-1)!
    expect(Number(seen.epoch)).toBe(told.epoch)
    expect(seen.at - Date.parse(told.time)).toBeLessThan(1_000)

    const { leader, members, jobs } = await sameAsStatus(cluster, dashboard)
    expect(leader).toBe(next.id)
    expect(members[old.id]).toBe('dead')
    expect(jobs[job.id]).toMatchObject({ state: 'running', total: 30 })
    const leaders = await dashboard.$('#log li[data-event="leader"]').allTextContents()
    expect(leaders[0]).toContain(shortOf(next.id))
    await job.open()
    expect(await job.outcome()).toMatchObject({ state: 'completed', result: 435 })
    await sameAsStatus(cluster, dashboard)
  })

  it('the dashboard and its log show a peer that left', async () => {
    const [, , third] = [...cluster.byRank(), undefined] as [PeerProcess, PeerProcess, PeerProcess | undefined]
    const leaving = third !== undefined && third !== lowest ? third : cluster.byRank()[0]!
    await leaving.end('SIGTERM')
    await expect.poll(async () => (await dashboard.picture()).members[leaving.id]).toBe('left')
    await sameAsStatus(cluster, dashboard)
    expect(await dashboard.log()).toContainEqual(expect.stringMatching(new RegExp(`${shortOf(leaving.id)}.*left`, 's')))
  })
})
