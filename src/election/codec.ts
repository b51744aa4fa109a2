import { InvalidMessageError } from '../errors.ts'
import type { Codec } from '../network/types.ts'
import { ElectionMessage as Wire } from '../wire/election.gen.ts'
import type { ElectionMessage } from './messages.ts'
import { MAX_STATEMENT_BYTES, type Statements } from './statements.ts'

/** The most bytes of a message of the election. */
export const MAX_MESSAGE_BYTES = MAX_STATEMENT_BYTES + 64

/** Between the election's messages and their bytes. Whatever `decode` returns is well-formed and genuinely signed. */
export function createCodec(statements: Statements): Codec<ElectionMessage> {
  return {
    encode: message => Wire.encode(toWire(message)),
    decode: bytes => fromWire(decodeWire(bytes), statements)
  }
}

function toWire(message: ElectionMessage): Wire {
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
  }
}

function decodeWire(bytes: Uint8Array): Wire {
  try {
    return Wire.decode(bytes)
  } catch (cause) {
    throw new InvalidMessageError('an election message that cannot be decoded', { cause })
  }
}

function fromWire(wire: Wire, statements: Statements): ElectionMessage {
  const { election, answer, coordinator, rival, request, goAhead } = wire
  const fields = [election, answer, coordinator, rival, request, goAhead].filter(field => field !== undefined)
  if (fields.length !== 1) throw new InvalidMessageError(`an election message with ${fields.length} contents`)
  if (coordinator !== undefined) return { type: 'coordinator', coordinator: statements.readCoordinator(coordinator) }
  if (rival !== undefined) return { type: 'rival', coordinator: statements.readCoordinator(rival) }
  if (goAhead !== undefined) return { type: 'goAhead', goAhead: statements.readGoAhead(goAhead) }
  if (request !== undefined) return { type: 'request' }
  if (election !== undefined) {
    const { accepted } = election
    return { type: 'election', accepted: accepted && statements.readCoordinator(accepted) }
  }
  const word = answer?.answer
  if (word !== 'claiming' && word !== 'declined') throw new InvalidMessageError(`an unknown answer to an election`)
  return { type: 'answer', answer: word }
}
