/** The interface of a store that grants the lease of the leader. With {@link mutex} any such store becomes a strategy. */

/** A request for the lease. */
export interface AcquireRequest {
  /** The PeerId of the peer that wants to lead. */
  holder: string
  /**
   * Identifies this peer's lease. Each lease of a peer has another session. The repetition of a request whose answer was lost has
   * the same session.
   */
  session: string
  /** How long the lease lasts unless it is renewed, in ms by the store's clock. */
  leaseTime: number
  /** Returns the record to write. `recorded`: the record in the store, or undefined if there is none. May be called more than once. */
  record: (recorded: string | undefined) => string
  /** Aborts when the peer no longer waits for the answer. */
  signal: AbortSignal
}

/** A renewal of the lease. */
export interface RenewRequest {
  /** The session that holds the lease. */
  session: string
  /** How long the lease lasts from now on, in ms. */
  leaseTime: number
  /** Returns the record to write. Default: the record stays as it is. */
  record?: ((recorded: string) => string) | undefined
  /** Aborts when the peer no longer waits for the answer. */
  signal: AbortSignal
}

/** A request to end the lease, and to reserve the next one. */
export interface TransferRequest {
  /** The session that holds the lease. */
  session: string
  /** The PeerId of the only peer that can acquire the lease now. */
  heir: string
  /** How long the lease stays reserved for the heir, in ms. */
  leaseTime: number
  /** Aborts when the peer no longer waits for the answer. */
  signal: AbortSignal
}

/** A request to end the lease. */
export interface ReleaseRequest {
  /** The session that holds the lease. */
  session: string
  /** Aborts when the peer no longer waits for the answer. */
  signal: AbortSignal
}

/** A lease that the store has granted. */
export interface GrantedLease {
  /** The record that `acquire` has written. */
  record: string
  /**
   * The store's own number for this lease, in decimal. It only grows as long as the store keeps its data. Leader-only work gets it
   * beside the epoch. Default: the store has no such number.
   */
  number?: string | undefined
}

/** The state of the lease. */
export interface LeaseState {
  /** The PeerId of the peer that holds the lease. Undefined if no peer holds it. */
  holder: string | undefined
  /** The PeerId of the only peer that can acquire the lease, after `transfer`. Undefined if any peer can. */
  heir: string | undefined
  /** The record. Undefined until a peer has acquired the lease for the first time. */
  record: string | undefined
  /** The time until the lease or its reservation ends unless it is renewed, in ms. Undefined if the store does not know this time. */
  endsIn: number | undefined
}

/**
 * A store that grants one lease: to at most one session at a time, for a limited time by the store's clock. Beside the lease it keeps
 * a record, a text of at most 4,096 characters that outlives the lease. Each method changes lease and record in one step.
 *
 * Each method rejects when the store does not answer, or when `signal` aborts. The store may have carried out a request that
 * rejects.
 *
 * A store whose clock steps, or that loses what it has confirmed, can have two leaders.
 *
 * `examples/file-lease.mjs` implements this interface with plain files.
 */
export interface LeaseStore {
  /** A short name for `status` and messages, 1 to 24 characters out of `a-z`, `0-9` and `-`. It must be the same at all peers. */
  readonly name: string
  /** The shortest lease time that the store can keep, in ms. Default 500. */
  readonly leastLeaseTime?: number
  /** The lease time unless the user chooses one, in ms. Default 10,000. */
  readonly usualLeaseTime?: number
  /**
   * Grants the lease, and writes the record, if one of these is true: no session holds the lease and it is not reserved, its time is
   * over, it is reserved for this holder, or this session holds it already. Resolves with undefined if the lease is not granted.
   */
  acquire(request: AcquireRequest): Promise<GrantedLease | undefined>
  /** Renews the lease, and writes the record, if this session still holds the lease. Resolves with whether it does. */
  renew(request: RenewRequest): Promise<boolean>
  /** Ends the lease of this session, and reserves it for the heir. Does nothing if this session no longer holds the lease. */
  transfer(request: TransferRequest): Promise<void>
  /** Ends the lease of this session. Does nothing if this session no longer holds the lease. */
  release(request: ReleaseRequest): Promise<void>
  /**
   * Yields the present state, and then the state after each change, soon after the change. A change of `endsIn` alone need not be
   * yielded. Ends when the signal aborts.
   */
  watch(options: { signal: AbortSignal }): AsyncIterable<LeaseState>
  /** Closes the connections to the store. Called once, when the peer leaves. Default: nothing to close. */
  close?(): Promise<void>
}
