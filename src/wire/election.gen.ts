/* eslint-disable require-yield */

import { decodeMessage, encodeMessage, MaxLengthError, message } from 'protons-runtime'
import { alloc as uint8ArrayAlloc } from 'uint8arrays/alloc'
import type { Codec, DecodeOptions } from 'protons-runtime'
import type { Uint8ArrayList } from 'uint8arraylist'

const noStream = function * (): Generator<never> {}

export interface ElectionMessage {
  election?: Ask
  answer?: Answer
  coordinator?: Uint8Array<ArrayBuffer>
  rival?: Uint8Array<ArrayBuffer>
  request?: Request
  goAhead?: Uint8Array<ArrayBuffer>
  lease?: LeaseRequest
  release?: LeaseRequest
  grant?: LeaseRequest
  denial?: Denial
  relayed?: Uint8Array<ArrayBuffer>
  token?: Pass
  promiseQuery?: PromiseQuery
  promiseAnswer?: PromiseAnswer
}

export namespace ElectionMessage {
  let _codec: Codec<ElectionMessage>

  export const codec = (): Codec<ElectionMessage> => {
    if (_codec == null) {
      _codec = message<ElectionMessage>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.election != null) {
          w.uint32(10)
          Ask.codec().encode(obj.election, w)
        }

        if (obj.answer != null) {
          w.uint32(18)
          Answer.codec().encode(obj.answer, w)
        }

        if (obj.coordinator != null) {
          w.uint32(26)
          w.bytes(obj.coordinator)
        }

        if (obj.rival != null) {
          w.uint32(34)
          w.bytes(obj.rival)
        }

        if (obj.request != null) {
          w.uint32(42)
          Request.codec().encode(obj.request, w)
        }

        if (obj.goAhead != null) {
          w.uint32(50)
          w.bytes(obj.goAhead)
        }

        if (obj.lease != null) {
          w.uint32(58)
          LeaseRequest.codec().encode(obj.lease, w)
        }

        if (obj.release != null) {
          w.uint32(66)
          LeaseRequest.codec().encode(obj.release, w)
        }

        if (obj.grant != null) {
          w.uint32(74)
          LeaseRequest.codec().encode(obj.grant, w)
        }

        if (obj.denial != null) {
          w.uint32(82)
          Denial.codec().encode(obj.denial, w)
        }

        if (obj.relayed != null) {
          w.uint32(90)
          w.bytes(obj.relayed)
        }

        if (obj.token != null) {
          w.uint32(98)
          Pass.codec().encode(obj.token, w)
        }

        if (obj.promiseQuery != null) {
          w.uint32(106)
          PromiseQuery.codec().encode(obj.promiseQuery, w)
        }

        if (obj.promiseAnswer != null) {
          w.uint32(114)
          PromiseAnswer.codec().encode(obj.promiseAnswer, w)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {}

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.election = Ask.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.election
              })
              break
            }
            case 2: {
              obj.answer = Answer.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.answer
              })
              break
            }
            case 3: {
              obj.coordinator = reader.bytes()
              break
            }
            case 4: {
              obj.rival = reader.bytes()
              break
            }
            case 5: {
              obj.request = Request.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.request
              })
              break
            }
            case 6: {
              obj.goAhead = reader.bytes()
              break
            }
            case 7: {
              obj.lease = LeaseRequest.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.lease
              })
              break
            }
            case 8: {
              obj.release = LeaseRequest.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.release
              })
              break
            }
            case 9: {
              obj.grant = LeaseRequest.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.grant
              })
              break
            }
            case 10: {
              obj.denial = Denial.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.denial
              })
              break
            }
            case 11: {
              obj.relayed = reader.bytes()
              break
            }
            case 12: {
              obj.token = Pass.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.token
              })
              break
            }
            case 13: {
              obj.promiseQuery = PromiseQuery.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.promiseQuery
              })
              break
            }
            case 14: {
              obj.promiseAnswer = PromiseAnswer.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.promiseAnswer
              })
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<ElectionMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ElectionMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ElectionMessage>): ElectionMessage {
    return decodeMessage(buf, ElectionMessage.codec(), opts)
  }
}

export interface Ask {
  accepted?: Uint8Array<ArrayBuffer>
}

export namespace Ask {
  let _codec: Codec<Ask>

  export const codec = (): Codec<Ask> => {
    if (_codec == null) {
      _codec = message<Ask>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.accepted != null) {
          w.uint32(10)
          w.bytes(obj.accepted)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {}

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.accepted = reader.bytes()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<Ask>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Ask.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Ask>): Ask {
    return decodeMessage(buf, Ask.codec(), opts)
  }
}

export interface Pass {
  token: Uint8Array<ArrayBuffer>
  accepted?: Uint8Array<ArrayBuffer>
}

export namespace Pass {
  let _codec: Codec<Pass>

  export const codec = (): Codec<Pass> => {
    if (_codec == null) {
      _codec = message<Pass>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.token != null && obj.token.byteLength > 0)) {
          w.uint32(10)
          w.bytes(obj.token)
        }

        if (obj.accepted != null) {
          w.uint32(18)
          w.bytes(obj.accepted)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          token: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.token = reader.bytes()
              break
            }
            case 2: {
              obj.accepted = reader.bytes()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<Pass>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Pass.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Pass>): Pass {
    return decodeMessage(buf, Pass.codec(), opts)
  }
}

export interface Answer {
  answer: string
}

export namespace Answer {
  let _codec: Codec<Answer>

  export const codec = (): Codec<Answer> => {
    if (_codec == null) {
      _codec = message<Answer>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.answer != null && obj.answer !== '')) {
          w.uint32(10)
          w.string(obj.answer)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          answer: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.answer = reader.string()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<Answer>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Answer.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Answer>): Answer {
    return decodeMessage(buf, Answer.codec(), opts)
  }
}

export interface Request {}

export namespace Request {
  let _codec: Codec<Request>

  export const codec = (): Codec<Request> => {
    if (_codec == null) {
      _codec = message<Request>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {}

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<Request>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Request.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Request>): Request {
    return decodeMessage(buf, Request.codec(), opts)
  }
}

export interface LeaseRequest {
  epoch: number
  sequence: number
  terms: string
}

export namespace LeaseRequest {
  let _codec: Codec<LeaseRequest>

  export const codec = (): Codec<LeaseRequest> => {
    if (_codec == null) {
      _codec = message<LeaseRequest>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.epoch != null && obj.epoch !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.epoch)
        }

        if ((obj.sequence != null && obj.sequence !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.sequence)
        }

        if ((obj.terms != null && obj.terms !== '')) {
          w.uint32(26)
          w.string(obj.terms)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          epoch: 0,
          sequence: 0,
          terms: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.epoch = reader.uint64Number()
              break
            }
            case 2: {
              obj.sequence = reader.uint64Number()
              break
            }
            case 3: {
              obj.terms = reader.string()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<LeaseRequest>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LeaseRequest.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LeaseRequest>): LeaseRequest {
    return decodeMessage(buf, LeaseRequest.codec(), opts)
  }
}

export interface Denial {
  request?: LeaseRequest
  promised?: Promised
  wait: number
}

export namespace Denial {
  let _codec: Codec<Denial>

  export const codec = (): Codec<Denial> => {
    if (_codec == null) {
      _codec = message<Denial>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.request != null) {
          w.uint32(10)
          LeaseRequest.codec().encode(obj.request, w)
        }

        if (obj.promised != null) {
          w.uint32(18)
          Promised.codec().encode(obj.promised, w)
        }

        if ((obj.wait != null && obj.wait !== 0)) {
          w.uint32(25)
          w.double(obj.wait)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          wait: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.request = LeaseRequest.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.request
              })
              break
            }
            case 2: {
              obj.promised = Promised.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.promised
              })
              break
            }
            case 3: {
              obj.wait = reader.double()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<Denial>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Denial.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Denial>): Denial {
    return decodeMessage(buf, Denial.codec(), opts)
  }
}

export interface PromiseQuery {
  sequence: number
  terms: string
}

export namespace PromiseQuery {
  let _codec: Codec<PromiseQuery>

  export const codec = (): Codec<PromiseQuery> => {
    if (_codec == null) {
      _codec = message<PromiseQuery>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.sequence != null && obj.sequence !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.sequence)
        }

        if ((obj.terms != null && obj.terms !== '')) {
          w.uint32(18)
          w.string(obj.terms)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          sequence: 0,
          terms: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.sequence = reader.uint64Number()
              break
            }
            case 2: {
              obj.terms = reader.string()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<PromiseQuery>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, PromiseQuery.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<PromiseQuery>): PromiseQuery {
    return decodeMessage(buf, PromiseQuery.codec(), opts)
  }
}

export interface PromiseAnswer {
  sequence: number
  terms: string
  promised?: Promised
  incomplete: boolean
}

export namespace PromiseAnswer {
  let _codec: Codec<PromiseAnswer>

  export const codec = (): Codec<PromiseAnswer> => {
    if (_codec == null) {
      _codec = message<PromiseAnswer>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.sequence != null && obj.sequence !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.sequence)
        }

        if ((obj.terms != null && obj.terms !== '')) {
          w.uint32(18)
          w.string(obj.terms)
        }

        if (obj.promised != null) {
          w.uint32(26)
          Promised.codec().encode(obj.promised, w)
        }

        if ((obj.incomplete != null && obj.incomplete !== false)) {
          w.uint32(32)
          w.bool(obj.incomplete)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          sequence: 0,
          terms: '',
          incomplete: false
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.sequence = reader.uint64Number()
              break
            }
            case 2: {
              obj.terms = reader.string()
              break
            }
            case 3: {
              obj.promised = Promised.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.promised
              })
              break
            }
            case 4: {
              obj.incomplete = reader.bool()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<PromiseAnswer>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, PromiseAnswer.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<PromiseAnswer>): PromiseAnswer {
    return decodeMessage(buf, PromiseAnswer.codec(), opts)
  }
}

export interface Promised {
  epoch: number
  holder: string
}

export namespace Promised {
  let _codec: Codec<Promised>

  export const codec = (): Codec<Promised> => {
    if (_codec == null) {
      _codec = message<Promised>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.epoch != null && obj.epoch !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.epoch)
        }

        if ((obj.holder != null && obj.holder !== '')) {
          w.uint32(18)
          w.string(obj.holder)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          epoch: 0,
          holder: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.epoch = reader.uint64Number()
              break
            }
            case 2: {
              obj.holder = reader.string()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<Promised>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Promised.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Promised>): Promised {
    return decodeMessage(buf, Promised.codec(), opts)
  }
}

export interface SignedStatement {
  payload: Uint8Array<ArrayBuffer>
  signature: Uint8Array<ArrayBuffer>
}

export namespace SignedStatement {
  let _codec: Codec<SignedStatement>

  export const codec = (): Codec<SignedStatement> => {
    if (_codec == null) {
      _codec = message<SignedStatement>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.payload != null && obj.payload.byteLength > 0)) {
          w.uint32(10)
          w.bytes(obj.payload)
        }

        if ((obj.signature != null && obj.signature.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.signature)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          payload: uint8ArrayAlloc(0),
          signature: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.payload = reader.bytes()
              break
            }
            case 2: {
              obj.signature = reader.bytes()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<SignedStatement>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, SignedStatement.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<SignedStatement>): SignedStatement {
    return decodeMessage(buf, SignedStatement.codec(), opts)
  }
}

export interface CoordinatorStatement {
  epoch: number
  leader: string
  priority: number
  goAheads: Uint8Array<ArrayBuffer>[]
}

export namespace CoordinatorStatement {
  let _codec: Codec<CoordinatorStatement>

  export const codec = (): Codec<CoordinatorStatement> => {
    if (_codec == null) {
      _codec = message<CoordinatorStatement>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.epoch != null && obj.epoch !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.epoch)
        }

        if ((obj.leader != null && obj.leader !== '')) {
          w.uint32(18)
          w.string(obj.leader)
        }

        if ((obj.priority != null && obj.priority !== 0)) {
          w.uint32(24)
          w.sint32(obj.priority)
        }

        if (obj.goAheads != null && obj.goAheads.length > 0) {
          for (const value of obj.goAheads) {
            w.uint32(34)
            w.bytes(value)
          }
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          epoch: 0,
          leader: '',
          priority: 0,
          goAheads: []
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.epoch = reader.uint64Number()
              break
            }
            case 2: {
              obj.leader = reader.string()
              break
            }
            case 3: {
              obj.priority = reader.sint32()
              break
            }
            case 4: {
              if (opts.limits?.goAheads != null && obj.goAheads.length === opts.limits.goAheads) {
                throw new MaxLengthError('Decode error - repeated field "goAheads" had too many elements')
              }

              obj.goAheads.push(reader.bytes())
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<CoordinatorStatement>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, CoordinatorStatement.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<CoordinatorStatement>): CoordinatorStatement {
    return decodeMessage(buf, CoordinatorStatement.codec(), opts)
  }
}

export interface RelayedStatement {
  from: string
  to: string
  nonce: number
  kind: string
  accepted?: Uint8Array<ArrayBuffer>
  goAhead?: Uint8Array<ArrayBuffer>
  token?: Uint8Array<ArrayBuffer>
}

export namespace RelayedStatement {
  let _codec: Codec<RelayedStatement>

  export const codec = (): Codec<RelayedStatement> => {
    if (_codec == null) {
      _codec = message<RelayedStatement>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.from != null && obj.from !== '')) {
          w.uint32(10)
          w.string(obj.from)
        }

        if ((obj.to != null && obj.to !== '')) {
          w.uint32(18)
          w.string(obj.to)
        }

        if ((obj.nonce != null && obj.nonce !== 0)) {
          w.uint32(24)
          w.uint64Number(obj.nonce)
        }

        if ((obj.kind != null && obj.kind !== '')) {
          w.uint32(34)
          w.string(obj.kind)
        }

        if (obj.accepted != null) {
          w.uint32(42)
          w.bytes(obj.accepted)
        }

        if (obj.goAhead != null) {
          w.uint32(50)
          w.bytes(obj.goAhead)
        }

        if (obj.token != null) {
          w.uint32(58)
          w.bytes(obj.token)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          from: '',
          to: '',
          nonce: 0,
          kind: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.from = reader.string()
              break
            }
            case 2: {
              obj.to = reader.string()
              break
            }
            case 3: {
              obj.nonce = reader.uint64Number()
              break
            }
            case 4: {
              obj.kind = reader.string()
              break
            }
            case 5: {
              obj.accepted = reader.bytes()
              break
            }
            case 6: {
              obj.goAhead = reader.bytes()
              break
            }
            case 7: {
              obj.token = reader.bytes()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<RelayedStatement>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, RelayedStatement.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<RelayedStatement>): RelayedStatement {
    return decodeMessage(buf, RelayedStatement.codec(), opts)
  }
}

export interface TokenStatement {
  candidate: string
  above: number
  nonce: number
}

export namespace TokenStatement {
  let _codec: Codec<TokenStatement>

  export const codec = (): Codec<TokenStatement> => {
    if (_codec == null) {
      _codec = message<TokenStatement>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.candidate != null && obj.candidate !== '')) {
          w.uint32(10)
          w.string(obj.candidate)
        }

        if ((obj.above != null && obj.above !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.above)
        }

        if ((obj.nonce != null && obj.nonce !== 0)) {
          w.uint32(24)
          w.uint64Number(obj.nonce)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          candidate: '',
          above: 0,
          nonce: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.candidate = reader.string()
              break
            }
            case 2: {
              obj.above = reader.uint64Number()
              break
            }
            case 3: {
              obj.nonce = reader.uint64Number()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<TokenStatement>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, TokenStatement.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<TokenStatement>): TokenStatement {
    return decodeMessage(buf, TokenStatement.codec(), opts)
  }
}

export interface GoAheadStatement {
  from: string
  fromEpoch: number
  to: string
}

export namespace GoAheadStatement {
  let _codec: Codec<GoAheadStatement>

  export const codec = (): Codec<GoAheadStatement> => {
    if (_codec == null) {
      _codec = message<GoAheadStatement>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.from != null && obj.from !== '')) {
          w.uint32(10)
          w.string(obj.from)
        }

        if ((obj.fromEpoch != null && obj.fromEpoch !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.fromEpoch)
        }

        if ((obj.to != null && obj.to !== '')) {
          w.uint32(26)
          w.string(obj.to)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          from: '',
          fromEpoch: 0,
          to: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.from = reader.string()
              break
            }
            case 2: {
              obj.fromEpoch = reader.uint64Number()
              break
            }
            case 3: {
              obj.to = reader.string()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<GoAheadStatement>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, GoAheadStatement.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<GoAheadStatement>): GoAheadStatement {
    return decodeMessage(buf, GoAheadStatement.codec(), opts)
  }
}

export interface HistoryMessage {
  id: number
  answer?: HistoryAnswer
}

export namespace HistoryMessage {
  let _codec: Codec<HistoryMessage>

  export const codec = (): Codec<HistoryMessage> => {
    if (_codec == null) {
      _codec = message<HistoryMessage>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.id != null && obj.id !== 0)) {
          w.uint32(8)
          w.uint32(obj.id)
        }

        if (obj.answer != null) {
          w.uint32(18)
          HistoryAnswer.codec().encode(obj.answer, w)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          id: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.id = reader.uint32()
              break
            }
            case 2: {
              obj.answer = HistoryAnswer.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.answer
              })
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<HistoryMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, HistoryMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<HistoryMessage>): HistoryMessage {
    return decodeMessage(buf, HistoryMessage.codec(), opts)
  }
}

export interface HistoryAnswer {
  records: HistoryRecord[]
}

export namespace HistoryAnswer {
  let _codec: Codec<HistoryAnswer>

  export const codec = (): Codec<HistoryAnswer> => {
    if (_codec == null) {
      _codec = message<HistoryAnswer>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.records != null && obj.records.length > 0) {
          for (const value of obj.records) {
            w.uint32(10)
            HistoryRecord.codec().encode(value, w)
          }
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          records: []
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.records != null && obj.records.length === opts.limits.records) {
                throw new MaxLengthError('Decode error - repeated field "records" had too many elements')
              }

              obj.records.push(HistoryRecord.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.records$
              }))
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<HistoryAnswer>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, HistoryAnswer.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<HistoryAnswer>): HistoryAnswer {
    return decodeMessage(buf, HistoryAnswer.codec(), opts)
  }
}

export interface HistoryRecord {
  leader: string
  epoch: number
  from: number
  until?: number
  why: string
}

export namespace HistoryRecord {
  let _codec: Codec<HistoryRecord>

  export const codec = (): Codec<HistoryRecord> => {
    if (_codec == null) {
      _codec = message<HistoryRecord>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.leader != null && obj.leader !== '')) {
          w.uint32(10)
          w.string(obj.leader)
        }

        if ((obj.epoch != null && obj.epoch !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.epoch)
        }

        if ((obj.from != null && obj.from !== 0)) {
          w.uint32(25)
          w.double(obj.from)
        }

        if (obj.until != null) {
          w.uint32(33)
          w.double(obj.until)
        }

        if ((obj.why != null && obj.why !== '')) {
          w.uint32(42)
          w.string(obj.why)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          leader: '',
          epoch: 0,
          from: 0,
          why: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.leader = reader.string()
              break
            }
            case 2: {
              obj.epoch = reader.uint64Number()
              break
            }
            case 3: {
              obj.from = reader.double()
              break
            }
            case 4: {
              obj.until = reader.double()
              break
            }
            case 5: {
              obj.why = reader.string()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<HistoryRecord>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, HistoryRecord.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<HistoryRecord>): HistoryRecord {
    return decodeMessage(buf, HistoryRecord.codec(), opts)
  }
}
