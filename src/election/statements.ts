/**
 * The signed statements of an election: COORDINATOR ("I lead"), GO_AHEAD ("I have stopped, you may lead") and relayed messages. A
 * signature covers the cluster and the kind of statement, and other peers relay a statement verbatim.
 */
import { randomInt } from 'node:crypto'
import type { PrivateKey } from '@libp2p/interface'
import { peerIdFromString } from '@libp2p/peer-id'
import { InvalidMessageError } from '../common/errors.ts'
import { RefusedMessageError } from '../network/guard/refusals.ts'
import { isSignedBy, MAX_PEER_ID_LENGTH, signWith } from '../network/signature.ts'
import {
  CoordinatorStatement,
  GoAheadStatement,
  RelayedStatement,
  SignedStatement,
  TokenStatement
} from '../wire/election.gen.ts'
import {
  type CoordinatorMessage,
  type GoAhead,
  MAX_EPOCH,
  MAX_GO_AHEADS,
  type RelayedMessage,
  type Signer,
  type Token
} from './core/messages.ts'

/** The most bytes of a signed statement: a COORDINATOR with all its go-aheads needs less than 3 KiB. */
export const MAX_STATEMENT_BYTES = 4_096

/** The number of cached statements. A statement arrives several times (by gossip, directly and by push-pull), but is verified only once (0.1 ms). */
const REMEMBERED = 64

type Domain = 'coordinator' | 'go-ahead' | 'relayed message' | 'token'

const KINDS: readonly RelayedMessage['kind'][] = [
  'election',
  'claiming',
  'declined',
  'coordinator',
  'request',
  'goAhead',
  'rival',
  'token'
]

export interface Statements {
  readonly signer: Signer
  /** @throws InvalidMessageError unless its leader signed the statement for this cluster, and every go-ahead in the statement is genuine */
  readCoordinator(signed: Uint8Array): CoordinatorMessage
  /** @throws InvalidMessageError unless its author signed the message for this cluster, and the statements in the message are genuine */
  readRelayed(signed: Uint8Array): RelayedMessage
  /** @throws InvalidMessageError unless the leader that stopped signed the go-ahead for this cluster */
  readGoAhead(signed: Uint8Array): GoAhead
  /** @throws InvalidMessageError unless the candidate signed the token for this cluster */
  readToken(signed: Uint8Array): Token
}

/** Signs statements with `privateKey`, and reads the statements of other peers. Under a quorum `clusterId` also contains a digest of the terms. */
export function createStatements(clusterId: string, privateKey: PrivateKey): Statements {
  const sign = (domain: Domain, payload: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
    const signature = signWith(privateKey, signedBytes(domain, clusterId, payload))
    return SignedStatement.encode({ payload, signature })
  }

  const open = (domain: Domain, signed: Uint8Array): { payload: Uint8Array; verify(author: string): void } => {
    if (signed.length > MAX_STATEMENT_BYTES) throw new InvalidMessageError(`a ${domain} of ${signed.length} bytes`)
    const { payload, signature } = decode(domain, () => SignedStatement.decode(signed))
    return {
      payload,
      verify: author => {
        if (!isSignedBy(author, signedBytes(domain, clusterId, payload), signature))
          throw new RefusedMessageError(
            'forged',
            `a ${domain} in the name of ${author} that ${author} did not sign for this cluster`
          )
      }
    }
  }

  const readGoAhead = remembering((signed): GoAhead => {
    const { payload, verify } = open('go-ahead', signed)
    const { from, fromEpoch, to } = decode('go-ahead', () => GoAheadStatement.decode(payload))
    checkEpoch('go-ahead', fromEpoch)
    checkPeerId('go-ahead', to)
    verify(from)
    return { from, fromEpoch, to, signed }
  })

  const readToken = remembering((signed): Token => {
    const { payload, verify } = open('token', signed)
    const { candidate, above, nonce } = decode('token', () => TokenStatement.decode(payload))
    if (above !== 0) checkEpoch('token', above)
    if (!Number.isSafeInteger(nonce)) throw new InvalidMessageError('a token with an invalid nonce')
    verify(candidate)
    return { candidate, above, nonce, signed }
  })

  const readCoordinator = remembering((signed): CoordinatorMessage => {
    const { payload, verify } = open('coordinator', signed)
    const limits = { goAheads: MAX_GO_AHEADS }
    const statement = decode('coordinator', () => CoordinatorStatement.decode(payload, { limits }))
    const { epoch, leader, priority } = statement
    checkEpoch('coordinator', epoch)
    verify(leader)
    const goAheads = statement.goAheads.map(readGoAhead)
    if (goAheads.some(({ to }) => to !== leader))
      throw new InvalidMessageError(`a coordinator of ${leader} with a go-ahead for another peer`)
    return { epoch, leader, priority, goAheads, signed }
  })

  const readRelayed = (signed: Uint8Array): RelayedMessage => {
    const { payload, verify } = open('relayed message', signed)
    const { from, to, nonce, kind, accepted, goAhead, token } = decode('relayed message', () =>
      RelayedStatement.decode(payload)
    )
    checkPeerId('relayed message', to)
    const known = KINDS.find(allowed => allowed === kind)
    if (known === undefined || !Number.isSafeInteger(nonce))
      throw new InvalidMessageError('a relayed message of an unknown kind')
    verify(from)
    const copy = Uint8Array.from(signed)
    return {
      from,
      to,
      nonce,
      kind: known,
      accepted: accepted && readCoordinator(accepted),
      goAhead: goAhead && readGoAhead(goAhead),
      token: token && readToken(token),
      signed: copy
    }
  }

  return {
    signer: {
      coordinator: claim => {
        const goAheads = claim.goAheads.map(({ signed }) => signed)
        const payload = CoordinatorStatement.encode({ ...claim, goAheads })
        return { ...claim, signed: sign('coordinator', payload) }
      },
      goAhead: goAhead => ({ ...goAhead, signed: sign('go-ahead', GoAheadStatement.encode(goAhead)) }),
      relayed: message => {
        const [accepted, goAhead] = [message.accepted?.signed, message.goAhead?.signed]
        const payload = RelayedStatement.encode({ ...message, accepted, goAhead, token: message.token?.signed })
        return { ...message, signed: sign('relayed message', payload) }
      },
      token: token => ({ ...token, signed: sign('token', TokenStatement.encode(token)) }),
      nonce: () => randomInt(2 ** 48 - 1)
    },
    readCoordinator,
    readGoAhead,
    readToken,
    readRelayed
  }
}

/** Returns the bytes to sign. A signature of these bytes is not valid in another cluster or for another kind of statement. */
function signedBytes(domain: Domain, clusterId: string, payload: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`p2p-worker ${domain} ${clusterId}\n`, 'utf8'), payload])
}

function checkEpoch(domain: Domain, epoch: number): void {
  if (!Number.isSafeInteger(epoch) || epoch < 1 || epoch > MAX_EPOCH)
    throw new InvalidMessageError(`a ${domain} with epoch ${epoch}: not between 1 and 2^53-1`)
}

/** @throws InvalidMessageError unless `id` is a PeerId in its canonical spelling */
export function checkPeerId(where: string, id: string): void {
  try {
    if (id.length <= MAX_PEER_ID_LENGTH && peerIdFromString(id).toString() === id) return
  } catch {}
  throw new InvalidMessageError(`a ${where} with an invalid PeerId`)
}

function decode<T>(domain: Domain, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new InvalidMessageError(`a ${domain} that cannot be decoded`, { cause })
  }
}

/** Caches the newest results of `read`, but no errors. */
function remembering<T>(read: (signed: Uint8Array<ArrayBuffer>) => T): (signed: Uint8Array) => T {
  const known = new Map<string, T>()
  return signed => {
    const key = Buffer.from(signed.buffer, signed.byteOffset, signed.length).toString('latin1')
    const found = known.get(key)
    if (found !== undefined) return found
    // Copies the statement, because a view would keep the whole received frame in memory.
    const result = read(Uint8Array.from(signed))
    known.set(key, result)
    if (known.size > REMEMBERED) known.delete(known.keys().next().value!)
    return result
  }
}
