import type { StrategyName } from '../../../src/election/core/strategies/names.ts'
import { Driver } from './core.ts'

/** Counts the messages that the peers send after a crash of the leader. No message is lost, and the peers notice the crash one after another. */
export function messagesAfterCrash(size: number, strategy: StrategyName = 'bully'): number {
  const ids = Array.from({ length: size }, (_, i) => `p${String(i).padStart(3, '0')}`)
  const peers = new Map(ids.map(id => [id, new Driver(id, {}, 0, undefined, strategy)]))
  let messages = 0
  const deliver = (): void => {
    for (let busy = true; busy; ) {
      busy = false
      for (const [from, peer] of peers) {
        for (const effect of peer.take()) {
          if (effect.type === 'send') {
            messages += 1
            peers.get(effect.to)?.hears(from, effect.message)
          } else if (effect.type === 'gossip') {
            // A gossiped message counts as one message to each other peer.
            for (const [to, other] of peers) {
              if (to === from) continue
              messages += 1
              other.do(effect)
            }
          }
          busy = true
        }
      }
    }
  }
  for (const peer of peers.values()) for (const id of ids) if (id !== peer.self) peer.member(id)
  for (const peer of peers.values()) peer.ready()
  deliver()
  const [leader, next] = strategy === 'lowest' ? ids : ids.toReversed()
  expectAll(peers, `${leader} @1`)
  peers.delete(leader!)
  messages = 0
  // The peers notice the crash in the order of their ranks, the next leader last.
  const ranked = strategy === 'lowest' ? [...peers.values()].reverse() : peers.values()
  for (const peer of ranked) {
    peer.dies(leader!)
    deliver()
  }
  expectAll(peers, `${next} @2`)
  return messages
}

function expectAll(peers: ReadonlyMap<string, Driver>, leadership: string): void {
  for (const [id, { follows }] of peers)
    if (follows !== leadership) throw new Error(`${id} follows ${follows}, not ${leadership}`)
}
