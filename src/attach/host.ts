import { InvalidOptionError } from '../common/errors.ts'
import { DEFAULT_LIMITS, type Limits } from '../common/limits.ts'
import type { Election } from '../election/types.ts'
import type { Membership } from '../membership/types.ts'
import type { Channel, Network, PeerIdString } from '../network/types.ts'
import { type AttachMessage, attachProtocol } from './view.ts'

/** The time within which changes are combined into one view for the clients, in ms. */
const COALESCE_MS = 20
/**
 * The age of a client's view, in ms, above which the peer answers a ping with a new view. Round-trip times change even
 * if no member does.
 */
const REFRESH_MS = 3_000

export interface AttachHost {
  stop(): Promise<void>
}

/**
 * Serves the clients that are attached to this peer. Each client gets the view of this peer at once, and again after
 * each change.
 */
export function createAttachHost(parts: {
  network: Network
  membership: Membership
  election: Election
  /** Changes the priority of this peer in elections. Returns the new priority. @throws InvalidOptionError */
  prioritize: (priority: string) => number
  limits?: Limits
}): AttachHost {
  const { network, membership, election, prioritize, limits = DEFAULT_LIMITS } = parts
  /** The time at which this peer last sent the view to each client, in ms (performance.now). */
  const subscribers = new Map<Channel<AttachMessage>, number>()
  let timer: NodeJS.Timeout | undefined

  const view = (): AttachMessage => ({
    type: 'view',
    view: {
      cluster: network.cluster,
      leader: election.leader,
      members: membership.members(),
      now: Date.now(),
      voters: election.voters,
      stats: election.stats()
    }
  })

  const tell = async (channel: Channel<AttachMessage>, message: AttachMessage): Promise<void> => {
    subscribers.set(channel, performance.now())
    await channel.send(message).catch(() => subscribers.delete(channel))
  }

  const prioritized = (by: PeerIdString, id: number, priority: string): AttachMessage => {
    const refused = (reason: string): AttachMessage => ({
      type: 'prioritized',
      id,
      electionPriority: undefined,
      reason
    })
    if (!network.admission.may(by, 'join')) return refused('its allow list does not let this client join')
    try {
      return { type: 'prioritized', id, electionPriority: prioritize(priority) }
    } catch (error) {
      if (!(error instanceof InvalidOptionError)) throw error
      return refused(error.message)
    }
  }

  const protocol = network.register(attachProtocol, {
    // Waits until the answer is sent, so that a client that does not read its answers is slowed down.
    async onMessage(message, channel) {
      if (message.type === 'ping') {
        const isOld = performance.now() - (subscribers.get(channel) ?? Number.POSITIVE_INFINITY) > REFRESH_MS
        if (isOld) await tell(channel, view())
        else await channel.send({ type: 'pong' }).catch(() => {})
      }
      if (message.type === 'prioritize')
        await channel.send(prioritized(channel.remote, message.id, message.priority)).catch(() => {})
      if (message.type !== 'subscribe') return
      if (subscribers.size < limits.clients || subscribers.has(channel)) await tell(channel, view())
      // The client tries another peer after this abort.
      else channel.abort(new Error(`${limits.clients} clients are attached to this peer already`))
    },
    onClose: channel => {
      subscribers.delete(channel)
    }
  })

  const changed = (): void => {
    if (subscribers.size === 0 || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      const message = view()
      // A client that reads slowly misses some views. The next change sends the whole view again.
      for (const channel of subscribers.keys()) {
        if (channel.pendingBytes < attachProtocol.maxMessageBytes) void tell(channel, message)
      }
    }, COALESCE_MS)
  }
  membership.addEventListener('member', changed)
  election.addEventListener('leader', changed)

  return {
    async stop() {
      clearTimeout(timer)
      membership.removeEventListener('member', changed)
      election.removeEventListener('leader', changed)
      subscribers.clear()
      await protocol.close()
    }
  }
}
