import type { PeerIdString } from '../../../network/types.ts'
import type { ElectionMember } from '../electable-members.ts'
import type { ElectionMessage, Token } from '../messages.ts'
import { Part } from '../part.ts'
import type { Content } from '../relay.ts'

/** The number of rounds of questions after which a former leader repeats that it no longer leads. */
const RESIGNATION_ROUNDS = 4

/**
 * Decides when a peer without a leader may claim. A strategy sees one candidacy after the other: `begin` starts a candidacy, and
 * `end` ends it. A candidate repeats its questions in rounds, until it may claim or knows a leader.
 */
export abstract class Strategy extends Part {
  readonly #asked = new Set<PeerIdString>()
  /** The number of questions to each member since its last answer. */
  readonly #unanswered = new Map<PeerIdString, number>()
  /** The nonce of the last relayed question to each member. */
  readonly #nonces = new Map<PeerIdString, number>()
  /** The live leaders of older leaderships than the one that this peer has accepted. */
  readonly #olderLeaders = new Set<PeerIdString>()
  #rounds = 0

  /** The number of rounds of questions in this candidacy. */
  protected get rounds(): number {
    return this.#rounds
  }

  /** Whether this candidate may claim now. */
  abstract get isFirst(): boolean

  /** The members that this candidate asks in the present round. */
  protected abstract get toAsk(): readonly ElectionMember[]

  /** Begins a candidacy. Forgets the questions and answers of the last candidacy. */
  begin(): void {
    for (const known of [this.#asked, this.#unanswered, this.#nonces, this.#olderLeaders]) known.clear()
    this.#rounds = 0
    this.wait()
  }

  /** Ends the candidacy: this peer knows a leader, or leads itself. */
  end(): void {
    this.outbox.timer('coordinator', undefined)
  }

  /** Begins the next round. Asks members with ELECTION. */
  ask(): void {
    this.#rounds += 1
    const { members, mayClaim } = this.peer
    const highest = members.highest()
    // A peer that may not claim asks only the highest member, to learn of a leader.
    const asked = mayClaim ? this.toAsk : highest ? [highest] : []
    for (const id of new Set([...asked.map(({ id }) => id), ...this.#olderLeaders])) this.#ask(id)
    if (this.#rounds % RESIGNATION_ROUNDS === 0 && this.mustResign)
      this.relay.announceResignation(this.#rounds / RESIGNATION_ROUNDS)
    this.wait()
  }

  /**
   * Asks the leader of an older leadership to outbid the newer one that this peer has accepted. Asks it again in each round, because the
   * leader may not reach this peer directly.
   */
  askLeader(id: PeerIdString): void {
    this.#olderLeaders.add(id)
    this.outbox.sendElection(id)
  }

  /** Repeats an unanswered question directly and through another member. */
  #ask(to: PeerIdString): void {
    const before = this.#unanswered.get(to) ?? 0
    this.#asked.add(to)
    this.#unanswered.set(to, before + 1)
    const { accepted } = this.peer
    this.askAgain(to, { type: 'election', accepted }, before, { kind: 'election', accepted })
  }

  /**
   * Whether this peer repeats that it no longer leads. A lease can end without a new leader. A peer that missed
   * the message would then follow this peer for ever.
   */
  protected get mustResign(): boolean {
    return this.peer.needsLease && this.wasLeader
  }

  /** Whether this peer was the last leader that it knows. */
  protected get wasLeader(): boolean {
    return this.peer.accepted?.leader === this.peer.id
  }

  /** Sends a question. From the second `attempt` on it also goes through another member, and the answer may return through that member. */
  protected askAgain(to: PeerIdString, question: ElectionMessage, attempt: number, content: Content): void {
    const nonce = this.relay.sendAgain(to, question, attempt, content)
    if (nonce !== undefined) this.#nonces.set(to, nonce)
  }

  /** Waits for answers, and for the COORDINATOR of a higher member, before the next round. */
  protected wait(): void {
    this.outbox.timer('coordinator', this.times.coordinatorTimeout)
  }

  /** Whether this is the answer to the last relayed question to `from`. An answer counts only the first time. */
  isAnswer(from: PeerIdString, nonce: number): boolean {
    return this.#nonces.get(from) === nonce && this.#nonces.delete(from)
  }

  /** Whether this candidacy has asked the member. An answer to a question of an earlier candidacy is out of date. */
  hasAsked(id: PeerIdString): boolean {
    return this.#asked.has(id)
  }

  /** Handles the answer of a member to ELECTION. */
  answered(from: PeerIdString, _answer: 'claiming' | 'declined'): void {
    this.#unanswered.delete(from)
  }

  /** Handles a token of the ring. The other strategies have no tokens. */
  receive(_token: Token): void {}

  /** Forgets a member that is gone. If the member returns, this peer asks it again. */
  forget(id: PeerIdString): void {
    for (const known of [this.#asked, this.#unanswered, this.#nonces, this.#olderLeaders]) known.delete(id)
  }

  /** The live electable members that rank above this peer. */
  protected get higher(): ElectionMember[] {
    return this.peer.members.above(this.peer.rankOf(this.peer.id))
  }
}
