import type { PeerIdString } from '../../network/types.ts'

/** Pauses before a push-pull with a stranger is tried again, in ms. After the last it is left in peace: clients never answer. */
const RETRY_PAUSES = [1_000, 2_000, 4_000]

/** Peers that are connected and no members: strangers until a push-pull with them succeeds, or clients. */
export class Strangers {
  readonly #tried = new Map<PeerIdString, { times: number; next: number }>()

  /** Says whether a push-pull with a peer just met should begin now: not if one was begun a moment ago. */
  add(peer: PeerIdString, now: number): boolean {
    if (this.#tried.has(peer)) return false
    this.#tried.set(peer, { times: 0, next: now + RETRY_PAUSES[0]! })
    return true
  }

  delete(peer: PeerIdString): void {
    this.#tried.delete(peer)
  }

  /** Those with whom a push-pull should be tried again now. */
  due(now: number): PeerIdString[] {
    const due: PeerIdString[] = []
    for (const [peer, stranger] of this.#tried) {
      const pause = RETRY_PAUSES[stranger.times + 1]
      if (now < stranger.next || stranger.times >= RETRY_PAUSES.length) continue
      stranger.times += 1
      stranger.next = now + (pause ?? 0)
      due.push(peer)
    }
    return due
  }
}
