/** A simulated store that grants the lease of the leader, like the stores in src/election/store. Its process can crash and restart, its data cannot. */
import { type StoreRules, storeRules } from '../../src/election/store/store-lease.ts'
import type { Host, Process } from './world.ts'

export const STORE = 'store'

export type StoreRequest =
  | { type: 'acquire'; request: number; session: string; holder: string; leaseTime: number; above: number }
  | { type: 'renew'; request: number; session: string; leaseTime: number }
  | { type: 'give'; session: string; heir: string | undefined; leaseTime: number }
  | { type: 'watch' }
  | { type: 'probe'; session: string }

export type StoreReply =
  | { type: 'acquired'; request: number; session: string; epoch: number | undefined }
  | { type: 'renewed'; request: number; session: string; isHeld: boolean }
  | { type: 'probed'; session: string }
  | { type: 'state'; holder: string | undefined; heir: string | undefined; endsIn: number | undefined }

/** The data of the store, which outlives its process. Times are by the store's clock. */
export interface StoreData {
  session: string | undefined
  holder: string | undefined
  heir: string | undefined
  /** When the lease, or the reservation for the heir, ends. */
  until: number
  /** The epoch of the last lease. */
  epoch: number
}

export function emptyStore(): StoreData {
  return { session: undefined, holder: undefined, heir: undefined, until: 0, epoch: 0 }
}

export interface SimulatedStoreInit {
  host: Host
  data: StoreData
  /** The clock of the store, in ms. It goes on while the process is down. */
  now: () => number
  rules?: StoreRules | undefined
}

export class SimulatedStore implements Process {
  readonly #init: SimulatedStoreInit
  readonly #watchers = new Set<string>()

  constructor(init: SimulatedStoreInit) {
    this.#init = init
  }

  start(): void {}

  gossip(): void {}

  receive(from: string, _protocol: string, message: unknown): void {
    this.#expire()
    const request = message as StoreRequest
    switch (request.type) {
      case 'acquire':
        this.#reply(from, { ...request, type: 'acquired', epoch: this.#acquire(request) })
        break
      case 'renew':
        this.#reply(from, { ...request, type: 'renewed', isHeld: this.#renew(request) })
        break
      case 'give':
        this.#give(request)
        break
      case 'probe':
        this.#reply(from, { ...request, type: 'probed' })
        break
      case 'watch':
        this.#watchers.add(from)
        this.#tell(from)
        break
    }
  }

  timer(): void {
    this.#expire()
    this.#timeEnd()
  }

  #acquire({ session, holder, leaseTime, above }: Extract<StoreRequest, { type: 'acquire' }>): number | undefined {
    const { data, rules = storeRules } = this.#init
    const isReserved = data.heir !== undefined && data.heir !== holder
    if (isReserved || (data.session !== undefined && data.session !== session)) return undefined
    const epoch = rules.epochAfter(data.epoch, above)
    this.#change({ session, holder, heir: undefined, until: this.#init.now() + leaseTime, epoch })
    return epoch
  }

  #renew({ session, leaseTime }: Extract<StoreRequest, { type: 'renew' }>): boolean {
    if (this.#init.data.session !== session) return false
    this.#init.data.until = this.#init.now() + leaseTime
    this.#timeEnd()
    return true
  }

  #give({ session, heir, leaseTime }: Extract<StoreRequest, { type: 'give' }>): void {
    if (this.#init.data.session !== session) return
    this.#change({ session: undefined, holder: undefined, heir, until: this.#init.now() + leaseTime })
  }

  #expire(): void {
    const { data, now } = this.#init
    if (data.until > now() || (data.session === undefined && data.heir === undefined)) return
    this.#change({ session: undefined, holder: undefined, heir: undefined })
  }

  #change(changes: Partial<StoreData>): void {
    Object.assign(this.#init.data, changes)
    const { session, holder, heir, epoch } = this.#init.data
    this.#init.host.trace(`keeps ${session ?? `nothing${heir === undefined ? '' : ` but for ${heir}`}`} @${epoch}`)
    for (const watcher of this.#watchers) this.#tell(watcher)
    if (holder !== undefined || heir !== undefined) this.#timeEnd()
  }

  #tell(to: string): void {
    const { data, now } = this.#init
    const { holder, heir, until } = data
    this.#reply(to, { type: 'state', holder, heir, endsIn: Math.max(0, until - now()) })
  }

  #timeEnd(): void {
    const { host, data, now } = this.#init
    if (data.session !== undefined || data.heir !== undefined) host.timer('expire', Math.max(1, data.until - now()))
  }

  #reply(to: string, reply: StoreReply): void {
    this.#init.host.send(to, STORE, reply)
  }
}
