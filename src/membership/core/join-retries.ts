import type { PeerIdString } from '../../network/types.ts'

/** The pauses (ms) before a push-pull with a peer that is not a member is tried again. The list is finite, because clients never answer. */
const RETRY_PAUSES = [1_000, 2_000, 4_000]

/** The connected peers that are not members. They are clients, or newcomers whose first push-pull has not succeeded yet. */
export class JoinRetries {
  readonly #tried = new Map<PeerIdString, { times: number; next: number }>()

  /** Adds a peer that has just connected. Returns whether a push-pull should begin now, and false if a push-pull with the peer began a moment ago. */
  add(peer: PeerIdString, now: number): boolean {
    if (this.#tried.has(peer)) return false
    this.#tried.set(peer, { times: 0, next: now + RETRY_PAUSES[0]! })
    return true
  }

  delete(peer: PeerIdString): void {
    this.#tried.delete(peer)
  }

  /** Returns the peers with which a push-pull should be tried again now. */
  due(now: number): PeerIdString[] {
    const due: PeerIdString[] = []
    for (const [peer, tried] of this.#tried) {
      if (now < tried.next || tried.times >= RETRY_PAUSES.length) continue
      tried.times += 1
      tried.next = now + (RETRY_PAUSES[tried.times] ?? 0)
      due.push(peer)
    }
    return due
  }
}
