import { readFile } from 'node:fs/promises'
import { InvalidOptionError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { atMost } from '../lib/abort.ts'
import { DurableFile } from './durable-file.ts'

/**
 * The delay before changed addresses are written, in ms. The addresses change with every member, and a crash may lose a
 * few seconds of these changes.
 */
const ADDRESSES_AFTER = 2_000
/** The interval at which a failed write is retried, in ms. */
const RETRY_AFTER = 2_000
/**
 * The time limit of a write, in ms. A slower write counts as failed until it ends, because elections must not wait for
 * a disk that hangs.
 */
const WRITE_LIMIT = 1_000
const VERSION = 1

/** The state that a peer stores for its next run. */
export interface RememberedState {
  /** The newest incarnation of the peer's own record; `undefined` before the first run. */
  incarnation: number | undefined
  /** The newest epoch that the peer has accepted or minted; 0: none. */
  epoch: number
  /** The latest promise that the peer gave as a voter; `undefined`: none. */
  promised: { epoch: number; holder: string } | undefined
  /** The newest COORDINATOR message that the peer has accepted, signed by its leader, in base64; `undefined`: none. */
  accepted: string | undefined
  /** Multiaddrs of members, with `/p2p/<id>`. */
  addresses: readonly string[]
}

/**
 * A small JSON file, which a separate thread writes. One write runs at a time, and the next write contains all changes
 * that arrive during the present write. While the disk is full or hangs, the old file stays. The newest state is
 * written as soon as the disk works again.
 */
export class StateFile {
  readonly #file: string
  readonly #disk: DurableFile
  readonly #cluster: string
  readonly #logger: Logger | undefined
  #state: RememberedState
  /** The promise that is on disk. */
  #promisedOnDisk: RememberedState['promised']
  #addresses: (() => readonly string[] | undefined) | undefined
  #timer: NodeJS.Timeout | undefined
  /** The timer of the next attempt; set while writes fail. */
  #retry: NodeJS.Timeout | undefined
  readonly #listeners = new Set<(writable: boolean) => void>()
  #running: Promise<boolean> = Promise.resolve(true)
  /** The write after the running write. It contains all changes that arrive before it begins. */
  #next: Promise<boolean> | undefined
  /** Whether the running write has exceeded the time limit. */
  #hangs = false
  #closed = false

  private constructor(file: string, cluster: string, state: RememberedState, logger: Logger | undefined) {
    this.#file = file
    this.#disk = new DurableFile(file)
    this.#cluster = cluster
    this.#state = state
    this.#promisedOnDisk = state.promised
    this.#logger = logger
  }

  /** @throws InvalidOptionError when the file belongs to another cluster, or is no state file */
  static async read(file: string, cluster: string, logger: Logger | undefined): Promise<StateFile> {
    const none: RememberedState = {
      incarnation: undefined,
      epoch: 0,
      promised: undefined,
      accepted: undefined,
      addresses: []
    }
    let text: string
    try {
      text = await readFile(file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new StateFile(file, cluster, none, logger)
      throw error
    }
    const saved = parse(text)
    if (saved === undefined) {
      throw new InvalidOptionError(
        `${file} is broken, or was written by a newer version: remove it. The peer then needs --bootstrap or mDNS to find its cluster. If the peer is a voter, it has forgotten its promise: wait for a lease time before you start it`
      )
    }
    if (saved.cluster !== cluster) {
      throw new InvalidOptionError(
        `${file} belongs to a peer of cluster ${saved.cluster}, not of ${cluster}: give another folder, or --cluster ${saved.cluster}`
      )
    }
    return new StateFile(file, cluster, saved.state, logger)
  }

  get remembered(): RememberedState {
    return this.#state
  }

  /** Writes a newer incarnation. Resolves with whether the incarnation is on disk. */
  raise({ incarnation }: { incarnation: number }): Promise<boolean> {
    const { incarnation: before = -1 } = this.#state
    if (incarnation <= before) return this.#next ?? this.#running
    this.#state = { ...this.#state, incarnation }
    return this.#write()
  }

  /** Whether the last write succeeded. */
  get writable(): boolean {
    return this.#retry === undefined
  }

  /** Calls the listener when `writable` changes. The returned function removes the listener. */
  onWritable(listener: (writable: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get promised(): RememberedState['promised'] {
    return this.#state.promised
  }

  /**
   * Writes a promise. Resolves with whether the promise is on disk, because a voter must not give a promise that it
   * cannot store.
   */
  keepPromise(promised: { epoch: number; holder: string }): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false)
    this.#state = { ...this.#state, promised }
    return this.#write()
  }

  get accepted(): Uint8Array | undefined {
    const { accepted } = this.#state
    return accepted === undefined ? undefined : Buffer.from(accepted, 'base64')
  }

  /**
   * Writes the newest leadership that the peer has accepted. Resolves when the write has ended; a failed write is
   * repeated.
   */
  async keepAccepted(signed: Uint8Array, epoch: number): Promise<void> {
    const accepted = Buffer.from(signed).toString('base64')
    this.#state = { ...this.#state, accepted, epoch: Math.max(this.#state.epoch, epoch) }
    await this.#write()
  }

  /**
   * Writes the result of `addresses` after a delay, in place of the earlier addresses. If the result is `undefined`,
   * the earlier addresses stay.
   */
  remember(addresses: () => readonly string[] | undefined): void {
    if (this.#closed) return
    this.#addresses = addresses
    this.#timer ??= setTimeout(() => this.#rememberNow(), ADDRESSES_AFTER).unref()
  }

  /** Waits for the last write, but does not wait for a write that hangs. After this call nothing is written. */
  async close(): Promise<void> {
    if (this.#timer !== undefined) this.#rememberNow()
    if (this.#retry !== undefined) void this.#write()
    clearTimeout(this.#timer)
    this.#closed = true
    await atMost(this.#next ?? this.#running, WRITE_LIMIT)
    clearTimeout(this.#retry)
    await this.#disk.close()
  }

  #rememberNow(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const addresses = this.#addresses?.() ?? this.#state.addresses
    if (String(addresses) === String(this.#state.addresses)) return
    this.#state = { ...this.#state, addresses }
    void this.#write()
  }

  /** Writes the state that is current when the running write ends. Resolves with whether this state is on disk. */
  async #write(): Promise<boolean> {
    if (this.#closed) return false
    const begin = (): Promise<boolean> => {
      this.#next = undefined
      this.#running = this.#replace()
      return this.#running
    }
    // An error of the logger must not end the writes.
    this.#next ??= this.#running.then(begin, begin)
    const written = this.#next
    if (this.#hangs) return false
    if (await atMost(written, WRITE_LIMIT)) return await written
    this.#hangs = true
    this.#failed(new Error(`the write takes longer than ${WRITE_LIMIT} ms`))
    return false
  }

  async #replace(): Promise<boolean> {
    const { promised, epoch } = this.#state
    const state = { ...this.#state, epoch: Math.max(epoch, promised?.epoch ?? 0) }
    try {
      await this.#disk.replace(
        `${JSON.stringify({ version: VERSION, cluster: this.#cluster, ...state }, undefined, 2)}\n`
      )
    } catch (error) {
      // The next attempt must not write a promise that was never given.
      if (this.#state.promised === promised) this.#state = { ...this.#state, promised: this.#promisedOnDisk }
      this.#failed(error)
      return false
    } finally {
      this.#hangs = false
    }
    this.#promisedOnDisk = promised
    this.#succeeded()
    return true
  }

  /** Schedules the next attempt. Of several failures in a row, only the first failure is logged. */
  #failed(error: unknown): void {
    const isFirst = this.#retry === undefined
    clearTimeout(this.#retry)
    if (this.#closed) return
    this.#retry = setTimeout(() => void this.#write(), RETRY_AFTER).unref()
    if (!isFirst) return
    this.#logger?.error(
      { file: this.#file, error },
      'the data folder cannot be written: this peer goes on without it, and would lose its latest state in a restart'
    )
    this.#tell(false)
  }

  #succeeded(): void {
    if (this.#retry === undefined) return
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#logger?.warn({ file: this.#file }, 'the data folder can be written again')
    this.#tell(true)
  }

  /** Calls the listeners. An error of a listener must not end the writes. */
  #tell(writable: boolean): void {
    for (const listener of this.#listeners) queueMicrotask(() => listener(writable))
  }
}

function parse(text: string): { cluster: string; state: RememberedState } | undefined {
  let value: Record<string, unknown>
  try {
    value = JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { version, cluster, incarnation, epoch, promised, accepted, addresses } = value
  if (version !== VERSION || typeof cluster !== 'string' || !isCount(epoch)) return undefined
  if (incarnation !== undefined && !isCount(incarnation)) return undefined
  if (promised !== undefined && !isPromise(promised)) return undefined
  if (accepted !== undefined && typeof accepted !== 'string') return undefined
  if (!Array.isArray(addresses) || !addresses.every(address => typeof address === 'string')) return undefined
  return { cluster, state: { incarnation, epoch, promised, accepted, addresses } }
}

function isCount(number: unknown): number is number {
  return Number.isSafeInteger(number) && (number as number) >= 0
}

function isPromise(value: unknown): value is { epoch: number; holder: string } {
  if (typeof value !== 'object' || value === null) return false
  const { epoch, holder } = value as Record<string, unknown>
  return isCount(epoch) && typeof holder === 'string'
}
