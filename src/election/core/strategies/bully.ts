/**
 * The Bully election (Garcia-Molina, "Elections in a Distributed Computing System", 1982, §III). The highest-ranked live member
 * claims immediately. A lower candidate waits for that COORDINATOR, and then asks each higher member (ELECTION). It claims when
 * each of them is dead, has left or has declined.
 */
import type { PeerIdString } from '../../../network/types.ts'
import type { ElectionMember } from '../electable-members.ts'
import { Strategy } from './strategy.ts'

/** The number of answers `claiming` without a COORDINATOR that count as `declined`. */
const MAX_CLAIMING = 3

export class Bully extends Strategy {
  /** The number of answers `claiming` of each member. */
  readonly #claiming = new Map<PeerIdString, number>()
  readonly #declined = new Set<PeerIdString>()

  /** Whether no live higher member wants to claim. */
  override get isFirst(): boolean {
    const { rules } = this.peer
    return this.higher.every(({ id }) => !rules.waitsForHigher(this.#declined.has(id)))
  }

  protected override get toAsk(): readonly ElectionMember[] {
    return this.higher.filter(({ id }) => !this.#declined.has(id))
  }

  override begin(): void {
    this.#claiming.clear()
    this.#declined.clear()
    super.begin()
  }

  override answered(from: PeerIdString, answer: 'claiming' | 'declined'): void {
    const count = (this.#claiming.get(from) ?? 0) + 1
    this.#claiming.set(from, count)
    if (answer === 'declined' || count >= MAX_CLAIMING) this.#declined.add(from)
    super.answered(from, answer)
    if (!this.#declined.has(from)) this.wait()
  }

  override forget(id: PeerIdString): void {
    super.forget(id)
    this.#claiming.delete(id)
    this.#declined.delete(id)
  }
}
