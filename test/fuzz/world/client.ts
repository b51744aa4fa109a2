/** A client whose only peer is hostile. The client always has requests in progress, and believes every answer. */
import type { PrivateKey } from '@libp2p/interface'
import { Attachment } from '../../../src/attach/attachment.ts'
import { attachedLeaderSource } from '../../../src/attach/leader-source.ts'
import { P2pWorkerError } from '../../../src/common/errors.ts'
import { createHistory, type History } from '../../../src/election/history.ts'
import { ItemSource } from '../../../src/jobs/client/item-source.ts'
import { createJobClient, type JobClient } from '../../../src/jobs/client/job-client.ts'
import type { StreamOrder } from '../../../src/jobs/protocol/submit-messages.ts'
import type { Job } from '../../../src/jobs/shared/types.ts'
import { allowManyListeners } from '../../../src/lib/abort.ts'
import { type AttachedLocks, createLockClient } from '../../../src/locks/locks.ts'
import type { Network } from '../../../src/network/types.ts'
import { type AttachedSchedules, createScheduleClient } from '../../../src/schedules/schedules.ts'
import { codeHash } from '../../../src/tasks/execute/code-store.ts'
import { encode } from '../../../src/tasks/values/payload.ts'
import { told } from '../find.ts'
import { FuzzNetwork, type Hub } from './network.ts'

const code = new TextEncoder().encode('export default {}')
export const bundle = { code, sha256: codeHash(code), name: 'task', folder: '/tasks' }

/** The jobs of the client. */
export const CLIENT_JOBS = ['plain', 'read', 'ordered', 'unordered', 'watched'] as const
/** The locks of the client. */
export const CLIENT_LOCKS = ['mine', 'ours'] as const
type ClientJobName = (typeof CLIENT_JOBS)[number]

export class FuzzClient {
  readonly network: FuzzNetwork
  readonly #attachment: Attachment
  readonly #jobs: JobClient
  readonly #history: History
  readonly #locks: AttachedLocks
  readonly #schedules: AttachedSchedules
  readonly #hostile: string
  readonly #open = new Set<string>()
  readonly #stopped = new AbortController()

  constructor(hub: Hub, privateKey: PrivateKey, hostile: string) {
    allowManyListeners(this.#stopped.signal)
    this.#hostile = hostile
    this.network = new FuzzNetwork(hub, privateKey, [hostile])
    const network = this.network as unknown as Network
    this.#attachment = new Attachment(network)
    const leaderSource = attachedLeaderSource(this.#attachment)
    this.#jobs = createJobClient({ network, leaderSource })
    this.#locks = createLockClient({ network, leaderSource })
    this.#schedules = createScheduleClient({ network, leaderSource })
    this.#history = createHistory(network)
  }

  /** Starts again every request that has ended. */
  keepBusy(): void {
    for (const name of CLIENT_JOBS) this.#keep(name, () => this.#follow(name))
    this.#keep('overview', async () => void (await this.#jobs.overview(this.#stopped.signal)))
    for (const name of CLIENT_LOCKS) this.#keep(name, () => this.#hold(name))
    this.#keep('locks', async () => void (await this.#locks.states(this.#stopped.signal)))
    this.#keep('schedules', async () => void (await this.#schedules.states(this.#stopped.signal)))
    this.#keep('pause', async () => {
      await this.#schedules.ask({ type: 'pause', name: 'nightly' }, this.#stopped.signal)
    })
    this.#keep('history', async () => void (await this.#history.ask(this.#hostile, this.#stopped.signal)))
  }

  async stop(): Promise<void> {
    this.#stopped.abort(new P2pWorkerError('stopped'))
    await this.#history.stop()
    await this.#jobs.stop()
    await this.#locks.stop()
    await this.#schedules.stop()
    await this.#attachment.stop()
  }

  #keep(name: string, run: () => Promise<void>): void {
    if (this.#open.has(name)) return
    this.#open.add(name)
    run()
      .catch((error: unknown) => {
        // The library reports expected faults as a P2pWorkerError, so any other error is a find.
        if (!(error instanceof P2pWorkerError)) this.network.found(`a client's ${name} failed with ${told(error)}`)
      })
      .finally(() => this.#open.delete(name))
  }

  /** Holds a lock until the hostile leader takes it away. */
  async #hold(name: string): Promise<void> {
    const { signal } = this.#stopped
    const lock = { kind: 'lock', name, limit: 1, ttl: 10_000, owner: 'client', wait: 60_000 } as const
    const session = await this.#locks.acquire({ ...lock, signal })
    await new Promise<void>(resolve => {
      session.lost.addEventListener('abort', () => resolve(), { once: true })
      setTimeout(resolve, 5_000)
    })
    await session.release()
  }

  async #follow(name: ClientJobName): Promise<void> {
    const { signal } = this.#stopped
    if (name === 'watched') {
      await (await this.#jobs.attach(name, { signal })).result({ signal })
      return
    }
    const job = await this.#submit(name)
    if (name !== 'plain') await this.#read(job)
    await job.result({ signal })
  }

  #submit(name: ClientJobName): Promise<Job<unknown, unknown>> {
    const { signal } = this.#stopped
    const parts = { bundle, input: encode(3, 'input') }
    if (name === 'plain' || name === 'read')
      return this.#jobs.submit(parts, { id: name, partials: name === 'read', signal })
    const items = new ItemSource({ source: Array.from({ length: 50 }, (_, i) => i), onFailed: () => {} })
    return this.#jobs.submit(parts, { id: name, signal }, { items, order: name satisfies string as StreamOrder })
  }

  async #read(job: Job<unknown, unknown>): Promise<void> {
    for await (const _ of job.partials()) if (this.#stopped.signal.aborted) return
  }
}
