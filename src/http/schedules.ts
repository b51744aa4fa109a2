/** Serves `/api/schedules`. */
import type { ScheduleInfo, Schedules } from '../api/schedule-types.ts'
import type { Peer } from '../api/types.ts'
import { NoSuchScheduleError } from '../common/errors.ts'
import { signalAfter } from '../lib/abort.ts'
import { ANSWER_MS, checkLeader, late } from './leader.ts'
import type { Shared } from './shared.ts'
import { sharedList } from './shared-list.ts'
import type { ScheduleRequest } from './submission.ts'
import { withFile } from './task-file.ts'

type AskedPeer = Pick<Peer, 'leader' | 'status' | 'schedules'>

export class HttpSchedules {
  readonly #peer: AskedPeer
  readonly #stopped: AbortSignal
  readonly #list: Shared<ScheduleInfo[]>

  constructor(peer: AskedPeer, stopped: AbortSignal) {
    this.#peer = peer
    this.#stopped = stopped
    this.#list = sharedList(peer, stopped, 'schedules', signal => peer.schedules.list({ signal }))
  }

  list(): Promise<ScheduleInfo[]> {
    return this.#list.get()
  }

  /** @throws NoSuchScheduleError */
  async get(name: string): Promise<ScheduleInfo> {
    const found = (await this.list()).find(each => each.name === name)
    if (found === undefined) throw new NoSuchScheduleError(name)
    return found
  }

  async add({ name, cron, task, source, input, options }: ScheduleRequest): Promise<ScheduleInfo> {
    return await this.#ask((schedules, signal) => {
      const add = (path: string): Promise<ScheduleInfo> =>
        schedules.add<unknown, unknown>(name, cron, path, input, { ...options, signal })
      return source === undefined ? add(task as string) : withFile(source, add)
    })
  }

  remove(name: string): Promise<void> {
    return this.#ask((schedules, signal) => schedules.remove(name, { signal }))
  }

  pause(name: string): Promise<ScheduleInfo> {
    return this.#ask((schedules, signal) => schedules.pause(name, { signal }))
  }

  resume(name: string): Promise<ScheduleInfo> {
    return this.#ask((schedules, signal) => schedules.resume(name, { signal }))
  }

  /** Resolves with the id of the job. */
  run(name: string): Promise<string> {
    return this.#ask((schedules, signal) => schedules.run(name, { signal }))
  }

  async #ask<T>(use: (schedules: Schedules, signal: AbortSignal) => Promise<T>): Promise<T> {
    await checkLeader(this.#peer, this.#stopped)
    try {
      return await use(this.#peer.schedules, AbortSignal.any([this.#stopped, signalAfter(ANSWER_MS)]))
    } catch (error) {
      throw late(error, 'answered')
    }
  }
}
