/* eslint-disable require-yield */

import { decodeMessage, encodeMessage, MaxLengthError, MaxSizeError, message } from 'protons-runtime'
import type { Codec, DecodeOptions } from 'protons-runtime'
import type { Uint8ArrayList } from 'uint8arraylist'

const noStream = function * (): Generator<never> {}

export interface AttachMessage {
  subscribe?: Subscribe
  view?: View
  ping?: Ping
  pong?: Pong
  prioritize?: Prioritize
  prioritized?: Prioritized
}

export namespace AttachMessage {
  let _codec: Codec<AttachMessage>

  export const codec = (): Codec<AttachMessage> => {
    if (_codec == null) {
      _codec = message<AttachMessage>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.subscribe != null) {
          w.uint32(10)
          Subscribe.codec().encode(obj.subscribe, w)
        }

        if (obj.view != null) {
          w.uint32(18)
          View.codec().encode(obj.view, w)
        }

        if (obj.ping != null) {
          w.uint32(26)
          Ping.codec().encode(obj.ping, w)
        }

        if (obj.pong != null) {
          w.uint32(34)
          Pong.codec().encode(obj.pong, w)
        }

        if (obj.prioritize != null) {
          w.uint32(42)
          Prioritize.codec().encode(obj.prioritize, w)
        }

        if (obj.prioritized != null) {
          w.uint32(50)
          Prioritized.codec().encode(obj.prioritized, w)
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
              obj.subscribe = Subscribe.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.subscribe
              })
              break
            }
            case 2: {
              obj.view = View.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.view
              })
              break
            }
            case 3: {
              obj.ping = Ping.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.ping
              })
              break
            }
            case 4: {
              obj.pong = Pong.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.pong
              })
              break
            }
            case 5: {
              obj.prioritize = Prioritize.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.prioritize
              })
              break
            }
            case 6: {
              obj.prioritized = Prioritized.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.prioritized
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

  export function encode (obj: Partial<AttachMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, AttachMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<AttachMessage>): AttachMessage {
    return decodeMessage(buf, AttachMessage.codec(), opts)
  }
}

export interface Prioritize {
  id: number
  priority: string
}

export namespace Prioritize {
  let _codec: Codec<Prioritize>

  export const codec = (): Codec<Prioritize> => {
    if (_codec == null) {
      _codec = message<Prioritize>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.id != null && obj.id !== 0)) {
          w.uint32(8)
          w.uint32(obj.id)
        }

        if ((obj.priority != null && obj.priority !== '')) {
          w.uint32(18)
          w.string(obj.priority)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          id: 0,
          priority: ''
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
              obj.priority = reader.string()
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

  export function encode (obj: Partial<Prioritize>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Prioritize.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Prioritize>): Prioritize {
    return decodeMessage(buf, Prioritize.codec(), opts)
  }
}

export interface Prioritized {
  id: number
  electionPriority?: number
  reason: string
}

export namespace Prioritized {
  let _codec: Codec<Prioritized>

  export const codec = (): Codec<Prioritized> => {
    if (_codec == null) {
      _codec = message<Prioritized>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.id != null && obj.id !== 0)) {
          w.uint32(8)
          w.uint32(obj.id)
        }

        if (obj.electionPriority != null) {
          w.uint32(16)
          w.sint32(obj.electionPriority)
        }

        if ((obj.reason != null && obj.reason !== '')) {
          w.uint32(26)
          w.string(obj.reason)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          id: 0,
          reason: ''
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
              obj.electionPriority = reader.sint32()
              break
            }
            case 3: {
              obj.reason = reader.string()
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

  export function encode (obj: Partial<Prioritized>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Prioritized.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Prioritized>): Prioritized {
    return decodeMessage(buf, Prioritized.codec(), opts)
  }
}

export interface Ping {}

export namespace Ping {
  let _codec: Codec<Ping>

  export const codec = (): Codec<Ping> => {
    if (_codec == null) {
      _codec = message<Ping>((obj, w, opts = {}) => {
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

  export function encode (obj: Partial<Ping>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Ping.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Ping>): Ping {
    return decodeMessage(buf, Ping.codec(), opts)
  }
}

export interface Pong {}

export namespace Pong {
  let _codec: Codec<Pong>

  export const codec = (): Codec<Pong> => {
    if (_codec == null) {
      _codec = message<Pong>((obj, w, opts = {}) => {
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

  export function encode (obj: Partial<Pong>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Pong.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Pong>): Pong {
    return decodeMessage(buf, Pong.codec(), opts)
  }
}

export interface Subscribe {}

export namespace Subscribe {
  let _codec: Codec<Subscribe>

  export const codec = (): Codec<Subscribe> => {
    if (_codec == null) {
      _codec = message<Subscribe>((obj, w, opts = {}) => {
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

  export function encode (obj: Partial<Subscribe>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Subscribe.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Subscribe>): Subscribe {
    return decodeMessage(buf, Subscribe.codec(), opts)
  }
}

export interface View {
  cluster: string
  leader?: ViewLeader
  members: ViewMember[]
  now?: number
  voters: string[]
  leaderChanges: number
  leaderless: number
}

export namespace View {
  let _codec: Codec<View>

  export const codec = (): Codec<View> => {
    if (_codec == null) {
      _codec = message<View>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.cluster != null && obj.cluster !== '')) {
          w.uint32(10)
          w.string(obj.cluster)
        }

        if (obj.leader != null) {
          w.uint32(18)
          ViewLeader.codec().encode(obj.leader, w)
        }

        if (obj.members != null && obj.members.length > 0) {
          for (const value of obj.members) {
            w.uint32(26)
            ViewMember.codec().encode(value, w)
          }
        }

        if (obj.now != null) {
          w.uint32(33)
          w.double(obj.now)
        }

        if (obj.voters != null && obj.voters.length > 0) {
          for (const value of obj.voters) {
            w.uint32(42)
            w.string(value)
          }
        }

        if ((obj.leaderChanges != null && obj.leaderChanges !== 0)) {
          w.uint32(48)
          w.uint64Number(obj.leaderChanges)
        }

        if ((obj.leaderless != null && obj.leaderless !== 0)) {
          w.uint32(57)
          w.double(obj.leaderless)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          cluster: '',
          members: [],
          voters: [],
          leaderChanges: 0,
          leaderless: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.cluster = reader.string()
              break
            }
            case 2: {
              obj.leader = ViewLeader.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.leader
              })
              break
            }
            case 3: {
              if (opts.limits?.members != null && obj.members.length === opts.limits.members) {
                throw new MaxLengthError('Decode error - repeated field "members" had too many elements')
              }

              obj.members.push(ViewMember.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.members$
              }))
              break
            }
            case 4: {
              obj.now = reader.double()
              break
            }
            case 5: {
              if (opts.limits?.voters != null && obj.voters.length === opts.limits.voters) {
                throw new MaxLengthError('Decode error - repeated field "voters" had too many elements')
              }

              obj.voters.push(reader.string())
              break
            }
            case 6: {
              obj.leaderChanges = reader.uint64Number()
              break
            }
            case 7: {
              obj.leaderless = reader.double()
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

  export function encode (obj: Partial<View>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, View.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<View>): View {
    return decodeMessage(buf, View.codec(), opts)
  }
}

export interface ViewLeader {
  id: string
  epoch: number
  priority: number
}

export namespace ViewLeader {
  let _codec: Codec<ViewLeader>

  export const codec = (): Codec<ViewLeader> => {
    if (_codec == null) {
      _codec = message<ViewLeader>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.id != null && obj.id !== '')) {
          w.uint32(10)
          w.string(obj.id)
        }

        if ((obj.epoch != null && obj.epoch !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.epoch)
        }

        if ((obj.priority != null && obj.priority !== 0)) {
          w.uint32(24)
          w.sint32(obj.priority)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          id: '',
          epoch: 0,
          priority: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.id = reader.string()
              break
            }
            case 2: {
              obj.epoch = reader.uint64Number()
              break
            }
            case 3: {
              obj.priority = reader.sint32()
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

  export function encode (obj: Partial<ViewLeader>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ViewLeader.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ViewLeader>): ViewLeader {
    return decodeMessage(buf, ViewLeader.codec(), opts)
  }
}

export interface ViewMember {
  id: string
  state: string
  incarnation: number
  revision: number
  since: number
  addresses: string[]
  slots: number
  role: string
  electionPriority: number
  tags: Map<string, string>
  version: string
  host: string
  rtt?: number
  electorate: string
  node: string
  hasDisk: boolean
}

export namespace ViewMember {
  export interface ViewMember$tagsEntry {
    key: string
    value: string
  }

  export namespace ViewMember$tagsEntry {
    let _codec: Codec<ViewMember$tagsEntry>

    export const codec = (): Codec<ViewMember$tagsEntry> => {
      if (_codec == null) {
        _codec = message<ViewMember$tagsEntry>((obj, w, opts = {}) => {
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

    export function encode (obj: Partial<ViewMember$tagsEntry>): Uint8Array<ArrayBuffer> {
      return encodeMessage(obj, ViewMember$tagsEntry.codec())
    }

    export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ViewMember$tagsEntry>): ViewMember$tagsEntry {
      return decodeMessage(buf, ViewMember$tagsEntry.codec(), opts)
    }
  }

  let _codec: Codec<ViewMember>

  export const codec = (): Codec<ViewMember> => {
    if (_codec == null) {
      _codec = message<ViewMember>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.id != null && obj.id !== '')) {
          w.uint32(10)
          w.string(obj.id)
        }

        if ((obj.state != null && obj.state !== '')) {
          w.uint32(18)
          w.string(obj.state)
        }

        if ((obj.incarnation != null && obj.incarnation !== 0)) {
          w.uint32(24)
          w.uint64Number(obj.incarnation)
        }

        if ((obj.revision != null && obj.revision !== 0)) {
          w.uint32(32)
          w.uint64Number(obj.revision)
        }

        if ((obj.since != null && obj.since !== 0)) {
          w.uint32(41)
          w.double(obj.since)
        }

        if (obj.addresses != null && obj.addresses.length > 0) {
          for (const value of obj.addresses) {
            w.uint32(50)
            w.string(value)
          }
        }

        if ((obj.slots != null && obj.slots !== 0)) {
          w.uint32(56)
          w.uint32(obj.slots)
        }

        if ((obj.role != null && obj.role !== '')) {
          w.uint32(66)
          w.string(obj.role)
        }

        if ((obj.electionPriority != null && obj.electionPriority !== 0)) {
          w.uint32(72)
          w.sint32(obj.electionPriority)
        }

        if (obj.tags != null && obj.tags.size > 0) {
          for (const [key, value] of obj.tags.entries()) {
            w.uint32(82)
            ViewMember.ViewMember$tagsEntry.codec().encode({ key, value }, w)
          }
        }

        if ((obj.version != null && obj.version !== '')) {
          w.uint32(90)
          w.string(obj.version)
        }

        if ((obj.host != null && obj.host !== '')) {
          w.uint32(98)
          w.string(obj.host)
        }

        if (obj.rtt != null) {
          w.uint32(105)
          w.double(obj.rtt)
        }

        if ((obj.electorate != null && obj.electorate !== '')) {
          w.uint32(114)
          w.string(obj.electorate)
        }

        if ((obj.node != null && obj.node !== '')) {
          w.uint32(122)
          w.string(obj.node)
        }

        if ((obj.hasDisk != null && obj.hasDisk !== false)) {
          w.uint32(128)
          w.bool(obj.hasDisk)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          id: '',
          state: '',
          incarnation: 0,
          revision: 0,
          since: 0,
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
              obj.id = reader.string()
              break
            }
            case 2: {
              obj.state = reader.string()
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
              obj.since = reader.double()
              break
            }
            case 6: {
              if (opts.limits?.addresses != null && obj.addresses.length === opts.limits.addresses) {
                throw new MaxLengthError('Decode error - repeated field "addresses" had too many elements')
              }

              obj.addresses.push(reader.string())
              break
            }
            case 7: {
              obj.slots = reader.uint32()
              break
            }
            case 8: {
              obj.role = reader.string()
              break
            }
            case 9: {
              obj.electionPriority = reader.sint32()
              break
            }
            case 10: {
              if (opts.limits?.tags != null && obj.tags.size === opts.limits.tags) {
                throw new MaxSizeError('Decode error - map field "tags" had too many elements')
              }

              const entry = ViewMember.ViewMember$tagsEntry.codec().decode(reader, reader.uint32(), {
                limits: {
                  value: opts.limits?.tags$value
                }
              })
              obj.tags.set(entry.key, entry.value)
              break
            }
            case 11: {
              obj.version = reader.string()
              break
            }
            case 12: {
              obj.host = reader.string()
              break
            }
            case 13: {
              obj.rtt = reader.double()
              break
            }
            case 14: {
              obj.electorate = reader.string()
              break
            }
            case 15: {
              obj.node = reader.string()
              break
            }
            case 16: {
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

  export function encode (obj: Partial<ViewMember>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ViewMember.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ViewMember>): ViewMember {
    return decodeMessage(buf, ViewMember.codec(), opts)
  }
}
