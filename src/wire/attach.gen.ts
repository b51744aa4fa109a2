/* eslint-disable require-yield */

import { decodeMessage, encodeMessage, MaxLengthError, MaxSizeError, message, streamMessage } from 'protons-runtime'
import type { Codec, DecodeOptions } from 'protons-runtime'
import type { Uint8ArrayList } from 'uint8arraylist'

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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield * Subscribe.codec().stream(reader, reader.uint32(), `${prefix}.subscribe`, {
                limits: opts.limits?.subscribe
              })

              break
            }
            case 2: {
              yield * View.codec().stream(reader, reader.uint32(), `${prefix}.view`, {
                limits: opts.limits?.view
              })

              break
            }
            case 3: {
              yield * Ping.codec().stream(reader, reader.uint32(), `${prefix}.ping`, {
                limits: opts.limits?.ping
              })

              break
            }
            case 4: {
              yield * Pong.codec().stream(reader, reader.uint32(), `${prefix}.pong`, {
                limits: opts.limits?.pong
              })

              break
            }
            case 5: {
              yield * Prioritize.codec().stream(reader, reader.uint32(), `${prefix}.prioritize`, {
                limits: opts.limits?.prioritize
              })

              break
            }
            case 6: {
              yield * Prioritized.codec().stream(reader, reader.uint32(), `${prefix}.prioritized`, {
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
      })
    }

    return _codec
  }

  export interface AttachMessageViewClusterFieldEvent {
    field: '$.view.cluster'
    value: string
  }

  export interface AttachMessageViewLeaderIdFieldEvent {
    field: '$.view.leader.id'
    value: string
  }

  export interface AttachMessageViewLeaderEpochFieldEvent {
    field: '$.view.leader.epoch'
    value: number
  }

  export interface AttachMessageViewLeaderPriorityFieldEvent {
    field: '$.view.leader.priority'
    value: number
  }

  export interface AttachMessageViewMembersIdFieldEvent {
    field: '$.view.members[].id'
    value: string
    index: number
  }

  export interface AttachMessageViewMembersStateFieldEvent {
    field: '$.view.members[].state'
    value: string
    index: number
  }

  export interface AttachMessageViewMembersIncarnationFieldEvent {
    field: '$.view.members[].incarnation'
    value: number
    index: number
  }

  export interface AttachMessageViewMembersRevisionFieldEvent {
    field: '$.view.members[].revision'
    value: number
    index: number
  }

  export interface AttachMessageViewMembersSinceFieldEvent {
    field: '$.view.members[].since'
    value: number
    index: number
  }

  export interface AttachMessageViewMembersAddressesFieldEvent {
    field: '$.view.members[].addresses[]'
    index: number
    value: string
  }

  export interface AttachMessageViewMembersSlotsFieldEvent {
    field: '$.view.members[].slots'
    value: number
    index: number
  }

  export interface AttachMessageViewMembersRoleFieldEvent {
    field: '$.view.members[].role'
    value: string
    index: number
  }

  export interface AttachMessageViewMembersElectionPriorityFieldEvent {
    field: '$.view.members[].electionPriority'
    value: number
    index: number
  }

  export interface AttachMessageViewMembersTagsFieldEvent {
    field: '$.view.members[].tags{}'
    key: string
    value: string
    index: number
  }

  export interface AttachMessageViewMembersVersionFieldEvent {
    field: '$.view.members[].version'
    value: string
    index: number
  }

  export interface AttachMessageViewMembersHostFieldEvent {
    field: '$.view.members[].host'
    value: string
    index: number
  }

  export interface AttachMessageViewMembersRttFieldEvent {
    field: '$.view.members[].rtt'
    value: number
    index: number
  }

  export interface AttachMessageViewMembersElectorateFieldEvent {
    field: '$.view.members[].electorate'
    value: string
    index: number
  }

  export interface AttachMessageViewMembersNodeFieldEvent {
    field: '$.view.members[].node'
    value: string
    index: number
  }

  export interface AttachMessageViewMembersHasDiskFieldEvent {
    field: '$.view.members[].hasDisk'
    value: boolean
    index: number
  }

  export interface AttachMessageViewNowFieldEvent {
    field: '$.view.now'
    value: number
  }

  export interface AttachMessageViewVotersFieldEvent {
    field: '$.view.voters[]'
    index: number
    value: string
  }

  export interface AttachMessageViewLeaderChangesFieldEvent {
    field: '$.view.leaderChanges'
    value: number
  }

  export interface AttachMessageViewLeaderlessFieldEvent {
    field: '$.view.leaderless'
    value: number
  }

  export interface AttachMessagePrioritizeIdFieldEvent {
    field: '$.prioritize.id'
    value: number
  }

  export interface AttachMessagePrioritizePriorityFieldEvent {
    field: '$.prioritize.priority'
    value: string
  }

  export interface AttachMessagePrioritizedIdFieldEvent {
    field: '$.prioritized.id'
    value: number
  }

  export interface AttachMessagePrioritizedElectionPriorityFieldEvent {
    field: '$.prioritized.electionPriority'
    value: number
  }

  export interface AttachMessagePrioritizedReasonFieldEvent {
    field: '$.prioritized.reason'
    value: string
  }

  export function encode (obj: Partial<AttachMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, AttachMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<AttachMessage>): AttachMessage {
    return decodeMessage(buf, AttachMessage.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<AttachMessage>): Generator<AttachMessageViewClusterFieldEvent | AttachMessageViewLeaderIdFieldEvent | AttachMessageViewLeaderEpochFieldEvent | AttachMessageViewLeaderPriorityFieldEvent | AttachMessageViewMembersIdFieldEvent | AttachMessageViewMembersStateFieldEvent | AttachMessageViewMembersIncarnationFieldEvent | AttachMessageViewMembersRevisionFieldEvent | AttachMessageViewMembersSinceFieldEvent | AttachMessageViewMembersAddressesFieldEvent | AttachMessageViewMembersSlotsFieldEvent | AttachMessageViewMembersRoleFieldEvent | AttachMessageViewMembersElectionPriorityFieldEvent | AttachMessageViewMembersTagsFieldEvent | AttachMessageViewMembersVersionFieldEvent | AttachMessageViewMembersHostFieldEvent | AttachMessageViewMembersRttFieldEvent | AttachMessageViewMembersElectorateFieldEvent | AttachMessageViewMembersNodeFieldEvent | AttachMessageViewMembersHasDiskFieldEvent | AttachMessageViewNowFieldEvent | AttachMessageViewVotersFieldEvent | AttachMessageViewLeaderChangesFieldEvent | AttachMessageViewLeaderlessFieldEvent | AttachMessagePrioritizeIdFieldEvent | AttachMessagePrioritizePriorityFieldEvent | AttachMessagePrioritizedIdFieldEvent | AttachMessagePrioritizedElectionPriorityFieldEvent | AttachMessagePrioritizedReasonFieldEvent> {
    return streamMessage(buf, AttachMessage.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.id`,
                value: reader.uint32()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.priority`,
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

  export interface PrioritizeIdFieldEvent {
    field: '$.id'
    value: number
  }

  export interface PrioritizePriorityFieldEvent {
    field: '$.priority'
    value: string
  }

  export function encode (obj: Partial<Prioritize>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Prioritize.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Prioritize>): Prioritize {
    return decodeMessage(buf, Prioritize.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Prioritize>): Generator<PrioritizeIdFieldEvent | PrioritizePriorityFieldEvent> {
    return streamMessage(buf, Prioritize.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.id`,
                value: reader.uint32()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.electionPriority`,
                value: reader.sint32()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.reason`,
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

  export interface PrioritizedIdFieldEvent {
    field: '$.id'
    value: number
  }

  export interface PrioritizedElectionPriorityFieldEvent {
    field: '$.electionPriority'
    value: number
  }

  export interface PrioritizedReasonFieldEvent {
    field: '$.reason'
    value: string
  }

  export function encode (obj: Partial<Prioritized>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Prioritized.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Prioritized>): Prioritized {
    return decodeMessage(buf, Prioritized.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Prioritized>): Generator<PrioritizedIdFieldEvent | PrioritizedElectionPriorityFieldEvent | PrioritizedReasonFieldEvent> {
    return streamMessage(buf, Prioritized.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
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
      })
    }

    return _codec
  }

  export function encode (obj: Partial<Ping>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Ping.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Ping>): Ping {
    return decodeMessage(buf, Ping.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Ping>): Generator<{}> {
    return streamMessage(buf, Ping.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
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
      })
    }

    return _codec
  }

  export function encode (obj: Partial<Pong>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Pong.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Pong>): Pong {
    return decodeMessage(buf, Pong.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Pong>): Generator<{}> {
    return streamMessage(buf, Pong.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
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
      })
    }

    return _codec
  }

  export function encode (obj: Partial<Subscribe>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Subscribe.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Subscribe>): Subscribe {
    return decodeMessage(buf, Subscribe.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Subscribe>): Generator<{}> {
    return streamMessage(buf, Subscribe.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          members: 0,
          voters: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.cluster`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield * ViewLeader.codec().stream(reader, reader.uint32(), `${prefix}.leader`, {
                limits: opts.limits?.leader
              })

              break
            }
            case 3: {
              if (opts.limits?.members != null && obj.members === opts.limits.members) {
                throw new MaxLengthError('Streaming decode error - repeated field "members" had too many elements')
              }

              for (const evt of ViewMember.codec().stream(reader, reader.uint32(), `${prefix}.members[]`, {
                limits: opts.limits?.members$
              })) {
                yield {
                  ...evt,
                  index: obj.members
                }
              }

              obj.members++

              break
            }
            case 4: {
              yield {
                field: `${prefix}.now`,
                value: reader.double()
              }
              break
            }
            case 5: {
              if (opts.limits?.voters != null && obj.voters === opts.limits.voters) {
                throw new MaxLengthError('Streaming decode error - repeated field "voters" had too many elements')
              }

              yield {
                field: `${prefix}.voters[]`,
                index: obj.voters,
                value: reader.string()
              }

              obj.voters++

              break
            }
            case 6: {
              yield {
                field: `${prefix}.leaderChanges`,
                value: reader.uint64Number()
              }
              break
            }
            case 7: {
              yield {
                field: `${prefix}.leaderless`,
                value: reader.double()
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

  export interface ViewClusterFieldEvent {
    field: '$.cluster'
    value: string
  }

  export interface ViewLeaderIdFieldEvent {
    field: '$.leader.id'
    value: string
  }

  export interface ViewLeaderEpochFieldEvent {
    field: '$.leader.epoch'
    value: number
  }

  export interface ViewLeaderPriorityFieldEvent {
    field: '$.leader.priority'
    value: number
  }

  export interface ViewMembersIdFieldEvent {
    field: '$.members[].id'
    value: string
    index: number
  }

  export interface ViewMembersStateFieldEvent {
    field: '$.members[].state'
    value: string
    index: number
  }

  export interface ViewMembersIncarnationFieldEvent {
    field: '$.members[].incarnation'
    value: number
    index: number
  }

  export interface ViewMembersRevisionFieldEvent {
    field: '$.members[].revision'
    value: number
    index: number
  }

  export interface ViewMembersSinceFieldEvent {
    field: '$.members[].since'
    value: number
    index: number
  }

  export interface ViewMembersAddressesFieldEvent {
    field: '$.members[].addresses[]'
    index: number
    value: string
  }

  export interface ViewMembersSlotsFieldEvent {
    field: '$.members[].slots'
    value: number
    index: number
  }

  export interface ViewMembersRoleFieldEvent {
    field: '$.members[].role'
    value: string
    index: number
  }

  export interface ViewMembersElectionPriorityFieldEvent {
    field: '$.members[].electionPriority'
    value: number
    index: number
  }

  export interface ViewMembersTagsFieldEvent {
    field: '$.members[].tags{}'
    key: string
    value: string
    index: number
  }

  export interface ViewMembersVersionFieldEvent {
    field: '$.members[].version'
    value: string
    index: number
  }

  export interface ViewMembersHostFieldEvent {
    field: '$.members[].host'
    value: string
    index: number
  }

  export interface ViewMembersRttFieldEvent {
    field: '$.members[].rtt'
    value: number
    index: number
  }

  export interface ViewMembersElectorateFieldEvent {
    field: '$.members[].electorate'
    value: string
    index: number
  }

  export interface ViewMembersNodeFieldEvent {
    field: '$.members[].node'
    value: string
    index: number
  }

  export interface ViewMembersHasDiskFieldEvent {
    field: '$.members[].hasDisk'
    value: boolean
    index: number
  }

  export interface ViewNowFieldEvent {
    field: '$.now'
    value: number
  }

  export interface ViewVotersFieldEvent {
    field: '$.voters[]'
    index: number
    value: string
  }

  export interface ViewLeaderChangesFieldEvent {
    field: '$.leaderChanges'
    value: number
  }

  export interface ViewLeaderlessFieldEvent {
    field: '$.leaderless'
    value: number
  }

  export function encode (obj: Partial<View>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, View.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<View>): View {
    return decodeMessage(buf, View.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<View>): Generator<ViewClusterFieldEvent | ViewLeaderIdFieldEvent | ViewLeaderEpochFieldEvent | ViewLeaderPriorityFieldEvent | ViewMembersIdFieldEvent | ViewMembersStateFieldEvent | ViewMembersIncarnationFieldEvent | ViewMembersRevisionFieldEvent | ViewMembersSinceFieldEvent | ViewMembersAddressesFieldEvent | ViewMembersSlotsFieldEvent | ViewMembersRoleFieldEvent | ViewMembersElectionPriorityFieldEvent | ViewMembersTagsFieldEvent | ViewMembersVersionFieldEvent | ViewMembersHostFieldEvent | ViewMembersRttFieldEvent | ViewMembersElectorateFieldEvent | ViewMembersNodeFieldEvent | ViewMembersHasDiskFieldEvent | ViewNowFieldEvent | ViewVotersFieldEvent | ViewLeaderChangesFieldEvent | ViewLeaderlessFieldEvent> {
    return streamMessage(buf, View.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.id`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.epoch`,
                value: reader.uint64Number()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.priority`,
                value: reader.sint32()
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

  export interface ViewLeaderIdFieldEvent {
    field: '$.id'
    value: string
  }

  export interface ViewLeaderEpochFieldEvent {
    field: '$.epoch'
    value: number
  }

  export interface ViewLeaderPriorityFieldEvent {
    field: '$.priority'
    value: number
  }

  export function encode (obj: Partial<ViewLeader>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ViewLeader.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ViewLeader>): ViewLeader {
    return decodeMessage(buf, ViewLeader.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ViewLeader>): Generator<ViewLeaderIdFieldEvent | ViewLeaderEpochFieldEvent | ViewLeaderPriorityFieldEvent> {
    return streamMessage(buf, ViewLeader.codec(), opts)
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
        }, function * (reader, length, prefix, opts = {}) {
          const end = length == null ? reader.len : reader.pos + length

          while (reader.pos < end) {
            const tag = reader.uint32()

            switch (tag >>> 3) {
              case 1: {
                yield {
                  field: `${prefix}.key`,
                  value: reader.string()
                }
                break
              }
              case 2: {
                yield {
                  field: `${prefix}.value`,
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

    export interface ViewMember$tagsEntryKeyFieldEvent {
      field: '$.key'
      value: string
    }

    export interface ViewMember$tagsEntryValueFieldEvent {
      field: '$.value'
      value: string
    }

    export function encode (obj: Partial<ViewMember$tagsEntry>): Uint8Array<ArrayBuffer> {
      return encodeMessage(obj, ViewMember$tagsEntry.codec())
    }

    export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ViewMember$tagsEntry>): ViewMember$tagsEntry {
      return decodeMessage(buf, ViewMember$tagsEntry.codec(), opts)
    }

    export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ViewMember$tagsEntry>): Generator<ViewMember$tagsEntryKeyFieldEvent | ViewMember$tagsEntryValueFieldEvent> {
      return streamMessage(buf, ViewMember$tagsEntry.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          addresses: 0,
          tags: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.id`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.state`,
                value: reader.string()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.incarnation`,
                value: reader.uint64Number()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.revision`,
                value: reader.uint64Number()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.since`,
                value: reader.double()
              }
              break
            }
            case 6: {
              if (opts.limits?.addresses != null && obj.addresses === opts.limits.addresses) {
                throw new MaxLengthError('Streaming decode error - repeated field "addresses" had too many elements')
              }

              yield {
                field: `${prefix}.addresses[]`,
                index: obj.addresses,
                value: reader.string()
              }

              obj.addresses++

              break
            }
            case 7: {
              yield {
                field: `${prefix}.slots`,
                value: reader.uint32()
              }
              break
            }
            case 8: {
              yield {
                field: `${prefix}.role`,
                value: reader.string()
              }
              break
            }
            case 9: {
              yield {
                field: `${prefix}.electionPriority`,
                value: reader.sint32()
              }
              break
            }
            case 10: {
              if (opts.limits?.tags != null && obj.tags === opts.limits.tags) {
                throw new MaxLengthError('Decode error - map field "tags" had too many elements')
              }

              yield * ViewMember.ViewMember$tagsEntry.codec().stream(reader, reader.uint32(), `${prefix}.tags{}`, {
                limits: {
                  value: opts.limits?.tags$value
                }
              })

              obj.tags++

              break
            }
            case 11: {
              yield {
                field: `${prefix}.version`,
                value: reader.string()
              }
              break
            }
            case 12: {
              yield {
                field: `${prefix}.host`,
                value: reader.string()
              }
              break
            }
            case 13: {
              yield {
                field: `${prefix}.rtt`,
                value: reader.double()
              }
              break
            }
            case 14: {
              yield {
                field: `${prefix}.electorate`,
                value: reader.string()
              }
              break
            }
            case 15: {
              yield {
                field: `${prefix}.node`,
                value: reader.string()
              }
              break
            }
            case 16: {
              yield {
                field: `${prefix}.hasDisk`,
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

  export interface ViewMemberIdFieldEvent {
    field: '$.id'
    value: string
  }

  export interface ViewMemberStateFieldEvent {
    field: '$.state'
    value: string
  }

  export interface ViewMemberIncarnationFieldEvent {
    field: '$.incarnation'
    value: number
  }

  export interface ViewMemberRevisionFieldEvent {
    field: '$.revision'
    value: number
  }

  export interface ViewMemberSinceFieldEvent {
    field: '$.since'
    value: number
  }

  export interface ViewMemberAddressesFieldEvent {
    field: '$.addresses[]'
    index: number
    value: string
  }

  export interface ViewMemberSlotsFieldEvent {
    field: '$.slots'
    value: number
  }

  export interface ViewMemberRoleFieldEvent {
    field: '$.role'
    value: string
  }

  export interface ViewMemberElectionPriorityFieldEvent {
    field: '$.electionPriority'
    value: number
  }

  export interface ViewMemberTagsFieldEvent {
    field: '$.tags{}'
    key: string
    value: string
  }

  export interface ViewMemberVersionFieldEvent {
    field: '$.version'
    value: string
  }

  export interface ViewMemberHostFieldEvent {
    field: '$.host'
    value: string
  }

  export interface ViewMemberRttFieldEvent {
    field: '$.rtt'
    value: number
  }

  export interface ViewMemberElectorateFieldEvent {
    field: '$.electorate'
    value: string
  }

  export interface ViewMemberNodeFieldEvent {
    field: '$.node'
    value: string
  }

  export interface ViewMemberHasDiskFieldEvent {
    field: '$.hasDisk'
    value: boolean
  }

  export function encode (obj: Partial<ViewMember>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ViewMember.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ViewMember>): ViewMember {
    return decodeMessage(buf, ViewMember.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ViewMember>): Generator<ViewMemberIdFieldEvent | ViewMemberStateFieldEvent | ViewMemberIncarnationFieldEvent | ViewMemberRevisionFieldEvent | ViewMemberSinceFieldEvent | ViewMemberAddressesFieldEvent | ViewMemberSlotsFieldEvent | ViewMemberRoleFieldEvent | ViewMemberElectionPriorityFieldEvent | ViewMemberTagsFieldEvent | ViewMemberVersionFieldEvent | ViewMemberHostFieldEvent | ViewMemberRttFieldEvent | ViewMemberElectorateFieldEvent | ViewMemberNodeFieldEvent | ViewMemberHasDiskFieldEvent> {
    return streamMessage(buf, ViewMember.codec(), opts)
  }
}
