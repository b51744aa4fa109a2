/** Answers to relayed pings in the simulation, where nobody forges: a "signature" names the member and the asker. */
import type { AckProofs, Asker } from '../../src/membership/core/messages.ts'
import type { Host } from './world.ts'

export function proofsOf(host: Host): AckProofs {
  return {
    nonce: () => Math.floor(host.random() * 2 ** 32),
    sign: asker => answerBy(host.id, asker),
    verify: isAnswerBy
  }
}

/** Returns the signature of `member` for `asker`. */
function answerBy(member: string, { origin, nonce }: Asker): Uint8Array {
  return new TextEncoder().encode(`${member} for ${origin}, ${nonce}`)
}

/** Returns whether `proof` is the signature of `member` for `asker`. */
export function isAnswerBy(member: string, asker: Asker, proof: Uint8Array): boolean {
  return Buffer.compare(answerBy(member, asker), proof) === 0
}
