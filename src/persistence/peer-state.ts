import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pDefer from 'p-defer'
import { InvalidOptionError } from '../common/errors.ts'
import { atMost } from '../lib/abort.ts'
import type { DurableLog } from './log/durable-log.ts'

/**
 * The delay before changed addresses are written, in ms. The addresses change with every member, and a crash may lose a
 * few seconds of these changes.
 */
const ADDRESSES_AFTER = 2_000
/** The longest time that a caller waits for a write, in ms. A slower write counts as failed, and still goes on. */
const WRITE_LIMIT = 1_500
const VERSION = 1
/** The key of the state in the log. */
export const STATE_KEY = 'state'

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
  /** The PeerIds of the members with a data folder: they come back as the same members. */
  members: readonly string[]
}

/** The cluster of a data folder. */
export interface FolderCluster {
  name: string
  /** The cluster's id, which a change of the key keeps. Undefined: not known, as in a folder that an older version wrote. */
  id: string | undefined
}

/** What a peer stores about the members. */
export type KnownMembers = Pick<RememberedState, 'addresses' | 'members'>

const NONE: RememberedState = {
  incarnation: undefined,
  epoch: 0,
  promised: undefined,
  accepted: undefined,
  addresses: [],
  members: []
}

/**
 * The state of a peer in the log of its data folder. While the disk is full or hangs, the old state stays. The newest state is written as soon as
 * the disk works again.
 */
export class PeerState {
  readonly #log: DurableLog
  readonly #cluster: FolderCluster
  #state: RememberedState
  /** The promise that is on disk. */
  #promisedOnDisk: RememberedState['promised']
  #known: (() => KnownMembers | undefined) | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #listeners = new Set<(writable: boolean) => void>()
  #onLostPromises: () => void = () => {}
  readonly #stopListening: () => void
  /** The write that was begun last. */
  #written: Promise<boolean> = Promise.resolve(true)
  #closed = false

  private constructor(log: DurableLog, cluster: FolderCluster, state: RememberedState) {
    this.#log = log
    this.#cluster = cluster
    this.#state = state
    this.#promisedOnDisk = state.promised
    this.#stopListening = log.onFailure((lane, error) => {
      if (lane !== 'urgent') return
      // An error of a listener must not end the writes.
      for (const listener of this.#listeners) queueMicrotask(() => listener(error === undefined))
    })
  }

  /**
   * Reads the state from the log. If the log has none, the state is read from the JSON file `file` of an older version, which is then removed.
   *
   * @throws InvalidOptionError when the state belongs to another cluster, or cannot be understood
   */
  static async read(log: DurableLog, { file, cluster }: { file: string; cluster: FolderCluster }): Promise<PeerState> {
    const kept = log.urgent.get(STATE_KEY)
    if (kept !== undefined) {
      const state = checked(new TextDecoder().decode(kept), cluster, join(dirname(file), 'log'))
      return new PeerState(log, cluster, state)
    }
    const old = await readIfThere(file)
    if (old === undefined) return new PeerState(log, cluster, NONE)
    const state = new PeerState(log, cluster, checked(old, cluster, file))
    if (await state.#write()) await rm(file, { force: true })
    return state
  }

  get remembered(): RememberedState {
    return this.#state
  }

  /** Writes a newer incarnation. Resolves with whether the incarnation is on disk. */
  raise({ incarnation }: { incarnation: number }): Promise<boolean> {
    const { incarnation: before = -1 } = this.#state
    if (incarnation <= before) return this.#written
    this.#state = { ...this.#state, incarnation }
    return this.#write()
  }

  /** Whether the last write succeeded. */
  get writable(): boolean {
    return this.#log.failure('urgent') === undefined
  }

  /** Calls the listener when `writable` changes. The returned function removes the listener. */
  onWritable(listener: (writable: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get hasLostPromises(): boolean {
    return this.#log.hasLost('promises')
  }

  foundPromises(): void {
    this.#log.setLost('promises', false)
  }

  onLostPromises(listener: () => void): void {
    this.#onLostPromises = listener
  }

  /** Records that the folder is older than what others know of this peer: promises may be lost. */
  losePromises(): void {
    this.#log.setLost('promises', true)
    this.#onLostPromises()
  }

  get promised(): RememberedState['promised'] {
    return this.#state.promised
  }

  /**
   * Writes a promise. Resolves with whether the promise is on disk, because a voter must not give a promise that it
   * cannot store.
   */
  async keepPromise(promised: { epoch: number; holder: string }): Promise<boolean> {
    if (this.#closed) return false
    this.#state = { ...this.#state, promised }
    if (await this.#write()) return true
    // The next attempt must not write a promise that was never given.
    if (this.#state.promised === promised) {
      this.#state = { ...this.#state, promised: this.#promisedOnDisk }
      void this.#write()
    }
    return false
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
   * Writes the result of `known` after a delay, in place of what was known before. If the result is `undefined`, that
   * stays.
   */
  remember(known: () => KnownMembers | undefined): void {
    if (this.#closed) return
    this.#known = known
    this.#timer ??= setTimeout(() => this.#rememberNow(), ADDRESSES_AFTER).unref()
  }

  /** Gives the latest state to the log, which writes it before it is closed. */
  close(): void {
    if (this.#timer !== undefined) this.#rememberNow()
    this.#closed = true
    this.#stopListening()
  }

  #rememberNow(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { addresses, members } = this.#known?.() ?? this.#state
    if (String([addresses, members]) === String([this.#state.addresses, this.#state.members])) return
    this.#state = { ...this.#state, addresses, members }
    void this.#write()
  }

  #write(): Promise<boolean> {
    this.#written = this.#closed ? Promise.resolve(false) : this.#writeNow()
    return this.#written
  }

  /** Writes the present state. Resolves with whether it, or a newer one, is on disk. */
  async #writeNow(): Promise<boolean> {
    const { promised, epoch } = this.#state
    const state = { ...this.#state, epoch: Math.max(epoch, promised?.epoch ?? 0) }
    const { name, id } = this.#cluster
    const text = JSON.stringify({ version: VERSION, cluster: name, clusterId: id, ...state })
    const value = new TextEncoder().encode(text)
    const written = pDefer<boolean>()
    const stopListening = this.#log.onFailure((lane, error) => {
      if (lane === 'urgent' && error !== undefined) written.resolve(false)
    })
    this.#log.writeUrgent([{ key: STATE_KEY, value }], () => written.resolve(true))
    // A disk that fails already is tried again within this time.
    const isWritten = (await atMost(written.promise, WRITE_LIMIT)) && (await written.promise)
    stopListening()
    if (isWritten) this.#promisedOnDisk = promised
    return isWritten
  }
}

/** The cluster of a stored state; undefined if the state cannot be understood. */
export function clusterIn(text: string): FolderCluster | undefined {
  return parse(text)?.cluster
}

/** Why a folder of the cluster `kept` is not for the cluster `own`, and what to do. Undefined if it may be for that. */
export function whyNotFor(own: FolderCluster, { name, id }: FolderCluster): string | undefined {
  if (name !== own.name)
    return `belongs to a peer of cluster ${name}, not of ${own.name}: give another folder, or --cluster ${name}`
  if (id === undefined || own.id === undefined || id === own.id) return undefined
  return `belongs to a peer of another cluster ${name}, with another key or none: give another folder, or that key; if it is lost, a new key with .${id} behind it`
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** @throws InvalidOptionError when the state belongs to another cluster, or cannot be understood */
function checked(text: string, cluster: FolderCluster, file: string): RememberedState {
  const saved = parse(text)
  if (saved === undefined && isNewer(text)) {
    throw new InvalidOptionError(
      `a newer version of p2p-worker wrote ${file}: use that version again, or give another folder`
    )
  }
  if (saved === undefined) {
    throw new InvalidOptionError(
      `${file} is broken: remove it. The peer then needs --bootstrap or mDNS to find its cluster. If the peer is a voter, it has forgotten its promise: wait for a lease time before you start it`
    )
  }
  const refusal = whyNotFor(cluster, saved.cluster)
  if (refusal !== undefined) throw new InvalidOptionError(`${dirname(file)} ${refusal}`)
  return saved.state
}

function parse(text: string): { cluster: FolderCluster; state: RememberedState } | undefined {
  let value: Record<string, unknown>
  try {
    value = JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { version, cluster, clusterId, incarnation, epoch, promised, accepted, addresses, members = [] } = value
  if (version !== VERSION || typeof cluster !== 'string' || !isCount(epoch)) return undefined
  if (clusterId !== undefined && typeof clusterId !== 'string') return undefined
  if (incarnation !== undefined && !isCount(incarnation)) return undefined
  if (promised !== undefined && !isPromise(promised)) return undefined
  if (accepted !== undefined && typeof accepted !== 'string') return undefined
  if (!isListOfTexts(addresses) || !isListOfTexts(members)) return undefined
  return {
    cluster: { name: cluster, id: clusterId },
    state: { incarnation, epoch, promised, accepted, addresses, members }
  }
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(text => typeof text === 'string')
}

function isNewer(text: string): boolean {
  try {
    const { version } = JSON.parse(text) as { version: unknown }
    return isCount(version) && version > VERSION
  } catch {
    return false
  }
}

function isCount(number: unknown): number is number {
  return Number.isSafeInteger(number) && (number as number) >= 0
}

function isPromise(value: unknown): value is { epoch: number; holder: string } {
  if (typeof value !== 'object' || value === null) return false
  const { epoch, holder } = value as Record<string, unknown>
  return isCount(epoch) && typeof holder === 'string'
}
