/** Reads from the document of a dashboard page what the page shows. */
import type { Locator, Page } from 'playwright-core'

export interface DashboardInit {
  /** The colour scheme. Default: `light`. */
  scheme?: 'light' | 'dark'
  /** The size in CSS pixels. Default: 1280×900. */
  width?: number
  height?: number
}

/** The cluster as the page shows it, or as `status --json` reports it. */
export interface Picture {
  cluster: string
  leader: string
  epoch: number | null
  /** The state of each member. */
  members: Record<string, string>
  /** The members that the table marks as the leader. */
  leads: string[]
  jobs: Record<string, { state: string; done: number; total: number | null }>
}

/** The part of the output of `status --json` that the tests compare. */
export interface Status {
  cluster: string
  leader: string | null
  epoch: number | null
  members: Array<{ peerId: string; state: string; role: string; slots: number }>
  jobs: Array<{ jobId: string; task: string; state: string; done: number; total: number | null }>
}

/** Returns the picture that the page should show for a status. */
export function pictureOf({ cluster, leader, epoch, members, jobs }: Status): Picture {
  return {
    cluster,
    leader: leader ?? '',
    epoch,
    members: Object.fromEntries(members.map(({ peerId, state }) => [peerId, state])),
    leads: leader === null ? [] : [leader],
    jobs: Object.fromEntries(jobs.map(({ jobId, state, done, total }) => [jobId, { state, done, total }]))
  }
}

/** A leader that the page showed. `at` is the time in ms since the Unix epoch. */
export interface SeenLeader {
  id: string
  epoch: string
  at: number
}

export class Dashboard {
  readonly page: Page
  /** The URL of the page, without a slash at the end. */
  readonly url: string
  /** The URLs of all requests of the browser. */
  readonly requests: string[] = []
  /** Errors and warnings of the page and the browser, including violations of the page's content security policy. */
  readonly complaints: string[] = []

  private constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    page.context().on('request', request => this.requests.push(request.url()))
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text())
    })
    page.on('pageerror', error => this.complaints.push(String(error.stack ?? error)))
  }

  static async open(page: Page, url: string): Promise<Dashboard> {
    const dashboard = new Dashboard(page, url)
    await page.addInitScript(watchLeaders)
    await page.goto(url)
    await dashboard.$('#members tr[data-peer]').first().waitFor()
    return dashboard
  }

  $(selector: string): Locator {
    return this.page.locator(selector)
  }

  member(id: string): Locator {
    return this.$(`#members tr[data-peer="${id}"]`)
  }

  job(id: string): Locator {
    return this.$(`#jobs tr[data-job="${id}"]`)
  }

  /** Returns the entries of the event log, the newest first. */
  async log(): Promise<string[]> {
    return await this.$('#log li').allTextContents()
  }

  async picture(): Promise<Picture> {
    return await this.page.evaluate(() => {
      const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)]
      const number = (text: string | undefined): number | null =>
        text === undefined || text === '' ? null : Number(text)
      const { leaderId = 'missing', epoch } = document.querySelector<HTMLElement>('#leader')?.dataset ?? {}
      return {
        cluster: document.title.replace(/^p2p-worker · /, ''),
        leader: leaderId,
        epoch: number(epoch),
        members: Object.fromEntries(
          all('#members tr[data-peer]').map(({ dataset }) => [dataset.peer!, dataset.state ?? ''])
        ),
        leads: all('#members tr[data-is-leader]').map(({ dataset }) => dataset.peer!),
        jobs: Object.fromEntries(
          all('#jobs tr[data-job]').map(({ dataset: { job, state = '', done, total } }) => [
            job!,
            { state, done: Number(done), total: number(total) }
          ])
        )
      }
    })
  }

  /** Returns the states that the ring shows, and the members that the ring marks as the leader. */
  async ring(): Promise<Pick<Picture, 'members' | 'leads'>> {
    return await this.page.evaluate(() => {
      const all = [...document.querySelectorAll<SVGGElement>('#ring g[data-ring-peer]')]
      return {
        members: Object.fromEntries(all.map(({ dataset }) => [dataset.ringPeer!, dataset.state ?? ''])),
        leads: all.filter(({ dataset }) => 'isLeader' in dataset).map(({ dataset }) => dataset.ringPeer!)
      }
    })
  }

  /** Returns the leaders that the page has shown, in order, each with the time at which the page showed the leader. */
  async leaders(): Promise<SeenLeader[]> {
    return await this.page.evaluate(() => (window as unknown as { seenLeaders: SeenLeader[] }).seenLeaders)
  }

  /** Returns the number of done chunks of each peer in the legend of the chunk map. Leaves out peers that have done no chunk. */
  async chunksDone(): Promise<Record<string, number>> {
    return await this.page.evaluate(() => {
      const all = [...document.querySelectorAll<HTMLElement>('#chunks [data-chunk-peer]')]
      const counts = all.map(({ dataset }) => [dataset.chunkPeer!, Number(dataset.done)] as const)
      return Object.fromEntries(counts.filter(([, count]) => count > 0))
    })
  }

  /** Opens the chunk map of a job with the button of this job. */
  async showChunks(jobId: string): Promise<void> {
    await this.job(jobId).getByRole('button', { name: /chunk/i }).click()
    await this.$(`#chunks canvas[data-job="${jobId}"]`).waitFor()
  }

  async enterToken(token: string): Promise<void> {
    await this.$('#token').fill(token)
    await this.$('#token').press('Enter')
  }

  /** Returns the URLs of requests to hosts other than the peer that serves the page. */
  strayRequests(): string[] {
    return this.requests.filter(url => !url.startsWith(`${this.url}/`) && !/^(?:data|blob):/.test(url))
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }
}

/** Records the leaders that the page shows. This function runs in the page before the scripts of the page. */
function watchLeaders(): void {
  const seenLeaders: SeenLeader[] = []
  Object.assign(window, { seenLeaders })
  const look = (): void => {
    const { leaderId: id, epoch = '' } = document.querySelector<HTMLElement>('#leader')?.dataset ?? {}
    const last = seenLeaders.at(-1)
    if (id === undefined || (last?.id === id && last.epoch === epoch)) return
    const seen = { id, epoch, at: Number.POSITIVE_INFINITY }
    seenLeaders.push(seen)
    // A task that an animation frame schedules runs after this frame has been drawn.
    requestAnimationFrame(() =>
      setTimeout(() => {
        seen.at = Date.now()
      })
    )
  }
  const attributeFilter = ['data-leader-id', 'data-epoch']
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributeFilter })
}
