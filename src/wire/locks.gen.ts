import { decodeMessage, encodeMessage, MaxLengthError, message } from 'protons-runtime'
import type { Codec, DecodeOptions } from 'protons-runtime'
import type { Uint8ArrayList } from 'uint8arraylist'

const noStream = function * (): Generator<never> {}

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
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<LockMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockMessage>): LockMessage {
    return decodeMessage(buf, LockMessage.codec(), opts)
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
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<LockName>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockName.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockName>): LockName {
    return decodeMessage(buf, LockName.codec(), opts)
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
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<LockKeep>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockKeep.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockKeep>): LockKeep {
    return decodeMessage(buf, LockKeep.codec(), opts)
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
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<LockTicket>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockTicket.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockTicket>): LockTicket {
    return decodeMessage(buf, LockTicket.codec(), opts)
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
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<LockHeld>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockHeld.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockHeld>): LockHeld {
    return decodeMessage(buf, LockHeld.codec(), opts)
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
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<LockQueued>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockQueued.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockQueued>): LockQueued {
    return decodeMessage(buf, LockQueued.codec(), opts)
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
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<LockList>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockList.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockList>): LockList {
    return decodeMessage(buf, LockList.codec(), opts)
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
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<LockState>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockState.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockState>): LockState {
    return decodeMessage(buf, LockState.codec(), opts)
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
      }, noStream)
    }

    return _codec
  }

  export function encode (obj: Partial<LockSession>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LockSession.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LockSession>): LockSession {
    return decodeMessage(buf, LockSession.codec(), opts)
  }
}
