/** The limit (bytes) of a message id. A real id (author and sequence number) is shorter. */
const LONGEST_ID = 128
/** The longest back-off (s) that a peer may request. Gossipsub itself requests 60 s (`pruneBackoff`). */
const LONGEST_BACKOFF = 600
/** The limit of entries of each kind of control message. Gossipsub itself sends one entry for each topic. */
const MOST_ENTRIES = 16

interface Subscription {
  topic?: string | undefined
  subscribe?: boolean | undefined
}
interface Ids {
  messageIDs: Uint8Array[]
}
interface OfTopic {
  topicID?: string | undefined
}

/** The control messages of gossipsub. */
export interface Control {
  ihave?: Array<OfTopic & Ids>
  iwant?: Ids[]
  graft?: OfTopic[]
  prune?: Array<OfTopic & { backoff?: number | undefined; peers?: unknown[] }>
  idontwant?: Ids[]
}

/** The parts of a gossipsub RPC that the filter checks. */
export interface Rpc {
  subscriptions: Subscription[]
  messages: Array<{ from?: Uint8Array }>
  control?: Control | undefined
}

/**
 * Trims an RPC so that gossipsub keeps no more state for the sender than for an honest peer. Keeps the last subscription to each known topic, a few entries of
 * each kind of control message, ids of normal length, and bounded back-offs. Also returns the number of dropped pieces.
 */
export function trimRpc(rpc: Rpc, topics: ReadonlySet<string>): { rpc: Rpc; dropped: number } {
  let dropped = 0
  const keep = <T>(
    all: readonly T[] | undefined,
    isKept: (each: T) => boolean,
    most = Number.POSITIVE_INFINITY
  ): T[] => {
    const kept = (all ?? []).filter(isKept).slice(0, most)
    dropped += (all?.length ?? 0) - kept.length
    return kept
  }
  const isKnown = ({ topicID }: OfTopic): boolean => topicID !== undefined && topics.has(topicID)
  const withIds = <T extends Ids>(entry: T): T => ({
    ...entry,
    messageIDs: keep(entry.messageIDs, id => id.byteLength <= LONGEST_ID)
  })
  const last = new Map(rpc.subscriptions.map(subscription => [subscription.topic ?? '', subscription]))
  const subscriptions = keep(
    rpc.subscriptions,
    subscription => topics.has(subscription.topic ?? '') && last.get(subscription.topic ?? '') === subscription
  )
  const { messages, control } = rpc
  if (control === undefined) return { rpc: { subscriptions, messages }, dropped }
  const bounded: Required<Control> = {
    ihave: keep(control.ihave, isKnown, MOST_ENTRIES).map(withIds),
    iwant: keep(control.iwant, () => true, MOST_ENTRIES).map(withIds),
    graft: keep(control.graft, isKnown, MOST_ENTRIES),
    // Drop the peers of the peer exchange, because a peer learns other peers only from the membership.
    prune: keep(control.prune, isKnown, MOST_ENTRIES).map(({ topicID, backoff = 0 }) => ({
      topicID,
      backoff: Math.min(Number(backoff), LONGEST_BACKOFF),
      peers: []
    })),
    idontwant: keep(control.idontwant, () => true, MOST_ENTRIES).map(withIds)
  }
  return { rpc: { subscriptions, messages, control: bounded }, dropped }
}
