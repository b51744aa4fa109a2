/** The locks of a process: of a peer, which may also grant them, or of an attached client. */
import type { Limits } from '../common/limits.ts'
import type { Election } from '../election/types.ts'
import type { LeaderSource } from '../jobs/client/leader-source.ts'
import type { LedLocks, LockJournal, LockKeeper } from '../journal/lock-keeper.ts'
import { memoryChannel } from '../network/channel/memory-channel.ts'
import type { Channel, Network, PeerIdString, ProtocolHandler } from '../network/types.ts'
import { LeaderLocks } from './leader-locks.ts'
import { LockClient, type LockClientInit } from './lock-client.ts'
import { type LockMessage, lockProtocol } from './messages.ts'

type LockChannel = Channel<LockMessage>

/** The locks of a process. */
export interface Locks extends Pick<LockClient, 'acquire' | 'states'> {
  stop(): Promise<void>
}

/** The locks of a peer. */
export interface PeerLocks extends Locks, LockKeeper {
  /** Loses all locks of this peer, and tells the leader. This peer may still grant locks to others. */
  leave(): Promise<void>
  /** How many locks are held and waited for, if this peer leads. */
  counts(): { held: number; waiting: number } | undefined
}

/** The locks of an attached process. The cluster may shut the process out. */
export interface AttachedLocks extends Locks {
  /** Rejects all pending calls with this error. */
  giveUp(reason: Error): void
}

export function createLockClient({
  network,
  leaderSource
}: {
  network: Network
  leaderSource: LeaderSource
}): AttachedLocks {
  const client: LockClient = new LockClient({
    leaderSource,
    open: (leader, options) => protocol.channel(leader, options)
  })
  const protocol = network.register(lockProtocol, {
    onMessage: (message, channel) => {
      if (isRequest(message)) channel.send({ session: message.session, type: 'not-leader' }).catch(() => {})
      else client.onMessage(message, channel)
    },
    onClose: channel => client.onClose(channel)
  })
  return {
    acquire: options => client.acquire(options),
    states: signal => client.states(signal),
    giveUp: reason => client.giveUp(reason),
    stop: async () => {
      await client.stop()
      await protocol.close()
    }
  }
}

export interface PeerLocksInit extends Pick<LockClientInit, 'now'> {
  network: Network
  election: Election
  leaderSource: LeaderSource
  limits: Limits
}

export function createLocks(init: PeerLocksInit): PeerLocks {
  return new LocksOfPeer(init)
}

class LocksOfPeer implements PeerLocks {
  readonly #init: PeerLocksInit
  readonly #client: LockClient
  readonly #close: () => Promise<void>
  #leading: LeaderLocks | undefined
  #own: LockChannel | undefined
  #tickets = 0

  constructor(init: PeerLocksInit) {
    this.#init = init
    const { network, leaderSource, now } = init
    const protocol = network.register(lockProtocol, this.#handler)
    this.#client = new LockClient({
      leaderSource,
      now,
      open: (leader, options) =>
        leader === network.self ? Promise.resolve(this.#toSelf(leader)) : protocol.channel(leader, options)
    })
    this.#close = () => protocol.close()
  }

  acquire: Locks['acquire'] = options => this.#client.acquire(options)
  states: Locks['states'] = signal => this.#client.states(signal)

  counts(): { held: number; waiting: number } | undefined {
    return this.#leading?.counts()
  }

  lead(journal: LockJournal): LedLocks {
    const { election, limits } = this.#init
    const leading: LeaderLocks = new LeaderLocks({
      journal,
      election,
      limits,
      nextTicket: () => ++this.#tickets,
      onStop: () => {
        if (this.#leading === leading) this.#leading = undefined
      }
    })
    this.#leading = leading
    return leading
  }

  leave(): Promise<void> {
    return this.#client.stop()
  }

  async stop(): Promise<void> {
    await this.#client.stop()
    this.#own?.abort(new Error('this peer was stopped'))
    await this.#close()
  }

  readonly #handler: ProtocolHandler<LockMessage> = {
    // The list is awaited, so that a client that does not read its answers cannot ask for more lists.
    onMessage: (message, channel) =>
      isRequest(message) ? this.#onRequest(message, channel) : this.#client.onMessage(message, channel),
    onClose: channel => {
      this.#leading?.onClose(channel)
      this.#client.onClose(channel)
    }
  }

  #onRequest(message: LockMessage, channel: LockChannel): Promise<void> | void {
    const { session } = message
    const answer = (says: LockMessage): Promise<void> => channel.send(says).catch(() => {})
    if (this.#leading === undefined) return answer({ session, type: 'not-leader' })
    if (message.type === 'list') return answer(this.#leading.list(session, message.after))
    if (message.type !== 'keep' && message.type !== 'release') return undefined
    const { admission, refusals } = this.#init.network
    if (!admission.may(channel.remote, 'submit')) {
      refusals.count(
        'role',
        channel.remote,
        `${channel.remote} asked for a lock: the allow list does not let it submit`
      )
      const reason = `the allow list does not let ${channel.remote} hold locks: it needs the right to submit`
      return answer({ session, type: 'refused', reason })
    }
    this.#leading.onRequest(message, channel)
    return undefined
  }

  #toSelf(self: PeerIdString): LockChannel {
    if (this.#own === undefined || this.#own.closed.aborted)
      this.#own = memoryChannel(self, this.#handler, this.#handler)[0]
    return this.#own
  }
}

function isRequest({ type }: LockMessage): boolean {
  return type === 'keep' || type === 'release' || type === 'list'
}
