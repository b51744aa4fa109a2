import type { PeerIdString } from '../../network/types.ts'
import type { Holder, NamedLock, Waiter } from './named-lock.ts'
import type { LockRules } from './rules.ts'

/** Spreads the named leaderships over the peers that want to lead them. */
export class LeadershipBalance<Connection> {
  readonly #rules: LockRules
  /** How many named leaderships each peer has. */
  readonly #led = new Map<PeerIdString, number>()

  constructor(rules: LockRules) {
    this.#rules = rules
  }

  add(client: PeerIdString, change: 1 | -1): void {
    const led = this.#ledBy(client) + change
    if (led === 0) this.#led.delete(client)
    else this.#led.set(client, led)
  }

  /** The waiter whose peer leads the fewest, and of these the first in the queue. */
  next(
    waiters: readonly Waiter<Connection>[],
    led = (id: PeerIdString) => this.#ledBy(id)
  ): Waiter<Connection> | undefined {
    let next: Waiter<Connection> | undefined
    for (const waiter of waiters) if (next === undefined || led(waiter.client) < led(next.client)) next = waiter
    return next
  }

  /** The holders whose leadership should move, because a waiter leads fewer. */
  moves(leaderships: readonly NamedLock<Connection>[]): Holder<Connection>[] {
    const expected = new Map(this.#led)
    const led = (id: PeerIdString): number => expected.get(id) ?? 0
    const moving: Holder<Connection>[] = []
    const move = (from: PeerIdString, to: PeerIdString): void => {
      expected.set(from, led(from) - 1)
      expected.set(to, led(to) + 1)
    }
    const nextOf = ({ waiters }: NamedLock<Connection>) =>
      this.next(
        waiters.filter(({ connection }) => connection !== undefined),
        led
      )
    // Those that already move come first: their number is as if they had moved.
    const sorted = leaderships.toSorted((a, b) => Number(isMoving(b)) - Number(isMoving(a)))
    for (const lock of sorted) {
      const next = nextOf(lock)
      const [holder] = lock.holders.values()
      if (holder === undefined || next === undefined) continue
      if (holder.yields) move(holder.client, next.client)
      else if (this.#rules.moves(led(holder.client) - led(next.client))) {
        move(holder.client, next.client)
        moving.push(holder)
      }
    }
    return moving
  }

  #ledBy(client: PeerIdString): number {
    return this.#led.get(client) ?? 0
  }
}

function isMoving({ holders }: NamedLock<unknown>): boolean {
  const [holder] = holders.values()
  return holder?.yields === true
}
