import { decodeMessage, encodeMessage, MaxLengthError, message, streamMessage } from 'protons-runtime'
import type { Codec, DecodeOptions } from 'protons-runtime'
import type { Uint8ArrayList } from 'uint8arraylist'

export interface LockMessage {
  session: string
  keep?: LockKeep
  release?: LockName
  held?: LockHeld
  queued?: LockQueued
  refused?: string
  lost?: boolean
  released?: boolean
  yields?: boolean
  notLeader?: boolean
  list?: string
  locks?: LockList
}

export namespace LockMessage {
  let _codec: Codec<LockMessage>

  export const codec = (): Codec<LockMessage> => {
    if (_codec == null) {
      _codec = message<LockMessage>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.session != null && obj.session !== '')) {
          w.uint32(10)
          w.string(obj.session)
        }

        if (obj.keep != null) {
          w.uint32(18)
          LockKeep.codec().encode(obj.keep, w)
        }

        if (obj.release != null) {
          w.uint32(26)
          LockName.codec().encode(obj.release, w)
        }

        if (obj.held != null) {
          w.uint32(34)
          LockHeld.codec().encode(obj.held, w)
        }

        if (obj.queued != null) {
          w.uint32(42)
          LockQueued.codec().encode(obj.queued, w)
        }

        if (obj.refused != null) {
          w.uint32(50)
          w.string(obj.refused)
        }

        if (obj.lost != null) {
          w.uint32(56)
          w.bool(obj.lost)
        }

        if (obj.released != null) {
          w.uint32(64)
          w.bool(obj.released)
        }

        if (obj.yields != null) {
          w.uint32(72)
          w.bool(obj.yields)
        }

        if (obj.notLeader != null) {
          w.uint32(80)
          w.bool(obj.notLeader)
        }

        if (obj.list != null) {
          w.uint32(90)
          w.string(obj.list)
        }

        if (obj.locks != null) {
          w.uint32(98)
          LockList.codec().encode(obj.locks, w)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          session: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.session = reader.string()
              break
            }
            case 2: {
              obj.keep = LockKeep.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.keep
              })
              break
            }
            case 3: {
              obj.release = LockName.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.release
              })
              break
            }
            case 4: {
              obj.held = LockHeld.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.held
              })
              break
            }
            case 5: {
              obj.queued = LockQueued.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.queued
              })
              break
            }
            case 6: {
              obj.refused = reader.string()
              break
            }
            case 7: {
              obj.lost = reader.bool()
              break
            }
            case 8: {
              obj.released = reader.bool()
              break
            }
            case 9: {
              obj.yields = reader.bool()
              break
            }
            case 10: {
              obj.notLeader = reader.bool()
              break
            }
            case 11: {
              obj.list = reader.string()
              break
            }
            case 12: {
              obj.locks = LockList.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.locks
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.session`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield * LockKeep.codec().stream(reader, reader.uint32(), `${prefix}.keep`, {
                limits: opts.limits?.keep
              })

              break
            }
            case 3: {
              yield * LockName.codec().stream(reader, reader.uint32(), `${prefix}.release`, {
                limits: opts.limits?.release
              })

              break
            }
            case 4: {
              yield * LockHeld.codec().stream(reader, reader.uint32(), `${prefix}.held`, {
                limits: opts.limits?.held
              })

              break
            }
            case 5: {
              yield * LockQueued.codec().stream(reader, reader.uint32(), `${prefix}.queued`, {
                limits: opts.limits?.queued
              })

              break
            }
            case 6: {
              yield {
                field: `${prefix}.refused`,
                value: reader.string()
              }
              break
            }
            case 7: {
              yield {
                field: `${prefix}.lost`,
                value: reader.bool()
              }
              break
            }
            case 8: {
              yield {
                field: `${prefix}.released`,
                value: reader.bool()
              }
              break
            }
            case 9: {
              yield {
                field: `${prefix}.yields`,
                value: reader.bool()
              }
              break
            }
            case 10: {
              yield {
                field: `${prefix}.notLeader`,
                value: reader.bool()
              }
              break
            }
            case 11: {
              yield {
                field: `${prefix}.list`,
                value: reader.string()
              }
              break
            }
            case 12: {
              yield * LockList.codec().stream(reader, reader.uint32(), `${prefix}.locks`, {
                limits: opts.limits?.locks
              })

              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }
      })
    }

    return _codec
  }

  export interface LockMessageSessionFieldEvent {
    field: '$.session'
    value: string
  }

  export interface LockMessageKeepLockKindFieldEvent {
    field: '$.keep.lock.kind'
    value: string
  }

  export interface LockMessageKeepLockNameFieldEvent {
    field: '$.keep.lock.name'
    value: string
  }

  export interface LockMessageKeepSequenceFieldEvent {
    field: '$.keep.sequence'
    value: number
  }

  export interface LockMessageKeepLimitFieldEvent {
    field: '$.keep.limit'
    value: number
  }

  export interface LockMessageKeepTtlFieldEvent {
    field: '$.keep.ttl'
    value: number
  }

  export interface LockMessageKeepOwnerFieldEvent {
    field: '$.keep.owner'
    value: string
  }

  export interface LockMessageKeepTicketEpochFieldEvent {
    field: '$.keep.ticket.epoch'
    value: number
  }

  export interface LockMessageKeepTicketNumberFieldEvent {
    field: '$.keep.ticket.number'
    value: number
  }

  export interface LockMessageKeepIsHeldFieldEvent {
    field: '$.keep.isHeld'
    value: boolean
  }

  export interface LockMessageReleaseKindFieldEvent {
    field: '$.release.kind'
    value: string
  }

  export interface LockMessageReleaseNameFieldEvent {
    field: '$.release.name'
    value: string
  }

  export interface LockMessageHeldSequenceFieldEvent {
    field: '$.held.sequence'
    value: number
  }

  export interface LockMessageHeldTokenFieldEvent {
    field: '$.held.token'
    value: number
  }

  export interface LockMessageQueuedTicketEpochFieldEvent {
    field: '$.queued.ticket.epoch'
    value: number
  }

  export interface LockMessageQueuedTicketNumberFieldEvent {
    field: '$.queued.ticket.number'
    value: number
  }

  export interface LockMessageQueuedAheadFieldEvent {
    field: '$.queued.ahead'
    value: number
  }

  export interface LockMessageRefusedFieldEvent {
    field: '$.refused'
    value: string
  }

  export interface LockMessageLostFieldEvent {
    field: '$.lost'
    value: boolean
  }

  export interface LockMessageReleasedFieldEvent {
    field: '$.released'
    value: boolean
  }

  export interface LockMessageYieldsFieldEvent {
    field: '$.yields'
    value: boolean
  }

  export interface LockMessageNotLeaderFieldEvent {
    field: '$.notLeader'
    value: boolean
  }

  export interface LockMessageListFieldEvent {
    field: '$.list'
    value: string
  }

  export interface LockMessageLocksLocksLockKindFieldEvent {
    field: '$.locks.locks[].lock.kind'
    value: string
    index: number
  }

  export interface LockMessageLocksLocksLockNameFieldEvent {
    field: '$.locks.locks[].lock.name'
    value: string
    index: number
  }

  export interface LockMessageLocksLocksLimitFieldEvent {
    field: '$.locks.locks[].limit'
    value: number
    index: number
  }

  export interface LockMessageLocksLocksTokenFieldEvent {
    field: '$.locks.locks[].token'
    value: number
    index: number
  }

  export interface LockMessageLocksLocksHoldersSessionFieldEvent {
    field: '$.locks.locks[].holders[].session'
    value: string
    index: number
  }

  export interface LockMessageLocksLocksHoldersClientFieldEvent {
    field: '$.locks.locks[].holders[].client'
    value: string
    index: number
  }

  export interface LockMessageLocksLocksHoldersOwnerFieldEvent {
    field: '$.locks.locks[].holders[].owner'
    value: string
    index: number
  }

  export interface LockMessageLocksLocksHoldersSinceFieldEvent {
    field: '$.locks.locks[].holders[].since'
    value: number
    index: number
  }

  export interface LockMessageLocksLocksHoldersTokenFieldEvent {
    field: '$.locks.locks[].holders[].token'
    value: number
    index: number
  }

  export interface LockMessageLocksLocksHoldersTtlFieldEvent {
    field: '$.locks.locks[].holders[].ttl'
    value: number
    index: number
  }

  export interface LockMessageLocksLocksWaitersSessionFieldEvent {
    field: '$.locks.locks[].waiters[].session'
    value: string
    index: number
  }

  export interface LockMessageLocksLocksWaitersClientFieldEvent {
    field: '$.locks.locks[].waiters[].client'
    value: string
    index: number
  }

  export interface LockMessageLocksLocksWaitersOwnerFieldEvent {
    field: '$.locks.locks[].waiters[].owner'
    value: string
    index: number
  }

  export interface LockMessageLocksLocksWaitersSinceFieldEvent {
    field: '$.locks.locks[].waiters[].since'
    value: number
    index: number
  }

  export interface LockMessageLocksLocksWaitersTokenFieldEvent {
    field: '$.locks.locks[].waiters[].token'
    value: number
    index: number
  }

  export interface LockMessageLocksLocksWaitersTtlFieldEvent {
    field: '$.locks.locks[].waiters[].ttl'
    value: number
    index: number
  }

  export interface LockMessageLocksMoreFieldEvent {
    field: '$.locks.more'
    value: boolean
  }

  export function encode (obj: Partial<LockMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockMessage>): LockMessage {
    return decodeMessage(buf, LockMessage.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockMessage>): Generator<LockMessageSessionFieldEvent | LockMessageKeepLockKindFieldEvent | LockMessageKeepLockNameFieldEvent | LockMessageKeepSequenceFieldEvent | LockMessageKeepLimitFieldEvent | LockMessageKeepTtlFieldEvent | LockMessageKeepOwnerFieldEvent | LockMessageKeepTicketEpochFieldEvent | LockMessageKeepTicketNumberFieldEvent | LockMessageKeepIsHeldFieldEvent | LockMessageReleaseKindFieldEvent | LockMessageReleaseNameFieldEvent | LockMessageHeldSequenceFieldEvent | LockMessageHeldTokenFieldEvent | LockMessageQueuedTicketEpochFieldEvent | LockMessageQueuedTicketNumberFieldEvent | LockMessageQueuedAheadFieldEvent | LockMessageRefusedFieldEvent | LockMessageLostFieldEvent | LockMessageReleasedFieldEvent | LockMessageYieldsFieldEvent | LockMessageNotLeaderFieldEvent | LockMessageListFieldEvent | LockMessageLocksLocksLockKindFieldEvent | LockMessageLocksLocksLockNameFieldEvent | LockMessageLocksLocksLimitFieldEvent | LockMessageLocksLocksTokenFieldEvent | LockMessageLocksLocksHoldersSessionFieldEvent | LockMessageLocksLocksHoldersClientFieldEvent | LockMessageLocksLocksHoldersOwnerFieldEvent | LockMessageLocksLocksHoldersSinceFieldEvent | LockMessageLocksLocksHoldersTokenFieldEvent | LockMessageLocksLocksHoldersTtlFieldEvent | LockMessageLocksLocksWaitersSessionFieldEvent | LockMessageLocksLocksWaitersClientFieldEvent | LockMessageLocksLocksWaitersOwnerFieldEvent | LockMessageLocksLocksWaitersSinceFieldEvent | LockMessageLocksLocksWaitersTokenFieldEvent | LockMessageLocksLocksWaitersTtlFieldEvent | LockMessageLocksMoreFieldEvent> {
    return streamMessage(buf, LockMessage.codec(), opts)
  }
}

export interface LockName {
  kind: string
  name: string
}

export namespace LockName {
  let _codec: Codec<LockName>

  export const codec = (): Codec<LockName> => {
    if (_codec == null) {
      _codec = message<LockName>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.kind != null && obj.kind !== '')) {
          w.uint32(10)
          w.string(obj.kind)
        }

        if ((obj.name != null && obj.name !== '')) {
          w.uint32(18)
          w.string(obj.name)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          kind: '',
          name: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.kind = reader.string()
              break
            }
            case 2: {
              obj.name = reader.string()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.kind`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.name`,
                value: reader.string()
              }
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }
      })
    }

    return _codec
  }

  export interface LockNameKindFieldEvent {
    field: '$.kind'
    value: string
  }

  export interface LockNameNameFieldEvent {
    field: '$.name'
    value: string
  }

  export function encode (obj: Partial<LockName>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockName.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockName>): LockName {
    return decodeMessage(buf, LockName.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockName>): Generator<LockNameKindFieldEvent | LockNameNameFieldEvent> {
    return streamMessage(buf, LockName.codec(), opts)
  }
}

export interface LockKeep {
  lock?: LockName
  sequence: number
  limit: number
  ttl: number
  owner: string
  ticket?: LockTicket
  isHeld: boolean
}

export namespace LockKeep {
  let _codec: Codec<LockKeep>

  export const codec = (): Codec<LockKeep> => {
    if (_codec == null) {
      _codec = message<LockKeep>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.lock != null) {
          w.uint32(10)
          LockName.codec().encode(obj.lock, w)
        }

        if ((obj.sequence != null && obj.sequence !== 0)) {
          w.uint32(16)
          w.uint32(obj.sequence)
        }

        if ((obj.limit != null && obj.limit !== 0)) {
          w.uint32(24)
          w.uint32(obj.limit)
        }

        if ((obj.ttl != null && obj.ttl !== 0)) {
          w.uint32(32)
          w.uint32(obj.ttl)
        }

        if ((obj.owner != null && obj.owner !== '')) {
          w.uint32(42)
          w.string(obj.owner)
        }

        if (obj.ticket != null) {
          w.uint32(50)
          LockTicket.codec().encode(obj.ticket, w)
        }

        if ((obj.isHeld != null && obj.isHeld !== false)) {
          w.uint32(56)
          w.bool(obj.isHeld)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          sequence: 0,
          limit: 0,
          ttl: 0,
          owner: '',
          isHeld: false
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.lock = LockName.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.lock
              })
              break
            }
            case 2: {
              obj.sequence = reader.uint32()
              break
            }
            case 3: {
              obj.limit = reader.uint32()
              break
            }
            case 4: {
              obj.ttl = reader.uint32()
              break
            }
            case 5: {
              obj.owner = reader.string()
              break
            }
            case 6: {
              obj.ticket = LockTicket.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.ticket
              })
              break
            }
            case 7: {
              obj.isHeld = reader.bool()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield * LockName.codec().stream(reader, reader.uint32(), `${prefix}.lock`, {
                limits: opts.limits?.lock
              })

              break
            }
            case 2: {
              yield {
                field: `${prefix}.sequence`,
                value: reader.uint32()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.limit`,
                value: reader.uint32()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.ttl`,
                value: reader.uint32()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.owner`,
                value: reader.string()
              }
              break
            }
            case 6: {
              yield * LockTicket.codec().stream(reader, reader.uint32(), `${prefix}.ticket`, {
                limits: opts.limits?.ticket
              })

              break
            }
            case 7: {
              yield {
                field: `${prefix}.isHeld`,
                value: reader.bool()
              }
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }
      })
    }

    return _codec
  }

  export interface LockKeepLockKindFieldEvent {
    field: '$.lock.kind'
    value: string
  }

  export interface LockKeepLockNameFieldEvent {
    field: '$.lock.name'
    value: string
  }

  export interface LockKeepSequenceFieldEvent {
    field: '$.sequence'
    value: number
  }

  export interface LockKeepLimitFieldEvent {
    field: '$.limit'
    value: number
  }

  export interface LockKeepTtlFieldEvent {
    field: '$.ttl'
    value: number
  }

  export interface LockKeepOwnerFieldEvent {
    field: '$.owner'
    value: string
  }

  export interface LockKeepTicketEpochFieldEvent {
    field: '$.ticket.epoch'
    value: number
  }

  export interface LockKeepTicketNumberFieldEvent {
    field: '$.ticket.number'
    value: number
  }

  export interface LockKeepIsHeldFieldEvent {
    field: '$.isHeld'
    value: boolean
  }

  export function encode (obj: Partial<LockKeep>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockKeep.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockKeep>): LockKeep {
    return decodeMessage(buf, LockKeep.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockKeep>): Generator<LockKeepLockKindFieldEvent | LockKeepLockNameFieldEvent | LockKeepSequenceFieldEvent | LockKeepLimitFieldEvent | LockKeepTtlFieldEvent | LockKeepOwnerFieldEvent | LockKeepTicketEpochFieldEvent | LockKeepTicketNumberFieldEvent | LockKeepIsHeldFieldEvent> {
    return streamMessage(buf, LockKeep.codec(), opts)
  }
}

export interface LockTicket {
  epoch: number
  number: number
}

export namespace LockTicket {
  let _codec: Codec<LockTicket>

  export const codec = (): Codec<LockTicket> => {
    if (_codec == null) {
      _codec = message<LockTicket>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.epoch != null && obj.epoch !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.epoch)
        }

        if ((obj.number != null && obj.number !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.number)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          epoch: 0,
          number: 0
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
              obj.number = reader.uint64Number()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.epoch`,
                value: reader.uint64Number()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.number`,
                value: reader.uint64Number()
              }
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }
      })
    }

    return _codec
  }

  export interface LockTicketEpochFieldEvent {
    field: '$.epoch'
    value: number
  }

  export interface LockTicketNumberFieldEvent {
    field: '$.number'
    value: number
  }

  export function encode (obj: Partial<LockTicket>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockTicket.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockTicket>): LockTicket {
    return decodeMessage(buf, LockTicket.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockTicket>): Generator<LockTicketEpochFieldEvent | LockTicketNumberFieldEvent> {
    return streamMessage(buf, LockTicket.codec(), opts)
  }
}

export interface LockHeld {
  sequence: number
  token: number
}

export namespace LockHeld {
  let _codec: Codec<LockHeld>

  export const codec = (): Codec<LockHeld> => {
    if (_codec == null) {
      _codec = message<LockHeld>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.sequence != null && obj.sequence !== 0)) {
          w.uint32(8)
          w.uint32(obj.sequence)
        }

        if ((obj.token != null && obj.token !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.token)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          sequence: 0,
          token: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.sequence = reader.uint32()
              break
            }
            case 2: {
              obj.token = reader.uint64Number()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.sequence`,
                value: reader.uint32()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.token`,
                value: reader.uint64Number()
              }
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }
      })
    }

    return _codec
  }

  export interface LockHeldSequenceFieldEvent {
    field: '$.sequence'
    value: number
  }

  export interface LockHeldTokenFieldEvent {
    field: '$.token'
    value: number
  }

  export function encode (obj: Partial<LockHeld>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockHeld.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockHeld>): LockHeld {
    return decodeMessage(buf, LockHeld.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockHeld>): Generator<LockHeldSequenceFieldEvent | LockHeldTokenFieldEvent> {
    return streamMessage(buf, LockHeld.codec(), opts)
  }
}

export interface LockQueued {
  ticket?: LockTicket
  ahead: number
}

export namespace LockQueued {
  let _codec: Codec<LockQueued>

  export const codec = (): Codec<LockQueued> => {
    if (_codec == null) {
      _codec = message<LockQueued>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.ticket != null) {
          w.uint32(10)
          LockTicket.codec().encode(obj.ticket, w)
        }

        if ((obj.ahead != null && obj.ahead !== 0)) {
          w.uint32(16)
          w.uint32(obj.ahead)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          ahead: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.ticket = LockTicket.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.ticket
              })
              break
            }
            case 2: {
              obj.ahead = reader.uint32()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield * LockTicket.codec().stream(reader, reader.uint32(), `${prefix}.ticket`, {
                limits: opts.limits?.ticket
              })

              break
            }
            case 2: {
              yield {
                field: `${prefix}.ahead`,
                value: reader.uint32()
              }
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }
      })
    }

    return _codec
  }

  export interface LockQueuedTicketEpochFieldEvent {
    field: '$.ticket.epoch'
    value: number
  }

  export interface LockQueuedTicketNumberFieldEvent {
    field: '$.ticket.number'
    value: number
  }

  export interface LockQueuedAheadFieldEvent {
    field: '$.ahead'
    value: number
  }

  export function encode (obj: Partial<LockQueued>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockQueued.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockQueued>): LockQueued {
    return decodeMessage(buf, LockQueued.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockQueued>): Generator<LockQueuedTicketEpochFieldEvent | LockQueuedTicketNumberFieldEvent | LockQueuedAheadFieldEvent> {
    return streamMessage(buf, LockQueued.codec(), opts)
  }
}

export interface LockList {
  locks: LockState[]
  more: boolean
}

export namespace LockList {
  let _codec: Codec<LockList>

  export const codec = (): Codec<LockList> => {
    if (_codec == null) {
      _codec = message<LockList>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.locks != null && obj.locks.length > 0) {
          for (const value of obj.locks) {
            w.uint32(10)
            LockState.codec().encode(value, w)
          }
        }

        if ((obj.more != null && obj.more !== false)) {
          w.uint32(16)
          w.bool(obj.more)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          locks: [],
          more: false
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.locks != null && obj.locks.length === opts.limits.locks) {
                throw new MaxLengthError('Decode error - repeated field "locks" had too many elements')
              }

              obj.locks.push(LockState.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.locks$
              }))
              break
            }
            case 2: {
              obj.more = reader.bool()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          locks: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.locks != null && obj.locks === opts.limits.locks) {
                throw new MaxLengthError('Streaming decode error - repeated field "locks" had too many elements')
              }

              for (const evt of LockState.codec().stream(reader, reader.uint32(), `${prefix}.locks[]`, {
                limits: opts.limits?.locks$
              })) {
                yield {
                  ...evt,
                  index: obj.locks
                }
              }

              obj.locks++

              break
            }
            case 2: {
              yield {
                field: `${prefix}.more`,
                value: reader.bool()
              }
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }
      })
    }

    return _codec
  }

  export interface LockListLocksLockKindFieldEvent {
    field: '$.locks[].lock.kind'
    value: string
    index: number
  }

  export interface LockListLocksLockNameFieldEvent {
    field: '$.locks[].lock.name'
    value: string
    index: number
  }

  export interface LockListLocksLimitFieldEvent {
    field: '$.locks[].limit'
    value: number
    index: number
  }

  export interface LockListLocksTokenFieldEvent {
    field: '$.locks[].token'
    value: number
    index: number
  }

  export interface LockListLocksHoldersSessionFieldEvent {
    field: '$.locks[].holders[].session'
    value: string
    index: number
  }

  export interface LockListLocksHoldersClientFieldEvent {
    field: '$.locks[].holders[].client'
    value: string
    index: number
  }

  export interface LockListLocksHoldersOwnerFieldEvent {
    field: '$.locks[].holders[].owner'
    value: string
    index: number
  }

  export interface LockListLocksHoldersSinceFieldEvent {
    field: '$.locks[].holders[].since'
    value: number
    index: number
  }

  export interface LockListLocksHoldersTokenFieldEvent {
    field: '$.locks[].holders[].token'
    value: number
    index: number
  }

  export interface LockListLocksHoldersTtlFieldEvent {
    field: '$.locks[].holders[].ttl'
    value: number
    index: number
  }

  export interface LockListLocksWaitersSessionFieldEvent {
    field: '$.locks[].waiters[].session'
    value: string
    index: number
  }

  export interface LockListLocksWaitersClientFieldEvent {
    field: '$.locks[].waiters[].client'
    value: string
    index: number
  }

  export interface LockListLocksWaitersOwnerFieldEvent {
    field: '$.locks[].waiters[].owner'
    value: string
    index: number
  }

  export interface LockListLocksWaitersSinceFieldEvent {
    field: '$.locks[].waiters[].since'
    value: number
    index: number
  }

  export interface LockListLocksWaitersTokenFieldEvent {
    field: '$.locks[].waiters[].token'
    value: number
    index: number
  }

  export interface LockListLocksWaitersTtlFieldEvent {
    field: '$.locks[].waiters[].ttl'
    value: number
    index: number
  }

  export interface LockListMoreFieldEvent {
    field: '$.more'
    value: boolean
  }

  export function encode (obj: Partial<LockList>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockList.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockList>): LockList {
    return decodeMessage(buf, LockList.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockList>): Generator<LockListLocksLockKindFieldEvent | LockListLocksLockNameFieldEvent | LockListLocksLimitFieldEvent | LockListLocksTokenFieldEvent | LockListLocksHoldersSessionFieldEvent | LockListLocksHoldersClientFieldEvent | LockListLocksHoldersOwnerFieldEvent | LockListLocksHoldersSinceFieldEvent | LockListLocksHoldersTokenFieldEvent | LockListLocksHoldersTtlFieldEvent | LockListLocksWaitersSessionFieldEvent | LockListLocksWaitersClientFieldEvent | LockListLocksWaitersOwnerFieldEvent | LockListLocksWaitersSinceFieldEvent | LockListLocksWaitersTokenFieldEvent | LockListLocksWaitersTtlFieldEvent | LockListMoreFieldEvent> {
    return streamMessage(buf, LockList.codec(), opts)
  }
}

export interface LockState {
  lock?: LockName
  limit: number
  token: number
  holders: LockSession[]
  waiters: LockSession[]
}

export namespace LockState {
  let _codec: Codec<LockState>

  export const codec = (): Codec<LockState> => {
    if (_codec == null) {
      _codec = message<LockState>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.lock != null) {
          w.uint32(10)
          LockName.codec().encode(obj.lock, w)
        }

        if ((obj.limit != null && obj.limit !== 0)) {
          w.uint32(16)
          w.uint32(obj.limit)
        }

        if ((obj.token != null && obj.token !== 0)) {
          w.uint32(24)
          w.uint64Number(obj.token)
        }

        if (obj.holders != null && obj.holders.length > 0) {
          for (const value of obj.holders) {
            w.uint32(34)
            LockSession.codec().encode(value, w)
          }
        }

        if (obj.waiters != null && obj.waiters.length > 0) {
          for (const value of obj.waiters) {
            w.uint32(42)
            LockSession.codec().encode(value, w)
          }
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          limit: 0,
          token: 0,
          holders: [],
          waiters: []
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.lock = LockName.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.lock
              })
              break
            }
            case 2: {
              obj.limit = reader.uint32()
              break
            }
            case 3: {
              obj.token = reader.uint64Number()
              break
            }
            case 4: {
              if (opts.limits?.holders != null && obj.holders.length === opts.limits.holders) {
                throw new MaxLengthError('Decode error - repeated field "holders" had too many elements')
              }

              obj.holders.push(LockSession.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.holders$
              }))
              break
            }
            case 5: {
              if (opts.limits?.waiters != null && obj.waiters.length === opts.limits.waiters) {
                throw new MaxLengthError('Decode error - repeated field "waiters" had too many elements')
              }

              obj.waiters.push(LockSession.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.waiters$
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
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          holders: 0,
          waiters: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield * LockName.codec().stream(reader, reader.uint32(), `${prefix}.lock`, {
                limits: opts.limits?.lock
              })

              break
            }
            case 2: {
              yield {
                field: `${prefix}.limit`,
                value: reader.uint32()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.token`,
                value: reader.uint64Number()
              }
              break
            }
            case 4: {
              if (opts.limits?.holders != null && obj.holders === opts.limits.holders) {
                throw new MaxLengthError('Streaming decode error - repeated field "holders" had too many elements')
              }

              for (const evt of LockSession.codec().stream(reader, reader.uint32(), `${prefix}.holders[]`, {
                limits: opts.limits?.holders$
              })) {
                yield {
                  ...evt,
                  index: obj.holders
                }
              }

              obj.holders++

              break
            }
            case 5: {
              if (opts.limits?.waiters != null && obj.waiters === opts.limits.waiters) {
                throw new MaxLengthError('Streaming decode error - repeated field "waiters" had too many elements')
              }

              for (const evt of LockSession.codec().stream(reader, reader.uint32(), `${prefix}.waiters[]`, {
                limits: opts.limits?.waiters$
              })) {
                yield {
                  ...evt,
                  index: obj.waiters
                }
              }

              obj.waiters++

              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }
      })
    }

    return _codec
  }

  export interface LockStateLockKindFieldEvent {
    field: '$.lock.kind'
    value: string
  }

  export interface LockStateLockNameFieldEvent {
    field: '$.lock.name'
    value: string
  }

  export interface LockStateLimitFieldEvent {
    field: '$.limit'
    value: number
  }

  export interface LockStateTokenFieldEvent {
    field: '$.token'
    value: number
  }

  export interface LockStateHoldersSessionFieldEvent {
    field: '$.holders[].session'
    value: string
    index: number
  }

  export interface LockStateHoldersClientFieldEvent {
    field: '$.holders[].client'
    value: string
    index: number
  }

  export interface LockStateHoldersOwnerFieldEvent {
    field: '$.holders[].owner'
    value: string
    index: number
  }

  export interface LockStateHoldersSinceFieldEvent {
    field: '$.holders[].since'
    value: number
    index: number
  }

  export interface LockStateHoldersTokenFieldEvent {
    field: '$.holders[].token'
    value: number
    index: number
  }

  export interface LockStateHoldersTtlFieldEvent {
    field: '$.holders[].ttl'
    value: number
    index: number
  }

  export interface LockStateWaitersSessionFieldEvent {
    field: '$.waiters[].session'
    value: string
    index: number
  }

  export interface LockStateWaitersClientFieldEvent {
    field: '$.waiters[].client'
    value: string
    index: number
  }

  export interface LockStateWaitersOwnerFieldEvent {
    field: '$.waiters[].owner'
    value: string
    index: number
  }

  export interface LockStateWaitersSinceFieldEvent {
    field: '$.waiters[].since'
    value: number
    index: number
  }

  export interface LockStateWaitersTokenFieldEvent {
    field: '$.waiters[].token'
    value: number
    index: number
  }

  export interface LockStateWaitersTtlFieldEvent {
    field: '$.waiters[].ttl'
    value: number
    index: number
  }

  export function encode (obj: Partial<LockState>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockState.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockState>): LockState {
    return decodeMessage(buf, LockState.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockState>): Generator<LockStateLockKindFieldEvent | LockStateLockNameFieldEvent | LockStateLimitFieldEvent | LockStateTokenFieldEvent | LockStateHoldersSessionFieldEvent | LockStateHoldersClientFieldEvent | LockStateHoldersOwnerFieldEvent | LockStateHoldersSinceFieldEvent | LockStateHoldersTokenFieldEvent | LockStateHoldersTtlFieldEvent | LockStateWaitersSessionFieldEvent | LockStateWaitersClientFieldEvent | LockStateWaitersOwnerFieldEvent | LockStateWaitersSinceFieldEvent | LockStateWaitersTokenFieldEvent | LockStateWaitersTtlFieldEvent> {
    return streamMessage(buf, LockState.codec(), opts)
  }
}

export interface LockSession {
  session: string
  client: string
  owner: string
  since: number
  token: number
  ttl: number
}

export namespace LockSession {
  let _codec: Codec<LockSession>

  export const codec = (): Codec<LockSession> => {
    if (_codec == null) {
      _codec = message<LockSession>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.session != null && obj.session !== '')) {
          w.uint32(10)
          w.string(obj.session)
        }

        if ((obj.client != null && obj.client !== '')) {
          w.uint32(18)
          w.string(obj.client)
        }

        if ((obj.owner != null && obj.owner !== '')) {
          w.uint32(26)
          w.string(obj.owner)
        }

        if ((obj.since != null && obj.since !== 0)) {
          w.uint32(32)
          w.uint64Number(obj.since)
        }

        if ((obj.token != null && obj.token !== 0)) {
          w.uint32(40)
          w.uint64Number(obj.token)
        }

        if ((obj.ttl != null && obj.ttl !== 0)) {
          w.uint32(48)
          w.uint32(obj.ttl)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          session: '',
          client: '',
          owner: '',
          since: 0,
          token: 0,
          ttl: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.session = reader.string()
              break
            }
            case 2: {
              obj.client = reader.string()
              break
            }
            case 3: {
              obj.owner = reader.string()
              break
            }
            case 4: {
              obj.since = reader.uint64Number()
              break
            }
            case 5: {
              obj.token = reader.uint64Number()
              break
            }
            case 6: {
              obj.ttl = reader.uint32()
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.session`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.client`,
                value: reader.string()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.owner`,
                value: reader.string()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.since`,
                value: reader.uint64Number()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.token`,
                value: reader.uint64Number()
              }
              break
            }
            case 6: {
              yield {
                field: `${prefix}.ttl`,
                value: reader.uint32()
              }
              break
            }
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }
      })
    }

    return _codec
  }

  export interface LockSessionSessionFieldEvent {
    field: '$.session'
    value: string
  }

  export interface LockSessionClientFieldEvent {
    field: '$.client'
    value: string
  }

  export interface LockSessionOwnerFieldEvent {
    field: '$.owner'
    value: string
  }

  export interface LockSessionSinceFieldEvent {
    field: '$.since'
    value: number
  }

  export interface LockSessionTokenFieldEvent {
    field: '$.token'
    value: number
  }

  export interface LockSessionTtlFieldEvent {
    field: '$.ttl'
    value: number
  }

  export function encode (obj: Partial<LockSession>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockSession.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockSession>): LockSession {
    return decodeMessage(buf, LockSession.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockSession>): Generator<LockSessionSessionFieldEvent | LockSessionClientFieldEvent | LockSessionOwnerFieldEvent | LockSessionSinceFieldEvent | LockSessionTokenFieldEvent | LockSessionTtlFieldEvent> {
    return streamMessage(buf, LockSession.codec(), opts)
  }
}
