import { InvalidMessageError } from '../common/errors.ts'
import type { Codec } from '../network/types.ts'
import {
  type Denial,
  type PromiseAnswer,
  type Promised,
  type PromiseQuery,
  ElectionMessage as Wire,
  type LeaseRequest as WireRequest
} from '../wire/election.gen.ts'
import { type ElectionMessage, MAX_EPOCH } from './core/messages.ts'
import type { LeaseRequest } from './quorum/lease.ts'
import type { LeaseMessage } from './quorum/quorum.ts'
import { checkPeerId, MAX_STATEMENT_BYTES, type Statements } from './statements.ts'

/** The most bytes of an election message. */
export const MAX_MESSAGE_BYTES = MAX_STATEMENT_BYTES + 64

/** The most characters of the digest of the terms of a lease. */
const MAX_TERMS = 64

/**
 * A message of the protocol "election". A lease message carries the digest of its terms (digestOf in voters.ts), because a
 * grant counts only between peers with the same voters and lease time.
 */
export type AnyMessage = ElectionMessage | (LeaseMessage & { terms: string })

/** Encodes and decodes election messages. `decode` returns only well-formed messages with valid signatures. */
export function createCodec(statements: Statements): Codec<AnyMessage> {
  return {
    encode: message => Wire.encode(toWire(message)),
    decode: bytes => fromWire(decodeWire(bytes), statements)
  }
}

function toWire(message: AnyMessage): Wire {
  switch (message.type) {
    case 'election':
      return { election: { accepted: message.accepted?.signed } }
    case 'answer':
      return { answer: { answer: message.answer } }
    case 'coordinator':
      return { coordinator: message.coordinator.signed }
    case 'rival':
      return { rival: message.coordinator.signed }
    case 'request':
      return { request: {} }
    case 'goAhead':
      return { goAhead: message.goAhead.signed }
    case 'token':
      return { token: { token: message.token.signed, accepted: message.accepted?.signed } }
    case 'relayed':
      return { relayed: message.relayed.signed }
    case 'lease':
    case 'release':
    case 'grant':
      return { [message.type]: { ...message.request, terms: message.terms } }
    case 'promiseQuery':
      return { promiseQuery: { sequence: message.sequence, terms: message.terms } }
    case 'promiseAnswer': {
      const { sequence, promised, isIncomplete, terms } = message
      return { promiseAnswer: { sequence, promised, incomplete: isIncomplete, terms } }
    }
    case 'denial': {
      const { request, promised, wait, terms } = message
      return { denial: { request: { ...request, terms }, promised, wait } }
    }
  }
}

function decodeWire(bytes: Uint8Array): Wire {
  try {
    return Wire.decode(bytes)
  } catch (cause) {
    throw new InvalidMessageError('an election message that cannot be decoded', { cause })
  }
}

function fromWire(wire: Wire, statements: Statements): AnyMessage {
  const set = Object.values(wire).filter(field => field !== undefined)
  if (set.length !== 1) throw new InvalidMessageError(`an election message with ${set.length} contents`)
  const { election, answer, coordinator, rival, request, goAhead, lease, release, grant, denial, relayed, token } = wire
  const { promiseQuery, promiseAnswer } = wire
  if (coordinator !== undefined) return { type: 'coordinator', coordinator: statements.readCoordinator(coordinator) }
  if (rival !== undefined) return { type: 'rival', coordinator: statements.readCoordinator(rival) }
  if (goAhead !== undefined) return { type: 'goAhead', goAhead: statements.readGoAhead(goAhead) }
  if (request !== undefined) return { type: 'request' }
  if (relayed !== undefined) return { type: 'relayed', relayed: statements.readRelayed(relayed) }
  if (token !== undefined) {
    const accepted = token.accepted && statements.readCoordinator(token.accepted)
    return { type: 'token', token: statements.readToken(token.token), accepted }
  }
  if (lease !== undefined) return { type: 'lease', ...readRequest(lease) }
  if (release !== undefined) return { type: 'release', ...readRequest(release) }
  if (grant !== undefined) return { type: 'grant', ...readRequest(grant) }
  if (denial !== undefined) return readDenial(denial)
  if (promiseQuery !== undefined) return { type: 'promiseQuery', ...readQuery(promiseQuery) }
  if (promiseAnswer !== undefined) return readPromiseAnswer(promiseAnswer)
  if (election !== undefined) {
    const { accepted } = election
    return { type: 'election', accepted: accepted && statements.readCoordinator(accepted) }
  }
  const kind = answer?.answer
  if (kind !== 'claiming' && kind !== 'declined') throw new InvalidMessageError(`an unknown answer to an election`)
  return { type: 'answer', answer: kind }
}

function readRequest({ epoch, sequence, terms }: WireRequest): { request: LeaseRequest; terms: string } {
  checkCount('epoch', epoch)
  checkCount('sequence', sequence)
  checkTerms(terms)
  return { request: { epoch, sequence }, terms }
}

function readQuery({ sequence, terms }: PromiseQuery): { sequence: number; terms: string } {
  checkCount('sequence', sequence)
  checkTerms(terms)
  return { sequence, terms }
}

function readPromiseAnswer({ promised, incomplete, ...query }: PromiseAnswer): AnyMessage {
  return { type: 'promiseAnswer', ...readQuery(query), promised: readPromised(promised), isIncomplete: incomplete }
}

function readPromised(promised: Promised | undefined): Promised | undefined {
  if (promised === undefined) return undefined
  checkCount('epoch', promised.epoch)
  checkPeerId('promise', promised.holder)
  return promised
}

function checkTerms(terms: string): void {
  if (terms.length > MAX_TERMS) throw new InvalidMessageError('a lease with terms that are no digest')
}

function readDenial({ request, promised, wait }: Denial): AnyMessage {
  if (request === undefined || !Number.isFinite(wait) || wait < 0) throw new InvalidMessageError('an incomplete denial')
  return { type: 'denial', ...readRequest(request), promised: readPromised(promised), wait }
}

function checkCount(what: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1 || value > MAX_EPOCH) {
    throw new InvalidMessageError(`a lease with ${what} ${value}: not between 1 and 2^53-1`)
  }
}
