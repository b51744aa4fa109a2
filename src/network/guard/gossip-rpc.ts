/** Longer than any id of a message (its author and its number), in bytes. */
const LONGEST_ID = 128
/** A well-meaning peer asks to be left alone by a mesh for 60 s (`pruneBackoff` of gossipsub); nobody for longer than this, in s. */
const LONGEST_BACKOFF = 600
/** Entries of each kind of control message: one of a kind is for each topic. */
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

/** What peers of gossipsub tell each other of messages and meshes. */
export interface Control {
  ihave?: Array<OfTopic & Ids>
  iwant?: Ids[]
  graft?: OfTopic[]
  prune?: Array<OfTopic & { backoff?: number | undefined; peers?: unknown[] }>
  idontwant?: Ids[]
}

/** What gossipsub was sent in one piece, as far as it is looked at here. */
export interface Rpc {
  subscriptions: Subscription[]
  messages: Array<{ from?: Uint8Array }>
  control?: Control | undefined
}

/**
 * What gossipsub can take of an RPC without keeping more for its bearer than for one that keeps the rules: of the topics that are known the last
 * subscription to each, a few entries of control messages, ids that can be those of messages, and pauses that end. Also says how much was dropped.
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
    // Other peers to dial instead are never taken from it: the membership tells of them.
    prune: keep(control.prune, isKnown, MOST_ENTRIES).map(({ topicID, backoff = 0 }) => ({
      topicID,
      backoff: Math.min(Number(backoff), LONGEST_BACKOFF),
      peers: []
    })),
    idontwant: keep(control.idontwant, () => true, MOST_ENTRIES).map(withIds)
  }
  return { rpc: { subscriptions, messages, control: bounded }, dropped }
}
