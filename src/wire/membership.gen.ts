import { decodeMessage, encodeMessage, MaxLengthError, MaxSizeError, message } from 'protons-runtime'
import { alloc as uint8ArrayAlloc } from 'uint8arrays/alloc'
import type { Codec, DecodeOptions } from 'protons-runtime'
import type { Uint8ArrayList } from 'uint8arraylist'

const noStream = function * (): Generator<never> {}

export interface Envelope {
  payload: Uint8Array<ArrayBuffer>
  signature: Uint8Array<ArrayBuffer>
}

export namespace Envelope {
  let _codec: Codec<Envelope>

  export const codec = (): Codec<Envelope> => {
    if (_codec == null) {
      _codec = message<Envelope>((obj, w, opts = {}) => {
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

  export function encode (obj: Partial<Envelope>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Envelope.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Envelope>): Envelope {
    return decodeMessage(buf, Envelope.codec(), opts)
  }
}

export interface RecordPayload {
  self?: SelfRecord
  accusation?: Accusation
}

export namespace RecordPayload {
  let _codec: Codec<RecordPayload>

  export const codec = (): Codec<RecordPayload> => {
    if (_codec == null) {
      _codec = message<RecordPayload>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.self != null) {
          w.uint32(10)
          SelfRecord.codec().encode(obj.self, w)
        }

        if (obj.accusation != null) {
          w.uint32(18)
          Accusation.codec().encode(obj.accusation, w)
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
              obj.self = SelfRecord.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.self
              })
              break
            }
            case 2: {
              obj.accusation = Accusation.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.accusation
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

  export function encode (obj: Partial<RecordPayload>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, RecordPayload.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<RecordPayload>): RecordPayload {
    return decodeMessage(buf, RecordPayload.codec(), opts)
  }
}

export interface SelfRecord {
  member: string
  left: boolean
  incarnation: number
  revision: number
  addresses: string[]
  slots: number
  role: string
  electionPriority: number
  tags: Map<string, string>
  version: string
  host: string
  electorate: string
  node: string
  hasDisk: boolean
}

export namespace SelfRecord {
  export interface SelfRecord$tagsEntry {
    key: string
    value: string
  }

  export namespace SelfRecord$tagsEntry {
    let _codec: Codec<SelfRecord$tagsEntry>

    export const codec = (): Codec<SelfRecord$tagsEntry> => {
      if (_codec == null) {
        _codec = message<SelfRecord$tagsEntry>((obj, w, opts = {}) => {
          if (opts.lengthDelimited !== false) {
            w.fork()
          }

          if ((obj.key != null && obj.key !== '')) {
            w.uint32(10)
            w.string(obj.key)
          }

          if ((obj.value != null && obj.value !== '')) {
            w.uint32(18)
            w.string(obj.value)
          }

          if (opts.lengthDelimited !== false) {
            w.ldelim()
          }
        }, (reader, length, opts = {}) => {
          const obj: any = {
            key: '',
            value: ''
          }

          const end = length == null ? reader.len : reader.pos + length

          while (reader.pos < end) {
            const tag = reader.uint32()

            switch (tag >>> 3) {
              case 1: {
                obj.key = reader.string()
                break
              }
              case 2: {
                obj.value = reader.string()
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

    export function encode (obj: Partial<SelfRecord$tagsEntry>): Uint8Array<ArrayBuffer> {
      return encodeMessage(obj, SelfRecord$tagsEntry.codec())
    }

    export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<SelfRecord$tagsEntry>): SelfRecord$tagsEntry {
      return decodeMessage(buf, SelfRecord$tagsEntry.codec(), opts)
    }
  }

  let _codec: Codec<SelfRecord>

  export const codec = (): Codec<SelfRecord> => {
    if (_codec == null) {
      _codec = message<SelfRecord>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.member != null && obj.member !== '')) {
          w.uint32(10)
          w.string(obj.member)
        }

        if ((obj.left != null && obj.left !== false)) {
          w.uint32(16)
          w.bool(obj.left)
        }

        if ((obj.incarnation != null && obj.incarnation !== 0)) {
          w.uint32(24)
          w.uint64Number(obj.incarnation)
        }

        if ((obj.revision != null && obj.revision !== 0)) {
          w.uint32(32)
          w.uint64Number(obj.revision)
        }

        if (obj.addresses != null && obj.addresses.length > 0) {
          for (const value of obj.addresses) {
            w.uint32(42)
            w.string(value)
          }
        }

        if ((obj.slots != null && obj.slots !== 0)) {
          w.uint32(48)
          w.uint32(obj.slots)
        }

        if ((obj.role != null && obj.role !== '')) {
          w.uint32(58)
          w.string(obj.role)
        }

        if ((obj.electionPriority != null && obj.electionPriority !== 0)) {
          w.uint32(64)
          w.sint32(obj.electionPriority)
        }

        if (obj.tags != null && obj.tags.size > 0) {
          for (const [key, value] of obj.tags.entries()) {
            w.uint32(74)
            SelfRecord.SelfRecord$tagsEntry.codec().encode({ key, value }, w)
          }
        }

        if ((obj.version != null && obj.version !== '')) {
          w.uint32(82)
          w.string(obj.version)
        }

        if ((obj.host != null && obj.host !== '')) {
          w.uint32(90)
          w.string(obj.host)
        }

        if ((obj.electorate != null && obj.electorate !== '')) {
          w.uint32(98)
          w.string(obj.electorate)
        }

        if ((obj.node != null && obj.node !== '')) {
          w.uint32(106)
          w.string(obj.node)
        }

        if ((obj.hasDisk != null && obj.hasDisk !== false)) {
          w.uint32(112)
          w.bool(obj.hasDisk)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          member: '',
          left: false,
          incarnation: 0,
          revision: 0,
          addresses: [],
          slots: 0,
          role: '',
          electionPriority: 0,
          tags: new Map<string, string>(),
          version: '',
          host: '',
          electorate: '',
          node: '',
          hasDisk: false
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.member = reader.string()
              break
            }
            case 2: {
              obj.left = reader.bool()
              break
            }
            case 3: {
              obj.incarnation = reader.uint64Number()
              break
            }
            case 4: {
              obj.revision = reader.uint64Number()
              break
            }
            case 5: {
              if (opts.limits?.addresses != null && obj.addresses.length === opts.limits.addresses) {
                throw new MaxLengthError('Decode error - repeated field "addresses" had too many elements')
              }

              obj.addresses.push(reader.string())
              break
            }
            case 6: {
              obj.slots = reader.uint32()
              break
            }
            case 7: {
              obj.role = reader.string()
              break
            }
            case 8: {
              obj.electionPriority = reader.sint32()
              break
            }
            case 9: {
              if (opts.limits?.tags != null && obj.tags.size === opts.limits.tags) {
                throw new MaxSizeError('Decode error - map field "tags" had too many elements')
              }

              const entry = SelfRecord.SelfRecord$tagsEntry.codec().decode(reader, reader.uint32(), {
                limits: {
                  value: opts.limits?.tags$value
                }
              })
              obj.tags.set(entry.key, entry.value)
              break
            }
            case 10: {
              obj.version = reader.string()
              break
            }
            case 11: {
              obj.host = reader.string()
              break
            }
            case 12: {
              obj.electorate = reader.string()
              break
            }
            case 13: {
              obj.node = reader.string()
              break
            }
            case 14: {
              obj.hasDisk = reader.bool()
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

  export function encode (obj: Partial<SelfRecord>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, SelfRecord.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<SelfRecord>): SelfRecord {
    return decodeMessage(buf, SelfRecord.codec(), opts)
  }
}

export interface Accusation {
  accuser: string
  target: string
  incarnation: number
  kind: string
}

export namespace Accusation {
  let _codec: Codec<Accusation>

  export const codec = (): Codec<Accusation> => {
    if (_codec == null) {
      _codec = message<Accusation>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.accuser != null && obj.accuser !== '')) {
          w.uint32(10)
          w.string(obj.accuser)
        }

        if ((obj.target != null && obj.target !== '')) {
          w.uint32(18)
          w.string(obj.target)
        }

        if ((obj.incarnation != null && obj.incarnation !== 0)) {
          w.uint32(24)
          w.uint64Number(obj.incarnation)
        }

        if ((obj.kind != null && obj.kind !== '')) {
          w.uint32(34)
          w.string(obj.kind)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          accuser: '',
          target: '',
          incarnation: 0,
          kind: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.accuser = reader.string()
              break
            }
            case 2: {
              obj.target = reader.string()
              break
            }
            case 3: {
              obj.incarnation = reader.uint64Number()
              break
            }
            case 4: {
              obj.kind = reader.string()
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

  export function encode (obj: Partial<Accusation>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Accusation.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Accusation>): Accusation {
    return decodeMessage(buf, Accusation.codec(), opts)
  }
}

export interface SwimMessage {
  ping?: Ping
  ack?: Ack
  pingReq?: PingReq
  sync?: Sync
  records?: Records
  nack?: Nack
}

export namespace SwimMessage {
  let _codec: Codec<SwimMessage>

  export const codec = (): Codec<SwimMessage> => {
    if (_codec == null) {
      _codec = message<SwimMessage>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.ping != null) {
          w.uint32(10)
          Ping.codec().encode(obj.ping, w)
        }

        if (obj.ack != null) {
          w.uint32(18)
          Ack.codec().encode(obj.ack, w)
        }

        if (obj.pingReq != null) {
          w.uint32(26)
          PingReq.codec().encode(obj.pingReq, w)
        }

        if (obj.sync != null) {
          w.uint32(34)
          Sync.codec().encode(obj.sync, w)
        }

        if (obj.records != null) {
          w.uint32(42)
          Records.codec().encode(obj.records, w)
        }

        if (obj.nack != null) {
          w.uint32(50)
          Nack.codec().encode(obj.nack, w)
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
              obj.ping = Ping.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.ping
              })
              break
            }
            case 2: {
              obj.ack = Ack.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.ack
              })
              break
            }
            case 3: {
              obj.pingReq = PingReq.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.pingReq
              })
              break
            }
            case 4: {
              obj.sync = Sync.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.sync
              })
              break
            }
            case 5: {
              obj.records = Records.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.records
              })
              break
            }
            case 6: {
              obj.nack = Nack.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.nack
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

  export function encode (obj: Partial<SwimMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, SwimMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<SwimMessage>): SwimMessage {
    return decodeMessage(buf, SwimMessage.codec(), opts)
  }
}

export interface Ping {
  seq: number
  accusations: Envelope[]
  asker?: Asker
}

export namespace Ping {
  let _codec: Codec<Ping>

  export const codec = (): Codec<Ping> => {
    if (_codec == null) {
      _codec = message<Ping>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.seq != null && obj.seq !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.seq)
        }

        if (obj.accusations != null && obj.accusations.length > 0) {
          for (const value of obj.accusations) {
            w.uint32(18)
            Envelope.codec().encode(value, w)
          }
        }

        if (obj.asker != null) {
          w.uint32(26)
          Asker.codec().encode(obj.asker, w)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          seq: 0,
          accusations: []
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.seq = reader.uint64Number()
              break
            }
            case 2: {
              if (opts.limits?.accusations != null && obj.accusations.length === opts.limits.accusations) {
                throw new MaxLengthError('Decode error - repeated field "accusations" had too many elements')
              }

              obj.accusations.push(Envelope.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.accusations$
              }))
              break
            }
            case 3: {
              obj.asker = Asker.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.asker
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

  export function encode (obj: Partial<Ping>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Ping.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Ping>): Ping {
    return decodeMessage(buf, Ping.codec(), opts)
  }
}

export interface Asker {
  origin: string
  nonce: number
}

export namespace Asker {
  let _codec: Codec<Asker>

  export const codec = (): Codec<Asker> => {
    if (_codec == null) {
      _codec = message<Asker>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.origin != null && obj.origin !== '')) {
          w.uint32(10)
          w.string(obj.origin)
        }

        if ((obj.nonce != null && obj.nonce !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.nonce)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          origin: '',
          nonce: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.origin = reader.string()
              break
            }
            case 2: {
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

  export function encode (obj: Partial<Asker>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Asker.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Asker>): Asker {
    return decodeMessage(buf, Asker.codec(), opts)
  }
}

export interface Ack {
  seq: number
  proof?: Uint8Array<ArrayBuffer>
  wall?: number
}

export namespace Ack {
  let _codec: Codec<Ack>

  export const codec = (): Codec<Ack> => {
    if (_codec == null) {
      _codec = message<Ack>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.seq != null && obj.seq !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.seq)
        }

        if (obj.proof != null) {
          w.uint32(18)
          w.bytes(obj.proof)
        }

        if (obj.wall != null) {
          w.uint32(24)
          w.uint64Number(obj.wall)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          seq: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.seq = reader.uint64Number()
              break
            }
            case 2: {
              obj.proof = reader.bytes()
              break
            }
            case 3: {
              obj.wall = reader.uint64Number()
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

  export function encode (obj: Partial<Ack>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Ack.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Ack>): Ack {
    return decodeMessage(buf, Ack.codec(), opts)
  }
}

export interface Nack {
  seq: number
}

export namespace Nack {
  let _codec: Codec<Nack>

  export const codec = (): Codec<Nack> => {
    if (_codec == null) {
      _codec = message<Nack>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.seq != null && obj.seq !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.seq)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          seq: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.seq = reader.uint64Number()
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

  export function encode (obj: Partial<Nack>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Nack.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Nack>): Nack {
    return decodeMessage(buf, Nack.codec(), opts)
  }
}

export interface PingReq {
  seq: number
  target: string
  within: number
  nonce?: number
}

export namespace PingReq {
  let _codec: Codec<PingReq>

  export const codec = (): Codec<PingReq> => {
    if (_codec == null) {
      _codec = message<PingReq>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.seq != null && obj.seq !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.seq)
        }

        if ((obj.target != null && obj.target !== '')) {
          w.uint32(18)
          w.string(obj.target)
        }

        if ((obj.within != null && obj.within !== 0)) {
          w.uint32(24)
          w.uint32(obj.within)
        }

        if (obj.nonce != null) {
          w.uint32(32)
          w.uint64Number(obj.nonce)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          seq: 0,
          target: '',
          within: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.seq = reader.uint64Number()
              break
            }
            case 2: {
              obj.target = reader.string()
              break
            }
            case 3: {
              obj.within = reader.uint32()
              break
            }
            case 4: {
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

  export function encode (obj: Partial<PingReq>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, PingReq.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<PingReq>): PingReq {
    return decodeMessage(buf, PingReq.codec(), opts)
  }
}

export interface Sync {
  reply: boolean
  entries: SyncEntry[]
  state: Uint8Array<ArrayBuffer>
}

export namespace Sync {
  let _codec: Codec<Sync>

  export const codec = (): Codec<Sync> => {
    if (_codec == null) {
      _codec = message<Sync>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.reply != null && obj.reply !== false)) {
          w.uint32(8)
          w.bool(obj.reply)
        }

        if (obj.entries != null && obj.entries.length > 0) {
          for (const value of obj.entries) {
            w.uint32(18)
            SyncEntry.codec().encode(value, w)
          }
        }

        if ((obj.state != null && obj.state.byteLength > 0)) {
          w.uint32(26)
          w.bytes(obj.state)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          reply: false,
          entries: [],
          state: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.reply = reader.bool()
              break
            }
            case 2: {
              if (opts.limits?.entries != null && obj.entries.length === opts.limits.entries) {
                throw new MaxLengthError('Decode error - repeated field "entries" had too many elements')
              }

              obj.entries.push(SyncEntry.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.entries$
              }))
              break
            }
            case 3: {
              obj.state = reader.bytes()
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

  export function encode (obj: Partial<Sync>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Sync.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Sync>): Sync {
    return decodeMessage(buf, Sync.codec(), opts)
  }
}

export interface SyncEntry {
  record?: Envelope
  accusations: Envelope[]
  downFor: number
}

export namespace SyncEntry {
  let _codec: Codec<SyncEntry>

  export const codec = (): Codec<SyncEntry> => {
    if (_codec == null) {
      _codec = message<SyncEntry>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.record != null) {
          w.uint32(10)
          Envelope.codec().encode(obj.record, w)
        }

        if (obj.accusations != null && obj.accusations.length > 0) {
          for (const value of obj.accusations) {
            w.uint32(18)
            Envelope.codec().encode(value, w)
          }
        }

        if ((obj.downFor != null && obj.downFor !== 0)) {
          w.uint32(24)
          w.uint64Number(obj.downFor)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          accusations: [],
          downFor: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.record = Envelope.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.record
              })
              break
            }
            case 2: {
              if (opts.limits?.accusations != null && obj.accusations.length === opts.limits.accusations) {
                throw new MaxLengthError('Decode error - repeated field "accusations" had too many elements')
              }

              obj.accusations.push(Envelope.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.accusations$
              }))
              break
            }
            case 3: {
              obj.downFor = reader.uint64Number()
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

  export function encode (obj: Partial<SyncEntry>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, SyncEntry.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<SyncEntry>): SyncEntry {
    return decodeMessage(buf, SyncEntry.codec(), opts)
  }
}

export interface Records {
  records: Envelope[]
}

export namespace Records {
  let _codec: Codec<Records>

  export const codec = (): Codec<Records> => {
    if (_codec == null) {
      _codec = message<Records>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.records != null && obj.records.length > 0) {
          for (const value of obj.records) {
            w.uint32(10)
            Envelope.codec().encode(value, w)
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

              obj.records.push(Envelope.codec().decode(reader, reader.uint32(), {
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

  export function encode (obj: Partial<Records>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Records.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Records>): Records {
    return decodeMessage(buf, Records.codec(), opts)
  }
}
