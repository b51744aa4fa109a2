/**
 * The ring election of Chang and Roberts ("An Improved Algorithm for Decentralized Extrema-Finding in Circular Configurations of
 * Processes", 1979). The live electable members form a ring in the order of their ranks. Each candidate passes its token to its
 * successor, the next higher member. A peer passes on the token of a higher candidate, and swallows the token of a lower one. The
 * candidate whose own token comes back claims. In this order of the ring n candidates need 2n − 1 messages, the fewest that are possible.
 *
 * The ring closes again when a member dies: a peer then passes its token to the next live successor. Messages can be lost, so each
 * peer passes the token of the highest candidate on again in each round, until it knows a leader.
 */
import type { PeerIdString } from '../../../network/types.ts'
import type { ElectionMember } from '../electable-members.ts'
import type { Token } from '../messages.ts'
import { Strategy } from './strategy.ts'

export class Ring extends Strategy {
  /** The token of the highest candidate that this peer knows. This peer passes on only this token. */
  #best: Token | undefined
  /** The token of this peer. Undefined while this peer is no candidate, or if it has known a higher candidate from the start. */
  #own: Token | undefined
  #hasReturned = false
  #isCandidate = false
  /** The last token that this peer has passed on, the peer that received it, and the number of repetitions. */
  #passed: { token: Token; to: PeerIdString; repetitions: number } | undefined

  override get isFirst(): boolean {
    if (!this.peer.rules.awaitsToken() || this.#successor === undefined) return true
    // A higher candidate may have appeared after its token had passed this peer's.
    return this.#hasReturned && this.#best === this.#own
  }

  /** A candidate passes tokens on instead of asking. */
  protected override get toAsk(): readonly ElectionMember[] {
    return []
  }

  /** A member that still follows this peer would pass no token on. */
  protected override get mustResign(): boolean {
    return this.wasLeader
  }

  override begin(): void {
    super.begin()
    this.#isCandidate = true
    if (this.mustResign) this.relay.announceResignation(0)
    this.#pass()
  }

  override end(): void {
    super.end()
    this.#isCandidate = false
    this.#hasReturned = false
    this.#own = undefined
    this.#best = undefined
    this.#passed = undefined
  }

  override ask(): void {
    super.ask()
    this.#pass()
  }

  /**
   * Handles a token. A follower keeps the token, because the candidate may have noticed the death of the leader earlier. A peer that
   * cannot become a candidate passes the token on.
   */
  override receive(token: Token): void {
    const { id: self, isReady, leaving, rules } = this.peer
    if (!this.#isCurrent(token)) return
    if (token.candidate === self) this.#hasReturned ||= token.nonce === this.#own?.nonce
    else if (!rules.mayBegin(isReady) || leaving !== 'no') this.#send(token)
    else if (this.#beatsBest(token)) {
      this.#best = token
      if (this.#isCandidate) this.#pass()
    }
  }

  override forget(id: PeerIdString): void {
    super.forget(id)
    if (this.#best?.candidate === id || this.#passed?.to === id) this.#pass()
  }

  /** Makes a token of this peer, unless a higher candidate is known. */
  #enter(): void {
    const { id: candidate, mayClaim } = this.peer
    if (this.#best !== undefined && !this.#isCurrent(this.#best)) this.#best = undefined
    const isHigher = this.#best !== undefined && this.peer.outranks(this.#best.candidate, candidate)
    if (!mayClaim || (this.#best !== undefined && this.peer.rules.passesOn(isHigher))) return
    this.#own ??= this.signer.token({ candidate, above: this.#epoch, nonce: this.signer.nonce() })
    this.#best = this.#own
  }

  #pass(): void {
    this.#enter()
    if (this.#best !== undefined) this.#send(this.#best)
  }

  /** Sends a token to the successor. When this is a repetition, another member relays the token too. */
  #send(token: Token): void {
    const to = this.#successor
    if (to === undefined) return
    const before = this.#passed
    const isRepetition =
      before?.to === to && before.token.candidate === token.candidate && before.token.nonce === token.nonce
    const repetitions = isRepetition ? before.repetitions + 1 : 0
    this.#passed = { token, to, repetitions }
    const { accepted } = this.peer
    this.askAgain(to, { type: 'token', token, accepted }, repetitions, { kind: 'token', token, accepted })
  }

  /** Whether the candidate is live, and knows of no older election than this peer. */
  #isCurrent({ candidate, above }: Token): boolean {
    return above >= this.#epoch && this.peer.members.get(candidate)?.electable === true
  }

  /** The epoch that this peer can show to others. An epoch that it only remembers from an earlier run is not among them. */
  get #epoch(): number {
    return this.peer.accepted?.epoch ?? 0
  }

  #beatsBest({ candidate, nonce }: Token): boolean {
    const best = this.#best
    if (best === undefined) return true
    if (best.candidate === candidate) return nonce !== best.nonce
    return this.peer.rules.passesOn(this.peer.outranks(candidate, best.candidate))
  }

  /** The next higher electable member. For the highest member, the lowest. Undefined if there is no other electable member. */
  get #successor(): PeerIdString | undefined {
    const { id: self, members } = this.peer
    const others = members.electable().filter(({ id }) => id !== self)
    const above = others.filter(({ id }) => this.peer.outranks(id, self))
    const from = above.length > 0 ? above : others
    return from.reduce<ElectionMember | undefined>(
      (lowest, member) => (lowest && this.peer.outranks(member.id, lowest.id) ? lowest : member),
      undefined
    )?.id
  }
}
