/** The limit (bytes) of a message id, above the size of any real one (author and sequence number). */
const LONGEST_ID = 128
/** The longest back-off that a peer may ask a mesh for, in s; gossipsub asks for 60 s (`pruneBackoff`). */
const LONGEST_BACKOFF = 600
/** The limit of entries of each kind of control message: gossipsub sends one for each topic. */
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

/** The parts of an RPC of gossipsub that matter here. */
export interface Rpc {
  subscriptions: Subscription[]
  messages: Array<{ from?: Uint8Array }>
  control?: Control | undefined
}

/**
 * Trims an RPC so that gossipsub keeps no more state for its sender than for a well-behaved peer: the last subscription to each known topic, a few entries of
 * each kind of control message, ids of a message id's length, and bounded back-offs. Also counts the dropped pieces.
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
    // Peer exchange is dropped: peers come from the membership.
    prune: keep(control.prune, isKnown, MOST_ENTRIES).map(({ topicID, backoff = 0 }) => ({
      topicID,
      backoff: Math.min(Number(backoff), LONGEST_BACKOFF),
      peers: []
    })),
    idontwant: keep(control.idontwant, () => true, MOST_ENTRIES).map(withIds)
  }
  return { rpc: { subscriptions, messages, control: bounded }, dropped }
}
