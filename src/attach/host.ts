import type { Election } from '../election/types.ts'
import type { Membership } from '../membership/types.ts'
import type { Channel, Network } from '../network/types.ts'
import { type AttachMessage, attachProtocol } from './view.ts'

/** Changes that come within this time (ms) reach the clients as one view. */
const COALESCE_MS = 20

export interface AttachHost {
  stop(): Promise<void>
}

/** Serves the clients attached to this peer: each gets this peer's view at once, and again after each change. */
export function createAttachHost(parts: { network: Network; membership: Membership; election: Election }): AttachHost {
  const { network, membership, election } = parts
  const subscribers = new Set<Channel<AttachMessage>>()
  let timer: NodeJS.Timeout | undefined

  const view = (): AttachMessage => ({
    type: 'view',
    view: { cluster: network.cluster, leader: election.leader, members: membership.members(), now: Date.now() }
  })

  const protocol = network.register(attachProtocol, {
    // Awaited: a client that asks and does not read what it is told is asked to wait.
    async onMessage(message, channel) {
      if (message.type === 'ping') await channel.send({ type: 'pong' }).catch(() => {})
      if (message.type !== 'subscribe') return
      subscribers.add(channel)
      await channel.send(view()).catch(() => subscribers.delete(channel))
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
      // A client that reads slowly misses views in between, never the newest: the next change sends all again.
      for (const channel of subscribers) {
        if (channel.pendingBytes >= attachProtocol.maxMessageBytes) continue
        channel.send(message).catch(() => subscribers.delete(channel))
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
