import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { InvalidOptionError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'

/** Addresses change with every member that comes and goes; a few seconds of them may be lost, in ms. */
const ADDRESSES_AFTER = 2_000
/** How often it is tried whether a disk that was full has room again, in ms. */
const RETRY_AFTER = 2_000
const VERSION = 1

/** What a peer remembers of its earlier runs. */
export interface RememberedState {
  /** The newest incarnation of its own record; undefined before the first run. */
  incarnation: number | undefined
  /** The newest epoch that it has accepted or minted; 0: none. */
  epoch: number
  /** To whom it promised itself last, as a voter. */
  promised: { epoch: number; holder: string } | undefined
  /** The newest COORDINATOR that it has accepted, as its leader signed it, in base64. */
  accepted: string | undefined
  /** Multiaddrs of members, with `/p2p/<id>`. */
  addresses: readonly string[]
}

/**
 * A small JSON file. Numbers that must never be used twice are written before the event loop turns; each write replaces the
 * file as a whole once it is on disk, so that a crash, of the machine too, leaves the old one or the new one. While the disk is full the
 * old one stays, and the newest is written as soon as there is room.
 */
export class StateFile {
  readonly #file: string
  readonly #cluster: string
  readonly #logger: Logger | undefined
  #state: RememberedState
  #addresses: (() => readonly string[] | undefined) | undefined
  #timer: NodeJS.Timeout | undefined
  /** Set while the disk does not take what is to be kept. */
  #retry: NodeJS.Timeout | undefined
  readonly #listeners = new Set<(writable: boolean) => void>()
  #closed = false

  private constructor(file: string, cluster: string, state: RememberedState, logger: Logger | undefined) {
    this.#file = file
    this.#cluster = cluster
    this.#state = state
    this.#logger = logger
  }

  /** @throws InvalidOptionError when it is of another cluster, or is no such file */
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
        `${file} is broken, or was written by a newer version: remove it; its peer then has to be told again where its cluster is, and, if it is a voter, has forgotten what it promised: let a lease time pass before it starts`
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

  /** Keeps this before anything else happens, if it is newer than what is kept. */
  raise(change: { incarnation: number }): void {
    const { incarnation: before = -1 } = this.#state
    if (change.incarnation <= before) return
    this.#state = { ...this.#state, incarnation: change.incarnation }
    this.#write()
  }

  /** Whether the disk took what was to be kept last. */
  get writable(): boolean {
    return this.#retry === undefined
  }

  /** Calls the listener when that changes; the returned function ends it. */
  onWritable(listener: (writable: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get promised(): RememberedState['promised'] {
    return this.#state.promised
  }

  /** Says whether it is on disk: a voter that cannot keep a promise must not give it. */
  keepPromise(promised: { epoch: number; holder: string }): boolean {
    const before = this.#state
    this.#state = { ...before, promised, epoch: Math.max(before.epoch, promised.epoch) }
    if (this.#write()) return true
    this.#state = before
    return false
  }

  get accepted(): Uint8Array | undefined {
    const { accepted } = this.#state
    return accepted === undefined ? undefined : Buffer.from(accepted, 'base64')
  }

  keepAccepted(signed: Uint8Array, epoch: number): void {
    const accepted = Buffer.from(signed).toString('base64')
    this.#state = { ...this.#state, accepted, epoch: Math.max(this.#state.epoch, epoch) }
    this.#write()
  }

  /** Keeps soon what `addresses` then gives, in place of those before; undefined: those before are kept. */
  remember(addresses: () => readonly string[] | undefined): void {
    if (this.#closed) return
    this.#addresses = addresses
    this.#timer ??= setTimeout(() => this.#rememberNow(), ADDRESSES_AFTER).unref()
  }

  close(): void {
    if (this.#timer !== undefined) this.#rememberNow()
    else if (this.#retry !== undefined) this.#write()
    clearTimeout(this.#retry)
    this.#closed = true
  }

  #rememberNow(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const addresses = this.#addresses?.() ?? this.#state.addresses
    if (String(addresses) === String(this.#state.addresses)) return
    this.#state = { ...this.#state, addresses }
    this.#write()
  }

  #write(): boolean {
    if (this.#closed) return false
    const content = { version: VERSION, cluster: this.#cluster, ...this.#state }
    const draft = `${this.#file}.tmp`
    try {
      writeFileSync(draft, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600, flush: true })
      renameSync(draft, this.#file)
      syncFolder(dirname(this.#file))
    } catch (error) {
      // Half of it would take the room that is missing.
      removeIfPossible(draft)
      this.#failed(error)
      return false
    }
    this.#succeeded()
    return true
  }

  /** Says so once, however often it is tried, and tries again. */
  #failed(error: unknown): void {
    const isFirst = this.#retry === undefined
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#write(), RETRY_AFTER).unref()
    if (!isFirst) return
    this.#logger?.error(
      { file: this.#file, error },
      'the data folder cannot be written: this peer goes on without, and would know less after a restart'
    )
    for (const listener of this.#listeners) listener(false)
  }

  #succeeded(): void {
    if (this.#retry === undefined) return
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#logger?.warn({ file: this.#file }, 'the data folder can be written again')
    for (const listener of this.#listeners) listener(true)
  }
}

function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // The next draft replaces it.
  }
}

/** A rename is on disk once its folder is. */
function syncFolder(folder: string): void {
  // Windows has no such thing.
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
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
