import { renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { InvalidOptionError } from '../errors.ts'
import type { Logger } from '../logger.ts'

/** Addresses change with every member that comes and goes; a few seconds of them may be lost, in ms. */
const ADDRESSES_AFTER = 2_000
const VERSION = 1

/** What a peer remembers of its earlier runs. */
export interface RememberedState {
  /** The newest incarnation of its own record; undefined before the first run. */
  incarnation: number | undefined
  /** The newest epoch that it has accepted or minted; 0: none. */
  epoch: number
  /** Multiaddrs of members, with `/p2p/<id>`. */
  addresses: readonly string[]
}

/**
 * A small JSON file. Numbers that must never be used twice are written before the event loop turns; each write replaces the
 * file as a whole once it is on disk, so that a crash, of the machine too, leaves the old one or the new one.
 */
export class StateFile {
  readonly #file: string
  readonly #cluster: string
  readonly #logger: Logger | undefined
  #state: RememberedState
  #addresses: (() => readonly string[] | undefined) | undefined
  #timer: NodeJS.Timeout | undefined
  #closed = false

  private constructor(file: string, cluster: string, state: RememberedState, logger: Logger | undefined) {
    this.#file = file
    this.#cluster = cluster
    this.#state = state
    this.#logger = logger
  }

  /** @throws InvalidOptionError when it is of another cluster, or is no such file */
  static async read(file: string, cluster: string, logger: Logger | undefined): Promise<StateFile> {
    const none: RememberedState = { incarnation: undefined, epoch: 0, addresses: [] }
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
        `${file} is broken, or was written by a newer version: put it back from a copy, or remove it; its peer then has to be told again where its cluster is`
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
  raise(change: { incarnation?: number; epoch?: number }): void {
    const { incarnation: before } = this.#state
    const incarnation = before === undefined ? change.incarnation : Math.max(before, change.incarnation ?? 0)
    const epoch = Math.max(this.#state.epoch, change.epoch ?? 0)
    if (incarnation === before && epoch === this.#state.epoch) return
    this.#state = { ...this.#state, incarnation, epoch }
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

  #write(): void {
    if (this.#closed) return
    const { incarnation, epoch, addresses } = this.#state
    const content = { version: VERSION, cluster: this.#cluster, incarnation, epoch, addresses }
    try {
      const draft = `${this.#file}.tmp`
      writeFileSync(draft, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600, flush: true })
      renameSync(draft, this.#file)
    } catch (error) {
      this.#logger?.error({ file: this.#file, error }, 'the data folder cannot be written: a restart will know less')
    }
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
  const { version, cluster, incarnation, epoch, addresses } = value
  const isCount = (number: unknown): number is number => Number.isSafeInteger(number) && (number as number) >= 0
  if (version !== VERSION || typeof cluster !== 'string' || !isCount(epoch)) return undefined
  if (incarnation !== undefined && !isCount(incarnation)) return undefined
  if (!Array.isArray(addresses) || !addresses.every(address => typeof address === 'string')) return undefined
  return { cluster, state: { incarnation, epoch, addresses } }
}
