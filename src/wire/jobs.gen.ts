/* eslint-disable require-yield */

import { decodeMessage, encodeMessage, MaxLengthError, MaxSizeError, message } from 'protons-runtime'
import { alloc as uint8ArrayAlloc } from 'uint8arrays/alloc'
import type { Codec, DecodeOptions } from 'protons-runtime'
import type { Uint8ArrayList } from 'uint8arraylist'

const noStream = function * (): Generator<never> {}

export interface WorkMessage {
  epoch: number
  welcome?: Welcome
  hello?: Hello
  batch?: Batch
  outcomes?: Outcomes
  release?: Release
  codeRequest?: CodeRequest
  code?: Code
  log?: WorkLog
  cancelChunks?: CancelChunks
  starting?: Starting
  go?: Starting
  offer?: Offer
  claim?: Claim
  returned?: Returned
  covered?: Covered
  leaving?: Leaving
  dismissed?: Leaving
  valuesRequest?: ValuesRequest
  values?: Values
}

export namespace WorkMessage {
  let _codec: Codec<WorkMessage>

  export const codec = (): Codec<WorkMessage> => {
    if (_codec == null) {
      _codec = message<WorkMessage>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.epoch != null && obj.epoch !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.epoch)
        }

        if (obj.welcome != null) {
          w.uint32(18)
          Welcome.codec().encode(obj.welcome, w)
        }

        if (obj.hello != null) {
          w.uint32(26)
          Hello.codec().encode(obj.hello, w)
        }

        if (obj.batch != null) {
          w.uint32(34)
          Batch.codec().encode(obj.batch, w)
        }

        if (obj.outcomes != null) {
          w.uint32(42)
          Outcomes.codec().encode(obj.outcomes, w)
        }

        if (obj.release != null) {
          w.uint32(50)
          Release.codec().encode(obj.release, w)
        }

        if (obj.codeRequest != null) {
          w.uint32(58)
          CodeRequest.codec().encode(obj.codeRequest, w)
        }

        if (obj.code != null) {
          w.uint32(66)
          Code.codec().encode(obj.code, w)
        }

        if (obj.log != null) {
          w.uint32(74)
          WorkLog.codec().encode(obj.log, w)
        }

        if (obj.cancelChunks != null) {
          w.uint32(82)
          CancelChunks.codec().encode(obj.cancelChunks, w)
        }

        if (obj.starting != null) {
          w.uint32(90)
          Starting.codec().encode(obj.starting, w)
        }

        if (obj.go != null) {
          w.uint32(98)
          Starting.codec().encode(obj.go, w)
        }

        if (obj.offer != null) {
          w.uint32(106)
          Offer.codec().encode(obj.offer, w)
        }

        if (obj.claim != null) {
          w.uint32(114)
          Claim.codec().encode(obj.claim, w)
        }

        if (obj.returned != null) {
          w.uint32(122)
          Returned.codec().encode(obj.returned, w)
        }

        if (obj.covered != null) {
          w.uint32(130)
          Covered.codec().encode(obj.covered, w)
        }

        if (obj.leaving != null) {
          w.uint32(138)
          Leaving.codec().encode(obj.leaving, w)
        }

        if (obj.dismissed != null) {
          w.uint32(146)
          Leaving.codec().encode(obj.dismissed, w)
        }

        if (obj.valuesRequest != null) {
          w.uint32(154)
          ValuesRequest.codec().encode(obj.valuesRequest, w)
        }

        if (obj.values != null) {
          w.uint32(162)
          Values.codec().encode(obj.values, w)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          epoch: 0
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
              obj.welcome = Welcome.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.welcome
              })
              break
            }
            case 3: {
              obj.hello = Hello.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.hello
              })
              break
            }
            case 4: {
              obj.batch = Batch.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.batch
              })
              break
            }
            case 5: {
              obj.outcomes = Outcomes.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.outcomes
              })
              break
            }
            case 6: {
              obj.release = Release.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.release
              })
              break
            }
            case 7: {
              obj.codeRequest = CodeRequest.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.codeRequest
              })
              break
            }
            case 8: {
              obj.code = Code.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.code
              })
              break
            }
            case 9: {
              obj.log = WorkLog.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.log
              })
              break
            }
            case 10: {
              obj.cancelChunks = CancelChunks.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.cancelChunks
              })
              break
            }
            case 11: {
              obj.starting = Starting.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.starting
              })
              break
            }
            case 12: {
              obj.go = Starting.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.go
              })
              break
            }
            case 13: {
              obj.offer = Offer.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.offer
              })
              break
            }
            case 14: {
              obj.claim = Claim.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.claim
              })
              break
            }
            case 15: {
              obj.returned = Returned.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.returned
              })
              break
            }
            case 16: {
              obj.covered = Covered.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.covered
              })
              break
            }
            case 17: {
              obj.leaving = Leaving.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.leaving
              })
              break
            }
            case 18: {
              obj.dismissed = Leaving.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.dismissed
              })
              break
            }
            case 19: {
              obj.valuesRequest = ValuesRequest.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.valuesRequest
              })
              break
            }
            case 20: {
              obj.values = Values.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.values
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

  export function encode (obj: Partial<WorkMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, WorkMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<WorkMessage>): WorkMessage {
    return decodeMessage(buf, WorkMessage.codec(), opts)
  }
}

export interface Welcome {}

export namespace Welcome {
  let _codec: Codec<Welcome>

  export const codec = (): Codec<Welcome> => {
    if (_codec == null) {
      _codec = message<Welcome>((obj, w, opts = {}) => {
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

  export function encode (obj: Partial<Welcome>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Welcome.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Welcome>): Welcome {
    return decodeMessage(buf, Welcome.codec(), opts)
  }
}

export interface Hello {
  slots: number
  leaving: boolean
}

export namespace Hello {
  let _codec: Codec<Hello>

  export const codec = (): Codec<Hello> => {
    if (_codec == null) {
      _codec = message<Hello>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.slots != null && obj.slots !== 0)) {
          w.uint32(8)
          w.uint32(obj.slots)
        }

        if ((obj.leaving != null && obj.leaving !== false)) {
          w.uint32(16)
          w.bool(obj.leaving)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          slots: 0,
          leaving: false
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.slots = reader.uint32()
              break
            }
            case 2: {
              obj.leaving = reader.bool()
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

  export function encode (obj: Partial<Hello>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Hello.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Hello>): Hello {
    return decodeMessage(buf, Hello.codec(), opts)
  }
}

export interface Offer {
  job: string
  sha256: Uint8Array<ArrayBuffer>
  leader: string
  epoch: number
  indices: Uint8Array<ArrayBuffer>
  digests: Uint8Array<ArrayBuffer>
  seal: Uint8Array<ArrayBuffer>
  held: Uint8Array<ArrayBuffer>
  sizes: Uint8Array<ArrayBuffer>
  running: Uint8Array<ArrayBuffer>
  waiting: Uint8Array<ArrayBuffer>
}

export namespace Offer {
  let _codec: Codec<Offer>

  export const codec = (): Codec<Offer> => {
    if (_codec == null) {
      _codec = message<Offer>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if ((obj.sha256 != null && obj.sha256.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.sha256)
        }

        if ((obj.leader != null && obj.leader !== '')) {
          w.uint32(26)
          w.string(obj.leader)
        }

        if ((obj.epoch != null && obj.epoch !== 0)) {
          w.uint32(32)
          w.uint64Number(obj.epoch)
        }

        if ((obj.indices != null && obj.indices.byteLength > 0)) {
          w.uint32(42)
          w.bytes(obj.indices)
        }

        if ((obj.digests != null && obj.digests.byteLength > 0)) {
          w.uint32(50)
          w.bytes(obj.digests)
        }

        if ((obj.seal != null && obj.seal.byteLength > 0)) {
          w.uint32(58)
          w.bytes(obj.seal)
        }

        if ((obj.held != null && obj.held.byteLength > 0)) {
          w.uint32(66)
          w.bytes(obj.held)
        }

        if ((obj.sizes != null && obj.sizes.byteLength > 0)) {
          w.uint32(74)
          w.bytes(obj.sizes)
        }

        if ((obj.running != null && obj.running.byteLength > 0)) {
          w.uint32(82)
          w.bytes(obj.running)
        }

        if ((obj.waiting != null && obj.waiting.byteLength > 0)) {
          w.uint32(90)
          w.bytes(obj.waiting)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          sha256: uint8ArrayAlloc(0),
          leader: '',
          epoch: 0,
          indices: uint8ArrayAlloc(0),
          digests: uint8ArrayAlloc(0),
          seal: uint8ArrayAlloc(0),
          held: uint8ArrayAlloc(0),
          sizes: uint8ArrayAlloc(0),
          running: uint8ArrayAlloc(0),
          waiting: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.sha256 = reader.bytes()
              break
            }
            case 3: {
              obj.leader = reader.string()
              break
            }
            case 4: {
              obj.epoch = reader.uint64Number()
              break
            }
            case 5: {
              obj.indices = reader.bytes()
              break
            }
            case 6: {
              obj.digests = reader.bytes()
              break
            }
            case 7: {
              obj.seal = reader.bytes()
              break
            }
            case 8: {
              obj.held = reader.bytes()
              break
            }
            case 9: {
              obj.sizes = reader.bytes()
              break
            }
            case 10: {
              obj.running = reader.bytes()
              break
            }
            case 11: {
              obj.waiting = reader.bytes()
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

  export function encode (obj: Partial<Offer>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Offer.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Offer>): Offer {
    return decodeMessage(buf, Offer.codec(), opts)
  }
}

export interface Claim {
  job: string
  indices: Uint8Array<ArrayBuffer>
  digests: Uint8Array<ArrayBuffer>
  seal: Uint8Array<ArrayBuffer>
  submissionId: string
}

export namespace Claim {
  let _codec: Codec<Claim>

  export const codec = (): Codec<Claim> => {
    if (_codec == null) {
      _codec = message<Claim>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if ((obj.indices != null && obj.indices.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.indices)
        }

        if ((obj.digests != null && obj.digests.byteLength > 0)) {
          w.uint32(26)
          w.bytes(obj.digests)
        }

        if ((obj.seal != null && obj.seal.byteLength > 0)) {
          w.uint32(34)
          w.bytes(obj.seal)
        }

        if ((obj.submissionId != null && obj.submissionId !== '')) {
          w.uint32(42)
          w.string(obj.submissionId)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          indices: uint8ArrayAlloc(0),
          digests: uint8ArrayAlloc(0),
          seal: uint8ArrayAlloc(0),
          submissionId: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.indices = reader.bytes()
              break
            }
            case 3: {
              obj.digests = reader.bytes()
              break
            }
            case 4: {
              obj.seal = reader.bytes()
              break
            }
            case 5: {
              obj.submissionId = reader.string()
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

  export function encode (obj: Partial<Claim>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Claim.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Claim>): Claim {
    return decodeMessage(buf, Claim.codec(), opts)
  }
}

export interface Returned {
  job: string
  indices: Uint8Array<ArrayBuffer>
}

export namespace Returned {
  let _codec: Codec<Returned>

  export const codec = (): Codec<Returned> => {
    if (_codec == null) {
      _codec = message<Returned>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if ((obj.indices != null && obj.indices.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.indices)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          indices: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.indices = reader.bytes()
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

  export function encode (obj: Partial<Returned>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Returned.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Returned>): Returned {
    return decodeMessage(buf, Returned.codec(), opts)
  }
}

export interface Covered {
  job: string
  next: number
}

export namespace Covered {
  let _codec: Codec<Covered>

  export const codec = (): Codec<Covered> => {
    if (_codec == null) {
      _codec = message<Covered>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if ((obj.next != null && obj.next !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.next)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          next: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.next = reader.uint64Number()
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

  export function encode (obj: Partial<Covered>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Covered.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Covered>): Covered {
    return decodeMessage(buf, Covered.codec(), opts)
  }
}

export interface Leaving {}

export namespace Leaving {
  let _codec: Codec<Leaving>

  export const codec = (): Codec<Leaving> => {
    if (_codec == null) {
      _codec = message<Leaving>((obj, w, opts = {}) => {
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

  export function encode (obj: Partial<Leaving>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Leaving.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Leaving>): Leaving {
    return decodeMessage(buf, Leaving.codec(), opts)
  }
}

export interface Batch {
  job: string
  sha256: Uint8Array<ArrayBuffer>
  indices: Uint8Array<ArrayBuffer>
  lengths: Uint8Array<ArrayBuffer>
  payload: Uint8Array<ArrayBuffer>
  chunkTimeout?: number
  priority: number
  announced: boolean
  quarantined: boolean
  digests: Uint8Array<ArrayBuffer>
  seal: Uint8Array<ArrayBuffer>
  submissionId: string
  combine: boolean
}

export namespace Batch {
  let _codec: Codec<Batch>

  export const codec = (): Codec<Batch> => {
    if (_codec == null) {
      _codec = message<Batch>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if ((obj.sha256 != null && obj.sha256.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.sha256)
        }

        if ((obj.indices != null && obj.indices.byteLength > 0)) {
          w.uint32(26)
          w.bytes(obj.indices)
        }

        if ((obj.lengths != null && obj.lengths.byteLength > 0)) {
          w.uint32(34)
          w.bytes(obj.lengths)
        }

        if ((obj.payload != null && obj.payload.byteLength > 0)) {
          w.uint32(42)
          w.bytes(obj.payload)
        }

        if (obj.chunkTimeout != null) {
          w.uint32(48)
          w.uint32(obj.chunkTimeout)
        }

        if ((obj.priority != null && obj.priority !== 0)) {
          w.uint32(56)
          w.sint32(obj.priority)
        }

        if ((obj.announced != null && obj.announced !== false)) {
          w.uint32(64)
          w.bool(obj.announced)
        }

        if ((obj.quarantined != null && obj.quarantined !== false)) {
          w.uint32(72)
          w.bool(obj.quarantined)
        }

        if ((obj.digests != null && obj.digests.byteLength > 0)) {
          w.uint32(82)
          w.bytes(obj.digests)
        }

        if ((obj.seal != null && obj.seal.byteLength > 0)) {
          w.uint32(90)
          w.bytes(obj.seal)
        }

        if ((obj.submissionId != null && obj.submissionId !== '')) {
          w.uint32(98)
          w.string(obj.submissionId)
        }

        if ((obj.combine != null && obj.combine !== false)) {
          w.uint32(104)
          w.bool(obj.combine)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          sha256: uint8ArrayAlloc(0),
          indices: uint8ArrayAlloc(0),
          lengths: uint8ArrayAlloc(0),
          payload: uint8ArrayAlloc(0),
          priority: 0,
          announced: false,
          quarantined: false,
          digests: uint8ArrayAlloc(0),
          seal: uint8ArrayAlloc(0),
          submissionId: '',
          combine: false
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.sha256 = reader.bytes()
              break
            }
            case 3: {
              obj.indices = reader.bytes()
              break
            }
            case 4: {
              obj.lengths = reader.bytes()
              break
            }
            case 5: {
              obj.payload = reader.bytes()
              break
            }
            case 6: {
              obj.chunkTimeout = reader.uint32()
              break
            }
            case 7: {
              obj.priority = reader.sint32()
              break
            }
            case 8: {
              obj.announced = reader.bool()
              break
            }
            case 9: {
              obj.quarantined = reader.bool()
              break
            }
            case 10: {
              obj.digests = reader.bytes()
              break
            }
            case 11: {
              obj.seal = reader.bytes()
              break
            }
            case 12: {
              obj.submissionId = reader.string()
              break
            }
            case 13: {
              obj.combine = reader.bool()
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

  export function encode (obj: Partial<Batch>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Batch.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Batch>): Batch {
    return decodeMessage(buf, Batch.codec(), opts)
  }
}

export interface Outcomes {
  job: string
  indices: Uint8Array<ArrayBuffer>
  lengths: Uint8Array<ArrayBuffer>
  payload: Uint8Array<ArrayBuffer>
  failures: Failure[]
  busyMs: number
  submissionId: string
}

export namespace Outcomes {
  let _codec: Codec<Outcomes>

  export const codec = (): Codec<Outcomes> => {
    if (_codec == null) {
      _codec = message<Outcomes>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if ((obj.indices != null && obj.indices.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.indices)
        }

        if ((obj.lengths != null && obj.lengths.byteLength > 0)) {
          w.uint32(26)
          w.bytes(obj.lengths)
        }

        if ((obj.payload != null && obj.payload.byteLength > 0)) {
          w.uint32(34)
          w.bytes(obj.payload)
        }

        if (obj.failures != null && obj.failures.length > 0) {
          for (const value of obj.failures) {
            w.uint32(42)
            Failure.codec().encode(value, w)
          }
        }

        if ((obj.busyMs != null && obj.busyMs !== 0)) {
          w.uint32(49)
          w.double(obj.busyMs)
        }

        if ((obj.submissionId != null && obj.submissionId !== '')) {
          w.uint32(58)
          w.string(obj.submissionId)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          indices: uint8ArrayAlloc(0),
          lengths: uint8ArrayAlloc(0),
          payload: uint8ArrayAlloc(0),
          failures: [],
          busyMs: 0,
          submissionId: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.indices = reader.bytes()
              break
            }
            case 3: {
              obj.lengths = reader.bytes()
              break
            }
            case 4: {
              obj.payload = reader.bytes()
              break
            }
            case 5: {
              if (opts.limits?.failures != null && obj.failures.length === opts.limits.failures) {
                throw new MaxLengthError('Decode error - repeated field "failures" had too many elements')
              }

              obj.failures.push(Failure.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.failures$
              }))
              break
            }
            case 6: {
              obj.busyMs = reader.double()
              break
            }
            case 7: {
              obj.submissionId = reader.string()
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

  export function encode (obj: Partial<Outcomes>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Outcomes.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Outcomes>): Outcomes {
    return decodeMessage(buf, Outcomes.codec(), opts)
  }
}

export interface Failure {
  function: string
  index?: number
  name: string
  message: string
  stack: string
}

export namespace Failure {
  let _codec: Codec<Failure>

  export const codec = (): Codec<Failure> => {
    if (_codec == null) {
      _codec = message<Failure>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.function != null && obj.function !== '')) {
          w.uint32(10)
          w.string(obj.function)
        }

        if (obj.index != null) {
          w.uint32(16)
          w.uint64Number(obj.index)
        }

        if ((obj.name != null && obj.name !== '')) {
          w.uint32(26)
          w.string(obj.name)
        }

        if ((obj.message != null && obj.message !== '')) {
          w.uint32(34)
          w.string(obj.message)
        }

        if ((obj.stack != null && obj.stack !== '')) {
          w.uint32(42)
          w.string(obj.stack)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          function: '',
          name: '',
          message: '',
          stack: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.function = reader.string()
              break
            }
            case 2: {
              obj.index = reader.uint64Number()
              break
            }
            case 3: {
              obj.name = reader.string()
              break
            }
            case 4: {
              obj.message = reader.string()
              break
            }
            case 5: {
              obj.stack = reader.string()
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

  export function encode (obj: Partial<Failure>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Failure.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Failure>): Failure {
    return decodeMessage(buf, Failure.codec(), opts)
  }
}

export interface Release {
  job: string
}

export namespace Release {
  let _codec: Codec<Release>

  export const codec = (): Codec<Release> => {
    if (_codec == null) {
      _codec = message<Release>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
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

  export function encode (obj: Partial<Release>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Release.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Release>): Release {
    return decodeMessage(buf, Release.codec(), opts)
  }
}

export interface CancelChunks {
  job: string
  indices: Uint8Array<ArrayBuffer>
}

export namespace CancelChunks {
  let _codec: Codec<CancelChunks>

  export const codec = (): Codec<CancelChunks> => {
    if (_codec == null) {
      _codec = message<CancelChunks>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if ((obj.indices != null && obj.indices.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.indices)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          indices: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.indices = reader.bytes()
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

  export function encode (obj: Partial<CancelChunks>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, CancelChunks.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<CancelChunks>): CancelChunks {
    return decodeMessage(buf, CancelChunks.codec(), opts)
  }
}

export interface Starting {
  job: string
  indices: Uint8Array<ArrayBuffer>
}

export namespace Starting {
  let _codec: Codec<Starting>

  export const codec = (): Codec<Starting> => {
    if (_codec == null) {
      _codec = message<Starting>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if ((obj.indices != null && obj.indices.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.indices)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          indices: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.indices = reader.bytes()
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

  export function encode (obj: Partial<Starting>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Starting.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Starting>): Starting {
    return decodeMessage(buf, Starting.codec(), opts)
  }
}

export interface CodeRequest {
  sha256: Uint8Array<ArrayBuffer>
}

export namespace CodeRequest {
  let _codec: Codec<CodeRequest>

  export const codec = (): Codec<CodeRequest> => {
    if (_codec == null) {
      _codec = message<CodeRequest>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.sha256 != null && obj.sha256.byteLength > 0)) {
          w.uint32(10)
          w.bytes(obj.sha256)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          sha256: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.sha256 = reader.bytes()
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

  export function encode (obj: Partial<CodeRequest>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, CodeRequest.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<CodeRequest>): CodeRequest {
    return decodeMessage(buf, CodeRequest.codec(), opts)
  }
}

export interface Code {
  sha256: Uint8Array<ArrayBuffer>
  code: Uint8Array<ArrayBuffer>
}

export namespace Code {
  let _codec: Codec<Code>

  export const codec = (): Codec<Code> => {
    if (_codec == null) {
      _codec = message<Code>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.sha256 != null && obj.sha256.byteLength > 0)) {
          w.uint32(10)
          w.bytes(obj.sha256)
        }

        if ((obj.code != null && obj.code.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.code)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          sha256: uint8ArrayAlloc(0),
          code: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.sha256 = reader.bytes()
              break
            }
            case 2: {
              obj.code = reader.bytes()
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

  export function encode (obj: Partial<Code>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Code.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Code>): Code {
    return decodeMessage(buf, Code.codec(), opts)
  }
}

export interface ValuesRequest {
  job: string
  ids: Uint8Array<ArrayBuffer>
}

export namespace ValuesRequest {
  let _codec: Codec<ValuesRequest>

  export const codec = (): Codec<ValuesRequest> => {
    if (_codec == null) {
      _codec = message<ValuesRequest>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if ((obj.ids != null && obj.ids.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.ids)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          ids: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.ids = reader.bytes()
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

  export function encode (obj: Partial<ValuesRequest>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ValuesRequest.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ValuesRequest>): ValuesRequest {
    return decodeMessage(buf, ValuesRequest.codec(), opts)
  }
}

export interface Values {
  job: string
  ids: Uint8Array<ArrayBuffer>
  lengths: Uint8Array<ArrayBuffer>
  payload: Uint8Array<ArrayBuffer>
  missing: Uint8Array<ArrayBuffer>
}

export namespace Values {
  let _codec: Codec<Values>

  export const codec = (): Codec<Values> => {
    if (_codec == null) {
      _codec = message<Values>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if ((obj.ids != null && obj.ids.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.ids)
        }

        if ((obj.lengths != null && obj.lengths.byteLength > 0)) {
          w.uint32(26)
          w.bytes(obj.lengths)
        }

        if ((obj.payload != null && obj.payload.byteLength > 0)) {
          w.uint32(34)
          w.bytes(obj.payload)
        }

        if ((obj.missing != null && obj.missing.byteLength > 0)) {
          w.uint32(42)
          w.bytes(obj.missing)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          ids: uint8ArrayAlloc(0),
          lengths: uint8ArrayAlloc(0),
          payload: uint8ArrayAlloc(0),
          missing: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.ids = reader.bytes()
              break
            }
            case 3: {
              obj.lengths = reader.bytes()
              break
            }
            case 4: {
              obj.payload = reader.bytes()
              break
            }
            case 5: {
              obj.missing = reader.bytes()
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

  export function encode (obj: Partial<Values>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Values.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Values>): Values {
    return decodeMessage(buf, Values.codec(), opts)
  }
}

export interface WorkLog {
  job: string
  lines: LogLine[]
}

export namespace WorkLog {
  let _codec: Codec<WorkLog>

  export const codec = (): Codec<WorkLog> => {
    if (_codec == null) {
      _codec = message<WorkLog>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if (obj.lines != null && obj.lines.length > 0) {
          for (const value of obj.lines) {
            w.uint32(18)
            LogLine.codec().encode(value, w)
          }
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          lines: []
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              if (opts.limits?.lines != null && obj.lines.length === opts.limits.lines) {
                throw new MaxLengthError('Decode error - repeated field "lines" had too many elements')
              }

              obj.lines.push(LogLine.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.lines$
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

  export function encode (obj: Partial<WorkLog>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, WorkLog.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<WorkLog>): WorkLog {
    return decodeMessage(buf, WorkLog.codec(), opts)
  }
}

export interface LogLine {
  function: string
  index?: number
  stderr: boolean
  line: string
  peer: string
}

export namespace LogLine {
  let _codec: Codec<LogLine>

  export const codec = (): Codec<LogLine> => {
    if (_codec == null) {
      _codec = message<LogLine>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.function != null && obj.function !== '')) {
          w.uint32(10)
          w.string(obj.function)
        }

        if (obj.index != null) {
          w.uint32(16)
          w.uint64Number(obj.index)
        }

        if ((obj.stderr != null && obj.stderr !== false)) {
          w.uint32(24)
          w.bool(obj.stderr)
        }

        if ((obj.line != null && obj.line !== '')) {
          w.uint32(34)
          w.string(obj.line)
        }

        if ((obj.peer != null && obj.peer !== '')) {
          w.uint32(42)
          w.string(obj.peer)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          function: '',
          stderr: false,
          line: '',
          peer: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.function = reader.string()
              break
            }
            case 2: {
              obj.index = reader.uint64Number()
              break
            }
            case 3: {
              obj.stderr = reader.bool()
              break
            }
            case 4: {
              obj.line = reader.string()
              break
            }
            case 5: {
              obj.peer = reader.string()
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

  export function encode (obj: Partial<LogLine>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LogLine.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LogLine>): LogLine {
    return decodeMessage(buf, LogLine.codec(), opts)
  }
}

export interface SubmitMessage {
  job: string
  epoch?: number
  submit?: Submit
  cancel?: Cancel
  leave?: Leave
  watch?: Watch
  got?: Got
  items?: Items
  accepted?: Accepted
  progress?: Progress
  log?: SubmitLog
  completed?: Completed
  failed?: Failed
  cancelled?: Cancelled
  refused?: Refused
  unknown?: Unknown
  partials?: Partials
  wants?: Wants
  outputs?: Outputs
  durability?: Durability
  notLeader?: NotLeader
}

export namespace SubmitMessage {
  let _codec: Codec<SubmitMessage>

  export const codec = (): Codec<SubmitMessage> => {
    if (_codec == null) {
      _codec = message<SubmitMessage>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if (obj.epoch != null) {
          w.uint32(16)
          w.uint64Number(obj.epoch)
        }

        if (obj.submit != null) {
          w.uint32(26)
          Submit.codec().encode(obj.submit, w)
        }

        if (obj.cancel != null) {
          w.uint32(34)
          Cancel.codec().encode(obj.cancel, w)
        }

        if (obj.leave != null) {
          w.uint32(106)
          Leave.codec().encode(obj.leave, w)
        }

        if (obj.watch != null) {
          w.uint32(114)
          Watch.codec().encode(obj.watch, w)
        }

        if (obj.got != null) {
          w.uint32(130)
          Got.codec().encode(obj.got, w)
        }

        if (obj.items != null) {
          w.uint32(146)
          Items.codec().encode(obj.items, w)
        }

        if (obj.accepted != null) {
          w.uint32(42)
          Accepted.codec().encode(obj.accepted, w)
        }

        if (obj.progress != null) {
          w.uint32(50)
          Progress.codec().encode(obj.progress, w)
        }

        if (obj.log != null) {
          w.uint32(58)
          SubmitLog.codec().encode(obj.log, w)
        }

        if (obj.completed != null) {
          w.uint32(66)
          Completed.codec().encode(obj.completed, w)
        }

        if (obj.failed != null) {
          w.uint32(74)
          Failed.codec().encode(obj.failed, w)
        }

        if (obj.cancelled != null) {
          w.uint32(82)
          Cancelled.codec().encode(obj.cancelled, w)
        }

        if (obj.refused != null) {
          w.uint32(90)
          Refused.codec().encode(obj.refused, w)
        }

        if (obj.unknown != null) {
          w.uint32(122)
          Unknown.codec().encode(obj.unknown, w)
        }

        if (obj.partials != null) {
          w.uint32(138)
          Partials.codec().encode(obj.partials, w)
        }

        if (obj.wants != null) {
          w.uint32(154)
          Wants.codec().encode(obj.wants, w)
        }

        if (obj.outputs != null) {
          w.uint32(162)
          Outputs.codec().encode(obj.outputs, w)
        }

        if (obj.durability != null) {
          w.uint32(170)
          Durability.codec().encode(obj.durability, w)
        }

        if (obj.notLeader != null) {
          w.uint32(98)
          NotLeader.codec().encode(obj.notLeader, w)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.epoch = reader.uint64Number()
              break
            }
            case 3: {
              obj.submit = Submit.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.submit
              })
              break
            }
            case 4: {
              obj.cancel = Cancel.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.cancel
              })
              break
            }
            case 13: {
              obj.leave = Leave.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.leave
              })
              break
            }
            case 14: {
              obj.watch = Watch.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.watch
              })
              break
            }
            case 16: {
              obj.got = Got.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.got
              })
              break
            }
            case 18: {
              obj.items = Items.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.items
              })
              break
            }
            case 5: {
              obj.accepted = Accepted.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.accepted
              })
              break
            }
            case 6: {
              obj.progress = Progress.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.progress
              })
              break
            }
            case 7: {
              obj.log = SubmitLog.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.log
              })
              break
            }
            case 8: {
              obj.completed = Completed.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.completed
              })
              break
            }
            case 9: {
              obj.failed = Failed.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.failed
              })
              break
            }
            case 10: {
              obj.cancelled = Cancelled.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.cancelled
              })
              break
            }
            case 11: {
              obj.refused = Refused.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.refused
              })
              break
            }
            case 15: {
              obj.unknown = Unknown.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.unknown
              })
              break
            }
            case 17: {
              obj.partials = Partials.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.partials
              })
              break
            }
            case 19: {
              obj.wants = Wants.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.wants
              })
              break
            }
            case 20: {
              obj.outputs = Outputs.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.outputs
              })
              break
            }
            case 21: {
              obj.durability = Durability.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.durability
              })
              break
            }
            case 12: {
              obj.notLeader = NotLeader.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.notLeader
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

  export function encode (obj: Partial<SubmitMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, SubmitMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<SubmitMessage>): SubmitMessage {
    return decodeMessage(buf, SubmitMessage.codec(), opts)
  }
}

export interface Submit {
  task: string
  sha256: Uint8Array<ArrayBuffer>
  code: Uint8Array<ArrayBuffer>
  input: Uint8Array<ArrayBuffer>
  inputSha256: Uint8Array<ArrayBuffer>
  retries: number
  speculate: boolean
  requires: Map<string, string>
  chunkTimeout?: number
  priority: number
  detach: boolean
  keep?: number
  seen: number
  partials: boolean
  got: number
  stream?: string
  scheduledFor?: number
  durable: number
}

export namespace Submit {
  export interface Submit$requiresEntry {
    key: string
    value: string
  }

  export namespace Submit$requiresEntry {
    let _codec: Codec<Submit$requiresEntry>

    export const codec = (): Codec<Submit$requiresEntry> => {
      if (_codec == null) {
        _codec = message<Submit$requiresEntry>((obj, w, opts = {}) => {
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

    export function encode (obj: Partial<Submit$requiresEntry>): Uint8Array<ArrayBuffer> {
      return encodeMessage(obj, Submit$requiresEntry.codec())
    }

    export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Submit$requiresEntry>): Submit$requiresEntry {
      return decodeMessage(buf, Submit$requiresEntry.codec(), opts)
    }
  }

  let _codec: Codec<Submit>

  export const codec = (): Codec<Submit> => {
    if (_codec == null) {
      _codec = message<Submit>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.task != null && obj.task !== '')) {
          w.uint32(10)
          w.string(obj.task)
        }

        if ((obj.sha256 != null && obj.sha256.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.sha256)
        }

        if ((obj.code != null && obj.code.byteLength > 0)) {
          w.uint32(26)
          w.bytes(obj.code)
        }

        if ((obj.input != null && obj.input.byteLength > 0)) {
          w.uint32(34)
          w.bytes(obj.input)
        }

        if ((obj.inputSha256 != null && obj.inputSha256.byteLength > 0)) {
          w.uint32(42)
          w.bytes(obj.inputSha256)
        }

        if ((obj.retries != null && obj.retries !== 0)) {
          w.uint32(48)
          w.uint32(obj.retries)
        }

        if ((obj.speculate != null && obj.speculate !== false)) {
          w.uint32(56)
          w.bool(obj.speculate)
        }

        if (obj.requires != null && obj.requires.size > 0) {
          for (const [key, value] of obj.requires.entries()) {
            w.uint32(66)
            Submit.Submit$requiresEntry.codec().encode({ key, value }, w)
          }
        }

        if (obj.chunkTimeout != null) {
          w.uint32(72)
          w.uint32(obj.chunkTimeout)
        }

        if ((obj.priority != null && obj.priority !== 0)) {
          w.uint32(80)
          w.sint32(obj.priority)
        }

        if ((obj.detach != null && obj.detach !== false)) {
          w.uint32(88)
          w.bool(obj.detach)
        }

        if (obj.keep != null) {
          w.uint32(96)
          w.uint32(obj.keep)
        }

        if ((obj.seen != null && obj.seen !== 0)) {
          w.uint32(104)
          w.uint64Number(obj.seen)
        }

        if ((obj.partials != null && obj.partials !== false)) {
          w.uint32(112)
          w.bool(obj.partials)
        }

        if ((obj.got != null && obj.got !== 0)) {
          w.uint32(120)
          w.uint64Number(obj.got)
        }

        if (obj.stream != null) {
          w.uint32(130)
          w.string(obj.stream)
        }

        if (obj.scheduledFor != null) {
          w.uint32(136)
          w.uint64Number(obj.scheduledFor)
        }

        if ((obj.durable != null && obj.durable !== 0)) {
          w.uint32(144)
          w.uint32(obj.durable)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          task: '',
          sha256: uint8ArrayAlloc(0),
          code: uint8ArrayAlloc(0),
          input: uint8ArrayAlloc(0),
          inputSha256: uint8ArrayAlloc(0),
          retries: 0,
          speculate: false,
          requires: new Map<string, string>(),
          priority: 0,
          detach: false,
          seen: 0,
          partials: false,
          got: 0,
          durable: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.task = reader.string()
              break
            }
            case 2: {
              obj.sha256 = reader.bytes()
              break
            }
            case 3: {
              obj.code = reader.bytes()
              break
            }
            case 4: {
              obj.input = reader.bytes()
              break
            }
            case 5: {
              obj.inputSha256 = reader.bytes()
              break
            }
            case 6: {
              obj.retries = reader.uint32()
              break
            }
            case 7: {
              obj.speculate = reader.bool()
              break
            }
            case 8: {
              if (opts.limits?.requires != null && obj.requires.size === opts.limits.requires) {
                throw new MaxSizeError('Decode error - map field "requires" had too many elements')
              }

              const entry = Submit.Submit$requiresEntry.codec().decode(reader, reader.uint32(), {
                limits: {
                  value: opts.limits?.requires$value
                }
              })
              obj.requires.set(entry.key, entry.value)
              break
            }
            case 9: {
              obj.chunkTimeout = reader.uint32()
              break
            }
            case 10: {
              obj.priority = reader.sint32()
              break
            }
            case 11: {
              obj.detach = reader.bool()
              break
            }
            case 12: {
              obj.keep = reader.uint32()
              break
            }
            case 13: {
              obj.seen = reader.uint64Number()
              break
            }
            case 14: {
              obj.partials = reader.bool()
              break
            }
            case 15: {
              obj.got = reader.uint64Number()
              break
            }
            case 16: {
              obj.stream = reader.string()
              break
            }
            case 17: {
              obj.scheduledFor = reader.uint64Number()
              break
            }
            case 18: {
              obj.durable = reader.uint32()
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

  export function encode (obj: Partial<Submit>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Submit.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Submit>): Submit {
    return decodeMessage(buf, Submit.codec(), opts)
  }
}

export interface Got {
  next: number
}

export namespace Got {
  let _codec: Codec<Got>

  export const codec = (): Codec<Got> => {
    if (_codec == null) {
      _codec = message<Got>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.next != null && obj.next !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.next)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          next: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.next = reader.uint64Number()
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

  export function encode (obj: Partial<Got>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Got.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Got>): Got {
    return decodeMessage(buf, Got.codec(), opts)
  }
}

export interface Partials {
  first: number
  lengths: Uint8Array<ArrayBuffer>
  payload: Uint8Array<ArrayBuffer>
}

export namespace Partials {
  let _codec: Codec<Partials>

  export const codec = (): Codec<Partials> => {
    if (_codec == null) {
      _codec = message<Partials>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.first != null && obj.first !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.first)
        }

        if ((obj.lengths != null && obj.lengths.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.lengths)
        }

        if ((obj.payload != null && obj.payload.byteLength > 0)) {
          w.uint32(26)
          w.bytes(obj.payload)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          first: 0,
          lengths: uint8ArrayAlloc(0),
          payload: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.first = reader.uint64Number()
              break
            }
            case 2: {
              obj.lengths = reader.bytes()
              break
            }
            case 3: {
              obj.payload = reader.bytes()
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

  export function encode (obj: Partial<Partials>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Partials.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Partials>): Partials {
    return decodeMessage(buf, Partials.codec(), opts)
  }
}

export interface Wants {
  first: number
  most: number
}

export namespace Wants {
  let _codec: Codec<Wants>

  export const codec = (): Codec<Wants> => {
    if (_codec == null) {
      _codec = message<Wants>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.first != null && obj.first !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.first)
        }

        if ((obj.most != null && obj.most !== 0)) {
          w.uint32(16)
          w.uint32(obj.most)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          first: 0,
          most: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.first = reader.uint64Number()
              break
            }
            case 2: {
              obj.most = reader.uint32()
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

  export function encode (obj: Partial<Wants>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Wants.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Wants>): Wants {
    return decodeMessage(buf, Wants.codec(), opts)
  }
}

export interface Items {
  first: number
  lengths: Uint8Array<ArrayBuffer>
  payload: Uint8Array<ArrayBuffer>
  done: boolean
}

export namespace Items {
  let _codec: Codec<Items>

  export const codec = (): Codec<Items> => {
    if (_codec == null) {
      _codec = message<Items>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.first != null && obj.first !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.first)
        }

        if ((obj.lengths != null && obj.lengths.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.lengths)
        }

        if ((obj.payload != null && obj.payload.byteLength > 0)) {
          w.uint32(26)
          w.bytes(obj.payload)
        }

        if ((obj.done != null && obj.done !== false)) {
          w.uint32(32)
          w.bool(obj.done)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          first: 0,
          lengths: uint8ArrayAlloc(0),
          payload: uint8ArrayAlloc(0),
          done: false
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.first = reader.uint64Number()
              break
            }
            case 2: {
              obj.lengths = reader.bytes()
              break
            }
            case 3: {
              obj.payload = reader.bytes()
              break
            }
            case 4: {
              obj.done = reader.bool()
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

  export function encode (obj: Partial<Items>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Items.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Items>): Items {
    return decodeMessage(buf, Items.codec(), opts)
  }
}

export interface Outputs {
  indices: Uint8Array<ArrayBuffer>
  lengths: Uint8Array<ArrayBuffer>
  payload: Uint8Array<ArrayBuffer>
}

export namespace Outputs {
  let _codec: Codec<Outputs>

  export const codec = (): Codec<Outputs> => {
    if (_codec == null) {
      _codec = message<Outputs>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.indices != null && obj.indices.byteLength > 0)) {
          w.uint32(10)
          w.bytes(obj.indices)
        }

        if ((obj.lengths != null && obj.lengths.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.lengths)
        }

        if ((obj.payload != null && obj.payload.byteLength > 0)) {
          w.uint32(26)
          w.bytes(obj.payload)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          indices: uint8ArrayAlloc(0),
          lengths: uint8ArrayAlloc(0),
          payload: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.indices = reader.bytes()
              break
            }
            case 2: {
              obj.lengths = reader.bytes()
              break
            }
            case 3: {
              obj.payload = reader.bytes()
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

  export function encode (obj: Partial<Outputs>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Outputs.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Outputs>): Outputs {
    return decodeMessage(buf, Outputs.codec(), opts)
  }
}

export interface Cancel {}

export namespace Cancel {
  let _codec: Codec<Cancel>

  export const codec = (): Codec<Cancel> => {
    if (_codec == null) {
      _codec = message<Cancel>((obj, w, opts = {}) => {
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

  export function encode (obj: Partial<Cancel>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Cancel.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Cancel>): Cancel {
    return decodeMessage(buf, Cancel.codec(), opts)
  }
}

export interface Leave {}

export namespace Leave {
  let _codec: Codec<Leave>

  export const codec = (): Codec<Leave> => {
    if (_codec == null) {
      _codec = message<Leave>((obj, w, opts = {}) => {
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

  export function encode (obj: Partial<Leave>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Leave.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Leave>): Leave {
    return decodeMessage(buf, Leave.codec(), opts)
  }
}

export interface Watch {
  seen: number
  resume: boolean
}

export namespace Watch {
  let _codec: Codec<Watch>

  export const codec = (): Codec<Watch> => {
    if (_codec == null) {
      _codec = message<Watch>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.seen != null && obj.seen !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.seen)
        }

        if ((obj.resume != null && obj.resume !== false)) {
          w.uint32(16)
          w.bool(obj.resume)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          seen: 0,
          resume: false
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.seen = reader.uint64Number()
              break
            }
            case 2: {
              obj.resume = reader.bool()
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

  export function encode (obj: Partial<Watch>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Watch.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Watch>): Watch {
    return decodeMessage(buf, Watch.codec(), opts)
  }
}

export interface Accepted {
  folded: number
  progress?: Progress
  durability?: Durability
}

export namespace Accepted {
  let _codec: Codec<Accepted>

  export const codec = (): Codec<Accepted> => {
    if (_codec == null) {
      _codec = message<Accepted>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.folded != null && obj.folded !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.folded)
        }

        if (obj.progress != null) {
          w.uint32(18)
          Progress.codec().encode(obj.progress, w)
        }

        if (obj.durability != null) {
          w.uint32(26)
          Durability.codec().encode(obj.durability, w)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          folded: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.folded = reader.uint64Number()
              break
            }
            case 2: {
              obj.progress = Progress.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.progress
              })
              break
            }
            case 3: {
              obj.durability = Durability.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.durability
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

  export function encode (obj: Partial<Accepted>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Accepted.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Accepted>): Accepted {
    return decodeMessage(buf, Accepted.codec(), opts)
  }
}

export interface Durability {
  memory: number
  disk: number
}

export namespace Durability {
  let _codec: Codec<Durability>

  export const codec = (): Codec<Durability> => {
    if (_codec == null) {
      _codec = message<Durability>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.memory != null && obj.memory !== 0)) {
          w.uint32(8)
          w.uint32(obj.memory)
        }

        if ((obj.disk != null && obj.disk !== 0)) {
          w.uint32(16)
          w.uint32(obj.disk)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          memory: 0,
          disk: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.memory = reader.uint32()
              break
            }
            case 2: {
              obj.disk = reader.uint32()
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

  export function encode (obj: Partial<Durability>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Durability.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Durability>): Durability {
    return decodeMessage(buf, Durability.codec(), opts)
  }
}

export interface Progress {
  state: string
  done: number
  total?: number
  peers: number
  retries: number
  speculated: number
  unserved: boolean
  recomputed: number
}

export namespace Progress {
  let _codec: Codec<Progress>

  export const codec = (): Codec<Progress> => {
    if (_codec == null) {
      _codec = message<Progress>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.state != null && obj.state !== '')) {
          w.uint32(10)
          w.string(obj.state)
        }

        if ((obj.done != null && obj.done !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.done)
        }

        if (obj.total != null) {
          w.uint32(24)
          w.uint64Number(obj.total)
        }

        if ((obj.peers != null && obj.peers !== 0)) {
          w.uint32(32)
          w.uint32(obj.peers)
        }

        if ((obj.retries != null && obj.retries !== 0)) {
          w.uint32(40)
          w.uint64Number(obj.retries)
        }

        if ((obj.speculated != null && obj.speculated !== 0)) {
          w.uint32(48)
          w.uint64Number(obj.speculated)
        }

        if ((obj.unserved != null && obj.unserved !== false)) {
          w.uint32(56)
          w.bool(obj.unserved)
        }

        if ((obj.recomputed != null && obj.recomputed !== 0)) {
          w.uint32(64)
          w.uint64Number(obj.recomputed)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          state: '',
          done: 0,
          peers: 0,
          retries: 0,
          speculated: 0,
          unserved: false,
          recomputed: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.state = reader.string()
              break
            }
            case 2: {
              obj.done = reader.uint64Number()
              break
            }
            case 3: {
              obj.total = reader.uint64Number()
              break
            }
            case 4: {
              obj.peers = reader.uint32()
              break
            }
            case 5: {
              obj.retries = reader.uint64Number()
              break
            }
            case 6: {
              obj.speculated = reader.uint64Number()
              break
            }
            case 7: {
              obj.unserved = reader.bool()
              break
            }
            case 8: {
              obj.recomputed = reader.uint64Number()
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

  export function encode (obj: Partial<Progress>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Progress.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Progress>): Progress {
    return decodeMessage(buf, Progress.codec(), opts)
  }
}

export interface SubmitLog {
  lines: LogLine[]
}

export namespace SubmitLog {
  let _codec: Codec<SubmitLog>

  export const codec = (): Codec<SubmitLog> => {
    if (_codec == null) {
      _codec = message<SubmitLog>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.lines != null && obj.lines.length > 0) {
          for (const value of obj.lines) {
            w.uint32(10)
            LogLine.codec().encode(value, w)
          }
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          lines: []
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.lines != null && obj.lines.length === opts.limits.lines) {
                throw new MaxLengthError('Decode error - repeated field "lines" had too many elements')
              }

              obj.lines.push(LogLine.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.lines$
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

  export function encode (obj: Partial<SubmitLog>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, SubmitLog.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<SubmitLog>): SubmitLog {
    return decodeMessage(buf, SubmitLog.codec(), opts)
  }
}

export interface Stats {
  chunks: number
  retries: number
  perPeer: PeerChunks[]
  speculated: number
  recomputed: number
}

export namespace Stats {
  let _codec: Codec<Stats>

  export const codec = (): Codec<Stats> => {
    if (_codec == null) {
      _codec = message<Stats>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.chunks != null && obj.chunks !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.chunks)
        }

        if ((obj.retries != null && obj.retries !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.retries)
        }

        if (obj.perPeer != null && obj.perPeer.length > 0) {
          for (const value of obj.perPeer) {
            w.uint32(26)
            PeerChunks.codec().encode(value, w)
          }
        }

        if ((obj.speculated != null && obj.speculated !== 0)) {
          w.uint32(32)
          w.uint64Number(obj.speculated)
        }

        if ((obj.recomputed != null && obj.recomputed !== 0)) {
          w.uint32(40)
          w.uint64Number(obj.recomputed)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          chunks: 0,
          retries: 0,
          perPeer: [],
          speculated: 0,
          recomputed: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.chunks = reader.uint64Number()
              break
            }
            case 2: {
              obj.retries = reader.uint64Number()
              break
            }
            case 3: {
              if (opts.limits?.perPeer != null && obj.perPeer.length === opts.limits.perPeer) {
                throw new MaxLengthError('Decode error - repeated field "perPeer" had too many elements')
              }

              obj.perPeer.push(PeerChunks.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.perPeer$
              }))
              break
            }
            case 4: {
              obj.speculated = reader.uint64Number()
              break
            }
            case 5: {
              obj.recomputed = reader.uint64Number()
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

  export function encode (obj: Partial<Stats>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Stats.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Stats>): Stats {
    return decodeMessage(buf, Stats.codec(), opts)
  }
}

export interface PeerChunks {
  peer: string
  chunks: number
}

export namespace PeerChunks {
  let _codec: Codec<PeerChunks>

  export const codec = (): Codec<PeerChunks> => {
    if (_codec == null) {
      _codec = message<PeerChunks>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.peer != null && obj.peer !== '')) {
          w.uint32(10)
          w.string(obj.peer)
        }

        if ((obj.chunks != null && obj.chunks !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.chunks)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          peer: '',
          chunks: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.peer = reader.string()
              break
            }
            case 2: {
              obj.chunks = reader.uint64Number()
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

  export function encode (obj: Partial<PeerChunks>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, PeerChunks.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<PeerChunks>): PeerChunks {
    return decodeMessage(buf, PeerChunks.codec(), opts)
  }
}

export interface Completed {
  result: Uint8Array<ArrayBuffer>
  stats?: Stats
}

export namespace Completed {
  let _codec: Codec<Completed>

  export const codec = (): Codec<Completed> => {
    if (_codec == null) {
      _codec = message<Completed>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.result != null && obj.result.byteLength > 0)) {
          w.uint32(10)
          w.bytes(obj.result)
        }

        if (obj.stats != null) {
          w.uint32(18)
          Stats.codec().encode(obj.stats, w)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          result: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.result = reader.bytes()
              break
            }
            case 2: {
              obj.stats = Stats.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.stats
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

  export function encode (obj: Partial<Completed>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Completed.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Completed>): Completed {
    return decodeMessage(buf, Completed.codec(), opts)
  }
}

export interface Failed {
  failure?: Failure
  stats?: Stats
}

export namespace Failed {
  let _codec: Codec<Failed>

  export const codec = (): Codec<Failed> => {
    if (_codec == null) {
      _codec = message<Failed>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.failure != null) {
          w.uint32(10)
          Failure.codec().encode(obj.failure, w)
        }

        if (obj.stats != null) {
          w.uint32(18)
          Stats.codec().encode(obj.stats, w)
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
              obj.failure = Failure.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.failure
              })
              break
            }
            case 2: {
              obj.stats = Stats.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.stats
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

  export function encode (obj: Partial<Failed>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Failed.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Failed>): Failed {
    return decodeMessage(buf, Failed.codec(), opts)
  }
}

export interface Cancelled {
  stats?: Stats
}

export namespace Cancelled {
  let _codec: Codec<Cancelled>

  export const codec = (): Codec<Cancelled> => {
    if (_codec == null) {
      _codec = message<Cancelled>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.stats != null) {
          w.uint32(10)
          Stats.codec().encode(obj.stats, w)
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
              obj.stats = Stats.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.stats
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

  export function encode (obj: Partial<Cancelled>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Cancelled.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Cancelled>): Cancelled {
    return decodeMessage(buf, Cancelled.codec(), opts)
  }
}

export interface Refused {
  reason: string
  notAdmitted: boolean
  end: string
  busy?: Busy
  noRoom: boolean
  disks?: number
  suspended: boolean
}

export namespace Refused {
  let _codec: Codec<Refused>

  export const codec = (): Codec<Refused> => {
    if (_codec == null) {
      _codec = message<Refused>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.reason != null && obj.reason !== '')) {
          w.uint32(10)
          w.string(obj.reason)
        }

        if ((obj.notAdmitted != null && obj.notAdmitted !== false)) {
          w.uint32(16)
          w.bool(obj.notAdmitted)
        }

        if ((obj.end != null && obj.end !== '')) {
          w.uint32(26)
          w.string(obj.end)
        }

        if (obj.busy != null) {
          w.uint32(34)
          Busy.codec().encode(obj.busy, w)
        }

        if ((obj.noRoom != null && obj.noRoom !== false)) {
          w.uint32(40)
          w.bool(obj.noRoom)
        }

        if (obj.disks != null) {
          w.uint32(48)
          w.uint32(obj.disks)
        }

        if ((obj.suspended != null && obj.suspended !== false)) {
          w.uint32(56)
          w.bool(obj.suspended)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          reason: '',
          notAdmitted: false,
          end: '',
          noRoom: false,
          suspended: false
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.reason = reader.string()
              break
            }
            case 2: {
              obj.notAdmitted = reader.bool()
              break
            }
            case 3: {
              obj.end = reader.string()
              break
            }
            case 4: {
              obj.busy = Busy.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.busy
              })
              break
            }
            case 5: {
              obj.noRoom = reader.bool()
              break
            }
            case 6: {
              obj.disks = reader.uint32()
              break
            }
            case 7: {
              obj.suspended = reader.bool()
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

  export function encode (obj: Partial<Refused>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Refused.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Refused>): Refused {
    return decodeMessage(buf, Refused.codec(), opts)
  }
}

export interface Busy {
  ms: number
  places: number
}

export namespace Busy {
  let _codec: Codec<Busy>

  export const codec = (): Codec<Busy> => {
    if (_codec == null) {
      _codec = message<Busy>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.ms != null && obj.ms !== 0)) {
          w.uint32(8)
          w.uint32(obj.ms)
        }

        if ((obj.places != null && obj.places !== 0)) {
          w.uint32(16)
          w.uint32(obj.places)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          ms: 0,
          places: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.ms = reader.uint32()
              break
            }
            case 2: {
              obj.places = reader.uint32()
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

  export function encode (obj: Partial<Busy>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Busy.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Busy>): Busy {
    return decodeMessage(buf, Busy.codec(), opts)
  }
}

export interface Unknown {
  end: string
}

export namespace Unknown {
  let _codec: Codec<Unknown>

  export const codec = (): Codec<Unknown> => {
    if (_codec == null) {
      _codec = message<Unknown>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.end != null && obj.end !== '')) {
          w.uint32(10)
          w.string(obj.end)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          end: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.end = reader.string()
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

  export function encode (obj: Partial<Unknown>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Unknown.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Unknown>): Unknown {
    return decodeMessage(buf, Unknown.codec(), opts)
  }
}

export interface NotLeader {
  leader: string
}

export namespace NotLeader {
  let _codec: Codec<NotLeader>

  export const codec = (): Codec<NotLeader> => {
    if (_codec == null) {
      _codec = message<NotLeader>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.leader != null && obj.leader !== '')) {
          w.uint32(10)
          w.string(obj.leader)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          leader: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.leader = reader.string()
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

  export function encode (obj: Partial<NotLeader>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, NotLeader.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<NotLeader>): NotLeader {
    return decodeMessage(buf, NotLeader.codec(), opts)
  }
}

export interface OverviewMessage {
  id: number
  request?: OverviewRequest
  overview?: Overview
  notLeader?: NotLeader
  chunkMap?: ChunkMapAnswer
  unknown?: Unknown
}

export namespace OverviewMessage {
  let _codec: Codec<OverviewMessage>

  export const codec = (): Codec<OverviewMessage> => {
    if (_codec == null) {
      _codec = message<OverviewMessage>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.id != null && obj.id !== 0)) {
          w.uint32(8)
          w.uint32(obj.id)
        }

        if (obj.request != null) {
          w.uint32(18)
          OverviewRequest.codec().encode(obj.request, w)
        }

        if (obj.overview != null) {
          w.uint32(26)
          Overview.codec().encode(obj.overview, w)
        }

        if (obj.notLeader != null) {
          w.uint32(34)
          NotLeader.codec().encode(obj.notLeader, w)
        }

        if (obj.chunkMap != null) {
          w.uint32(42)
          ChunkMapAnswer.codec().encode(obj.chunkMap, w)
        }

        if (obj.unknown != null) {
          w.uint32(50)
          Unknown.codec().encode(obj.unknown, w)
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
              obj.request = OverviewRequest.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.request
              })
              break
            }
            case 3: {
              obj.overview = Overview.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.overview
              })
              break
            }
            case 4: {
              obj.notLeader = NotLeader.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.notLeader
              })
              break
            }
            case 5: {
              obj.chunkMap = ChunkMapAnswer.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.chunkMap
              })
              break
            }
            case 6: {
              obj.unknown = Unknown.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.unknown
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

  export function encode (obj: Partial<OverviewMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, OverviewMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<OverviewMessage>): OverviewMessage {
    return decodeMessage(buf, OverviewMessage.codec(), opts)
  }
}

export interface OverviewRequest {
  chunks?: ChunkMapRequest
}

export namespace OverviewRequest {
  let _codec: Codec<OverviewRequest>

  export const codec = (): Codec<OverviewRequest> => {
    if (_codec == null) {
      _codec = message<OverviewRequest>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.chunks != null) {
          w.uint32(10)
          ChunkMapRequest.codec().encode(obj.chunks, w)
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
              obj.chunks = ChunkMapRequest.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.chunks
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

  export function encode (obj: Partial<OverviewRequest>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, OverviewRequest.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<OverviewRequest>): OverviewRequest {
    return decodeMessage(buf, OverviewRequest.codec(), opts)
  }
}

export interface ChunkMapRequest {
  job: string
  source: string
  since: number
  from: number
}

export namespace ChunkMapRequest {
  let _codec: Codec<ChunkMapRequest>

  export const codec = (): Codec<ChunkMapRequest> => {
    if (_codec == null) {
      _codec = message<ChunkMapRequest>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if ((obj.source != null && obj.source !== '')) {
          w.uint32(18)
          w.string(obj.source)
        }

        if ((obj.since != null && obj.since !== 0)) {
          w.uint32(24)
          w.uint64Number(obj.since)
        }

        if ((obj.from != null && obj.from !== 0)) {
          w.uint32(32)
          w.uint64Number(obj.from)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          source: '',
          since: 0,
          from: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.source = reader.string()
              break
            }
            case 3: {
              obj.since = reader.uint64Number()
              break
            }
            case 4: {
              obj.from = reader.uint64Number()
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

  export function encode (obj: Partial<ChunkMapRequest>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ChunkMapRequest.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ChunkMapRequest>): ChunkMapRequest {
    return decodeMessage(buf, ChunkMapRequest.codec(), opts)
  }
}

export interface ChunkMapAnswer {
  source: string
  version: number
  state: string
  whole: boolean
  first: number
  end: number
  peers: string[]
  runs: Uint8Array<ArrayBuffer>
  next?: number
}

export namespace ChunkMapAnswer {
  let _codec: Codec<ChunkMapAnswer>

  export const codec = (): Codec<ChunkMapAnswer> => {
    if (_codec == null) {
      _codec = message<ChunkMapAnswer>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.source != null && obj.source !== '')) {
          w.uint32(10)
          w.string(obj.source)
        }

        if ((obj.version != null && obj.version !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.version)
        }

        if ((obj.state != null && obj.state !== '')) {
          w.uint32(26)
          w.string(obj.state)
        }

        if ((obj.whole != null && obj.whole !== false)) {
          w.uint32(32)
          w.bool(obj.whole)
        }

        if ((obj.first != null && obj.first !== 0)) {
          w.uint32(40)
          w.uint64Number(obj.first)
        }

        if ((obj.end != null && obj.end !== 0)) {
          w.uint32(48)
          w.uint64Number(obj.end)
        }

        if (obj.peers != null && obj.peers.length > 0) {
          for (const value of obj.peers) {
            w.uint32(58)
            w.string(value)
          }
        }

        if ((obj.runs != null && obj.runs.byteLength > 0)) {
          w.uint32(66)
          w.bytes(obj.runs)
        }

        if (obj.next != null) {
          w.uint32(72)
          w.uint64Number(obj.next)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          source: '',
          version: 0,
          state: '',
          whole: false,
          first: 0,
          end: 0,
          peers: [],
          runs: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.source = reader.string()
              break
            }
            case 2: {
              obj.version = reader.uint64Number()
              break
            }
            case 3: {
              obj.state = reader.string()
              break
            }
            case 4: {
              obj.whole = reader.bool()
              break
            }
            case 5: {
              obj.first = reader.uint64Number()
              break
            }
            case 6: {
              obj.end = reader.uint64Number()
              break
            }
            case 7: {
              if (opts.limits?.peers != null && obj.peers.length === opts.limits.peers) {
                throw new MaxLengthError('Decode error - repeated field "peers" had too many elements')
              }

              obj.peers.push(reader.string())
              break
            }
            case 8: {
              obj.runs = reader.bytes()
              break
            }
            case 9: {
              obj.next = reader.uint64Number()
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

  export function encode (obj: Partial<ChunkMapAnswer>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ChunkMapAnswer.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ChunkMapAnswer>): ChunkMapAnswer {
    return decodeMessage(buf, ChunkMapAnswer.codec(), opts)
  }
}

export interface Overview {
  jobs: Summary[]
  busy: PeerChunks[]
}

export namespace Overview {
  let _codec: Codec<Overview>

  export const codec = (): Codec<Overview> => {
    if (_codec == null) {
      _codec = message<Overview>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.jobs != null && obj.jobs.length > 0) {
          for (const value of obj.jobs) {
            w.uint32(10)
            Summary.codec().encode(value, w)
          }
        }

        if (obj.busy != null && obj.busy.length > 0) {
          for (const value of obj.busy) {
            w.uint32(18)
            PeerChunks.codec().encode(value, w)
          }
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          jobs: [],
          busy: []
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.jobs != null && obj.jobs.length === opts.limits.jobs) {
                throw new MaxLengthError('Decode error - repeated field "jobs" had too many elements')
              }

              obj.jobs.push(Summary.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.jobs$
              }))
              break
            }
            case 2: {
              if (opts.limits?.busy != null && obj.busy.length === opts.limits.busy) {
                throw new MaxLengthError('Decode error - repeated field "busy" had too many elements')
              }

              obj.busy.push(PeerChunks.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.busy$
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

  export function encode (obj: Partial<Overview>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Overview.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Overview>): Overview {
    return decodeMessage(buf, Overview.codec(), opts)
  }
}

export interface Summary {
  job: string
  task: string
  state: string
  done: number
  total?: number
  unserved: boolean
  age?: number
  durable: number
  durability?: Durability
}

export namespace Summary {
  let _codec: Codec<Summary>

  export const codec = (): Codec<Summary> => {
    if (_codec == null) {
      _codec = message<Summary>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if ((obj.task != null && obj.task !== '')) {
          w.uint32(18)
          w.string(obj.task)
        }

        if ((obj.state != null && obj.state !== '')) {
          w.uint32(26)
          w.string(obj.state)
        }

        if ((obj.done != null && obj.done !== 0)) {
          w.uint32(32)
          w.uint64Number(obj.done)
        }

        if (obj.total != null) {
          w.uint32(40)
          w.uint64Number(obj.total)
        }

        if ((obj.unserved != null && obj.unserved !== false)) {
          w.uint32(48)
          w.bool(obj.unserved)
        }

        if (obj.age != null) {
          w.uint32(56)
          w.uint64Number(obj.age)
        }

        if ((obj.durable != null && obj.durable !== 0)) {
          w.uint32(64)
          w.uint32(obj.durable)
        }

        if (obj.durability != null) {
          w.uint32(74)
          Durability.codec().encode(obj.durability, w)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          task: '',
          state: '',
          done: 0,
          unserved: false,
          durable: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.task = reader.string()
              break
            }
            case 3: {
              obj.state = reader.string()
              break
            }
            case 4: {
              obj.done = reader.uint64Number()
              break
            }
            case 5: {
              obj.total = reader.uint64Number()
              break
            }
            case 6: {
              obj.unserved = reader.bool()
              break
            }
            case 7: {
              obj.age = reader.uint64Number()
              break
            }
            case 8: {
              obj.durable = reader.uint32()
              break
            }
            case 9: {
              obj.durability = Durability.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.durability
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

  export function encode (obj: Partial<Summary>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Summary.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Summary>): Summary {
    return decodeMessage(buf, Summary.codec(), opts)
  }
}

export interface JournalMessage {
  epoch: number
  read?: JournalRead
  heads?: JournalHeads
  fetch?: JournalFetch
  fetched?: JournalFetched
  put?: JournalPut
  held?: JournalHeld
  forget?: JournalForget
  refused?: JournalRefused
  update?: JournalUpdate
  copy?: JournalPut
  holders?: JournalHolders
  noted?: JournalNoted
  whole?: JournalWhole
}

export namespace JournalMessage {
  let _codec: Codec<JournalMessage>

  export const codec = (): Codec<JournalMessage> => {
    if (_codec == null) {
      _codec = message<JournalMessage>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.epoch != null && obj.epoch !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.epoch)
        }

        if (obj.read != null) {
          w.uint32(18)
          JournalRead.codec().encode(obj.read, w)
        }

        if (obj.heads != null) {
          w.uint32(26)
          JournalHeads.codec().encode(obj.heads, w)
        }

        if (obj.fetch != null) {
          w.uint32(34)
          JournalFetch.codec().encode(obj.fetch, w)
        }

        if (obj.fetched != null) {
          w.uint32(42)
          JournalFetched.codec().encode(obj.fetched, w)
        }

        if (obj.put != null) {
          w.uint32(50)
          JournalPut.codec().encode(obj.put, w)
        }

        if (obj.held != null) {
          w.uint32(58)
          JournalHeld.codec().encode(obj.held, w)
        }

        if (obj.forget != null) {
          w.uint32(66)
          JournalForget.codec().encode(obj.forget, w)
        }

        if (obj.refused != null) {
          w.uint32(74)
          JournalRefused.codec().encode(obj.refused, w)
        }

        if (obj.update != null) {
          w.uint32(82)
          JournalUpdate.codec().encode(obj.update, w)
        }

        if (obj.copy != null) {
          w.uint32(90)
          JournalPut.codec().encode(obj.copy, w)
        }

        if (obj.holders != null) {
          w.uint32(98)
          JournalHolders.codec().encode(obj.holders, w)
        }

        if (obj.noted != null) {
          w.uint32(106)
          JournalNoted.codec().encode(obj.noted, w)
        }

        if (obj.whole != null) {
          w.uint32(114)
          JournalWhole.codec().encode(obj.whole, w)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          epoch: 0
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
              obj.read = JournalRead.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.read
              })
              break
            }
            case 3: {
              obj.heads = JournalHeads.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.heads
              })
              break
            }
            case 4: {
              obj.fetch = JournalFetch.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.fetch
              })
              break
            }
            case 5: {
              obj.fetched = JournalFetched.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.fetched
              })
              break
            }
            case 6: {
              obj.put = JournalPut.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.put
              })
              break
            }
            case 7: {
              obj.held = JournalHeld.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.held
              })
              break
            }
            case 8: {
              obj.forget = JournalForget.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.forget
              })
              break
            }
            case 9: {
              obj.refused = JournalRefused.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.refused
              })
              break
            }
            case 10: {
              obj.update = JournalUpdate.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.update
              })
              break
            }
            case 11: {
              obj.copy = JournalPut.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.copy
              })
              break
            }
            case 12: {
              obj.holders = JournalHolders.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.holders
              })
              break
            }
            case 13: {
              obj.noted = JournalNoted.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.noted
              })
              break
            }
            case 14: {
              obj.whole = JournalWhole.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.whole
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

  export function encode (obj: Partial<JournalMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalMessage>): JournalMessage {
    return decodeMessage(buf, JournalMessage.codec(), opts)
  }
}

export interface JournalStamp {
  epoch: number
  leader: string
  priority: number
  version: number
}

export namespace JournalStamp {
  let _codec: Codec<JournalStamp>

  export const codec = (): Codec<JournalStamp> => {
    if (_codec == null) {
      _codec = message<JournalStamp>((obj, w, opts = {}) => {
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

        if ((obj.version != null && obj.version !== 0)) {
          w.uint32(32)
          w.uint64Number(obj.version)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          epoch: 0,
          leader: '',
          priority: 0,
          version: 0
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
              obj.version = reader.uint64Number()
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

  export function encode (obj: Partial<JournalStamp>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalStamp.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalStamp>): JournalStamp {
    return decodeMessage(buf, JournalStamp.codec(), opts)
  }
}

export interface JournalHead {
  job: string
  stamp?: JournalStamp
  submissionId: string
  end: string
  hasOutcome: boolean
  next: number
  durable: number
  isSuspended: boolean
}

export namespace JournalHead {
  let _codec: Codec<JournalHead>

  export const codec = (): Codec<JournalHead> => {
    if (_codec == null) {
      _codec = message<JournalHead>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if (obj.stamp != null) {
          w.uint32(18)
          JournalStamp.codec().encode(obj.stamp, w)
        }

        if ((obj.submissionId != null && obj.submissionId !== '')) {
          w.uint32(26)
          w.string(obj.submissionId)
        }

        if ((obj.end != null && obj.end !== '')) {
          w.uint32(34)
          w.string(obj.end)
        }

        if ((obj.hasOutcome != null && obj.hasOutcome !== false)) {
          w.uint32(40)
          w.bool(obj.hasOutcome)
        }

        if ((obj.next != null && obj.next !== 0)) {
          w.uint32(48)
          w.uint64Number(obj.next)
        }

        if ((obj.durable != null && obj.durable !== 0)) {
          w.uint32(56)
          w.uint32(obj.durable)
        }

        if ((obj.isSuspended != null && obj.isSuspended !== false)) {
          w.uint32(64)
          w.bool(obj.isSuspended)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          submissionId: '',
          end: '',
          hasOutcome: false,
          next: 0,
          durable: 0,
          isSuspended: false
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.stamp = JournalStamp.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.stamp
              })
              break
            }
            case 3: {
              obj.submissionId = reader.string()
              break
            }
            case 4: {
              obj.end = reader.string()
              break
            }
            case 5: {
              obj.hasOutcome = reader.bool()
              break
            }
            case 6: {
              obj.next = reader.uint64Number()
              break
            }
            case 7: {
              obj.durable = reader.uint32()
              break
            }
            case 8: {
              obj.isSuspended = reader.bool()
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

  export function encode (obj: Partial<JournalHead>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalHead.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalHead>): JournalHead {
    return decodeMessage(buf, JournalHead.codec(), opts)
  }
}

export interface JournalEntry {
  head?: JournalHead
  task: string
  sha256: Uint8Array<ArrayBuffer>
  inputSha256: Uint8Array<ArrayBuffer>
  slots: number
  submission?: Submit
  completed?: Completed
  failed?: Failed
  cancelled?: Cancelled
  keep?: number
  checkpoint?: JournalCheckpoint
  leaders: JournalLeader[]
  lock?: JournalLock
  schedule?: JournalSchedule
  removedSchedule?: JournalRemovedSchedule
  mark?: JournalScheduleMark
}

export namespace JournalEntry {
  let _codec: Codec<JournalEntry>

  export const codec = (): Codec<JournalEntry> => {
    if (_codec == null) {
      _codec = message<JournalEntry>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.head != null) {
          w.uint32(10)
          JournalHead.codec().encode(obj.head, w)
        }

        if ((obj.task != null && obj.task !== '')) {
          w.uint32(18)
          w.string(obj.task)
        }

        if ((obj.sha256 != null && obj.sha256.byteLength > 0)) {
          w.uint32(26)
          w.bytes(obj.sha256)
        }

        if ((obj.inputSha256 != null && obj.inputSha256.byteLength > 0)) {
          w.uint32(34)
          w.bytes(obj.inputSha256)
        }

        if ((obj.slots != null && obj.slots !== 0)) {
          w.uint32(40)
          w.uint32(obj.slots)
        }

        if (obj.submission != null) {
          w.uint32(50)
          Submit.codec().encode(obj.submission, w)
        }

        if (obj.completed != null) {
          w.uint32(58)
          Completed.codec().encode(obj.completed, w)
        }

        if (obj.failed != null) {
          w.uint32(66)
          Failed.codec().encode(obj.failed, w)
        }

        if (obj.cancelled != null) {
          w.uint32(74)
          Cancelled.codec().encode(obj.cancelled, w)
        }

        if (obj.keep != null) {
          w.uint32(88)
          w.uint32(obj.keep)
        }

        if (obj.checkpoint != null) {
          w.uint32(82)
          JournalCheckpoint.codec().encode(obj.checkpoint, w)
        }

        if (obj.leaders != null && obj.leaders.length > 0) {
          for (const value of obj.leaders) {
            w.uint32(98)
            JournalLeader.codec().encode(value, w)
          }
        }

        if (obj.lock != null) {
          w.uint32(106)
          JournalLock.codec().encode(obj.lock, w)
        }

        if (obj.schedule != null) {
          w.uint32(114)
          JournalSchedule.codec().encode(obj.schedule, w)
        }

        if (obj.removedSchedule != null) {
          w.uint32(122)
          JournalRemovedSchedule.codec().encode(obj.removedSchedule, w)
        }

        if (obj.mark != null) {
          w.uint32(130)
          JournalScheduleMark.codec().encode(obj.mark, w)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          task: '',
          sha256: uint8ArrayAlloc(0),
          inputSha256: uint8ArrayAlloc(0),
          slots: 0,
          leaders: []
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.head = JournalHead.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.head
              })
              break
            }
            case 2: {
              obj.task = reader.string()
              break
            }
            case 3: {
              obj.sha256 = reader.bytes()
              break
            }
            case 4: {
              obj.inputSha256 = reader.bytes()
              break
            }
            case 5: {
              obj.slots = reader.uint32()
              break
            }
            case 6: {
              obj.submission = Submit.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.submission
              })
              break
            }
            case 7: {
              obj.completed = Completed.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.completed
              })
              break
            }
            case 8: {
              obj.failed = Failed.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.failed
              })
              break
            }
            case 9: {
              obj.cancelled = Cancelled.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.cancelled
              })
              break
            }
            case 11: {
              obj.keep = reader.uint32()
              break
            }
            case 10: {
              obj.checkpoint = JournalCheckpoint.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.checkpoint
              })
              break
            }
            case 12: {
              if (opts.limits?.leaders != null && obj.leaders.length === opts.limits.leaders) {
                throw new MaxLengthError('Decode error - repeated field "leaders" had too many elements')
              }

              obj.leaders.push(JournalLeader.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.leaders$
              }))
              break
            }
            case 13: {
              obj.lock = JournalLock.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.lock
              })
              break
            }
            case 14: {
              obj.schedule = JournalSchedule.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.schedule
              })
              break
            }
            case 15: {
              obj.removedSchedule = JournalRemovedSchedule.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.removedSchedule
              })
              break
            }
            case 16: {
              obj.mark = JournalScheduleMark.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.mark
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

  export function encode (obj: Partial<JournalEntry>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalEntry.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalEntry>): JournalEntry {
    return decodeMessage(buf, JournalEntry.codec(), opts)
  }
}

export interface JournalSchedule {
  terms?: ScheduleTerms
  addedAt: number
}

export namespace JournalSchedule {
  let _codec: Codec<JournalSchedule>

  export const codec = (): Codec<JournalSchedule> => {
    if (_codec == null) {
      _codec = message<JournalSchedule>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.terms != null) {
          w.uint32(10)
          ScheduleTerms.codec().encode(obj.terms, w)
        }

        if ((obj.addedAt != null && obj.addedAt !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.addedAt)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          addedAt: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.terms = ScheduleTerms.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.terms
              })
              break
            }
            case 2: {
              obj.addedAt = reader.uint64Number()
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

  export function encode (obj: Partial<JournalSchedule>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalSchedule.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalSchedule>): JournalSchedule {
    return decodeMessage(buf, JournalSchedule.codec(), opts)
  }
}

export interface ScheduleTerms {
  id: string
  cron?: string
  timeZone: string
  at?: number
  missed: string
  overlap: string
  catchUp: number
  jitter: number
}

export namespace ScheduleTerms {
  let _codec: Codec<ScheduleTerms>

  export const codec = (): Codec<ScheduleTerms> => {
    if (_codec == null) {
      _codec = message<ScheduleTerms>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.id != null && obj.id !== '')) {
          w.uint32(10)
          w.string(obj.id)
        }

        if (obj.cron != null) {
          w.uint32(18)
          w.string(obj.cron)
        }

        if ((obj.timeZone != null && obj.timeZone !== '')) {
          w.uint32(26)
          w.string(obj.timeZone)
        }

        if (obj.at != null) {
          w.uint32(32)
          w.uint64Number(obj.at)
        }

        if ((obj.missed != null && obj.missed !== '')) {
          w.uint32(42)
          w.string(obj.missed)
        }

        if ((obj.overlap != null && obj.overlap !== '')) {
          w.uint32(50)
          w.string(obj.overlap)
        }

        if ((obj.catchUp != null && obj.catchUp !== 0)) {
          w.uint32(56)
          w.uint32(obj.catchUp)
        }

        if ((obj.jitter != null && obj.jitter !== 0)) {
          w.uint32(64)
          w.uint32(obj.jitter)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          id: '',
          timeZone: '',
          missed: '',
          overlap: '',
          catchUp: 0,
          jitter: 0
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
              obj.cron = reader.string()
              break
            }
            case 3: {
              obj.timeZone = reader.string()
              break
            }
            case 4: {
              obj.at = reader.uint64Number()
              break
            }
            case 5: {
              obj.missed = reader.string()
              break
            }
            case 6: {
              obj.overlap = reader.string()
              break
            }
            case 7: {
              obj.catchUp = reader.uint32()
              break
            }
            case 8: {
              obj.jitter = reader.uint32()
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

  export function encode (obj: Partial<ScheduleTerms>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleTerms.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleTerms>): ScheduleTerms {
    return decodeMessage(buf, ScheduleTerms.codec(), opts)
  }
}

export interface JournalRemovedSchedule {
  id: string
  removedAt: number
}

export namespace JournalRemovedSchedule {
  let _codec: Codec<JournalRemovedSchedule>

  export const codec = (): Codec<JournalRemovedSchedule> => {
    if (_codec == null) {
      _codec = message<JournalRemovedSchedule>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.id != null && obj.id !== '')) {
          w.uint32(10)
          w.string(obj.id)
        }

        if ((obj.removedAt != null && obj.removedAt !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.removedAt)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          id: '',
          removedAt: 0
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
              obj.removedAt = reader.uint64Number()
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

  export function encode (obj: Partial<JournalRemovedSchedule>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalRemovedSchedule.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalRemovedSchedule>): JournalRemovedSchedule {
    return decodeMessage(buf, JournalRemovedSchedule.codec(), opts)
  }
}

export interface JournalScheduleMark {
  id: string
  firedThrough: number
  isPaused: boolean
  skipped: number
  last?: ScheduleRun
}

export namespace JournalScheduleMark {
  let _codec: Codec<JournalScheduleMark>

  export const codec = (): Codec<JournalScheduleMark> => {
    if (_codec == null) {
      _codec = message<JournalScheduleMark>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.id != null && obj.id !== '')) {
          w.uint32(10)
          w.string(obj.id)
        }

        if ((obj.firedThrough != null && obj.firedThrough !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.firedThrough)
        }

        if ((obj.isPaused != null && obj.isPaused !== false)) {
          w.uint32(24)
          w.bool(obj.isPaused)
        }

        if ((obj.skipped != null && obj.skipped !== 0)) {
          w.uint32(32)
          w.uint64Number(obj.skipped)
        }

        if (obj.last != null) {
          w.uint32(42)
          ScheduleRun.codec().encode(obj.last, w)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          id: '',
          firedThrough: 0,
          isPaused: false,
          skipped: 0
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
              obj.firedThrough = reader.uint64Number()
              break
            }
            case 3: {
              obj.isPaused = reader.bool()
              break
            }
            case 4: {
              obj.skipped = reader.uint64Number()
              break
            }
            case 5: {
              obj.last = ScheduleRun.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.last
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

  export function encode (obj: Partial<JournalScheduleMark>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalScheduleMark.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalScheduleMark>): JournalScheduleMark {
    return decodeMessage(buf, JournalScheduleMark.codec(), opts)
  }
}

export interface ScheduleRun {
  job: string
  due: number
  state: string
}

export namespace ScheduleRun {
  let _codec: Codec<ScheduleRun>

  export const codec = (): Codec<ScheduleRun> => {
    if (_codec == null) {
      _codec = message<ScheduleRun>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if ((obj.due != null && obj.due !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.due)
        }

        if ((obj.state != null && obj.state !== '')) {
          w.uint32(26)
          w.string(obj.state)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          due: 0,
          state: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.due = reader.uint64Number()
              break
            }
            case 3: {
              obj.state = reader.string()
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

  export function encode (obj: Partial<ScheduleRun>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleRun.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleRun>): ScheduleRun {
    return decodeMessage(buf, ScheduleRun.codec(), opts)
  }
}

export interface JournalLock {
  limit: number
  token: number
  holders: JournalLockHolder[]
}

export namespace JournalLock {
  let _codec: Codec<JournalLock>

  export const codec = (): Codec<JournalLock> => {
    if (_codec == null) {
      _codec = message<JournalLock>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.limit != null && obj.limit !== 0)) {
          w.uint32(8)
          w.uint32(obj.limit)
        }

        if ((obj.token != null && obj.token !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.token)
        }

        if (obj.holders != null && obj.holders.length > 0) {
          for (const value of obj.holders) {
            w.uint32(26)
            JournalLockHolder.codec().encode(value, w)
          }
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          limit: 0,
          token: 0,
          holders: []
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.limit = reader.uint32()
              break
            }
            case 2: {
              obj.token = reader.uint64Number()
              break
            }
            case 3: {
              if (opts.limits?.holders != null && obj.holders.length === opts.limits.holders) {
                throw new MaxLengthError('Decode error - repeated field "holders" had too many elements')
              }

              obj.holders.push(JournalLockHolder.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.holders$
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

  export function encode (obj: Partial<JournalLock>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalLock.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalLock>): JournalLock {
    return decodeMessage(buf, JournalLock.codec(), opts)
  }
}

export interface JournalLockHolder {
  session: string
  client: string
  owner: string
  token: number
  ttl: number
  since: number
}

export namespace JournalLockHolder {
  let _codec: Codec<JournalLockHolder>

  export const codec = (): Codec<JournalLockHolder> => {
    if (_codec == null) {
      _codec = message<JournalLockHolder>((obj, w, opts = {}) => {
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

        if ((obj.token != null && obj.token !== 0)) {
          w.uint32(32)
          w.uint64Number(obj.token)
        }

        if ((obj.ttl != null && obj.ttl !== 0)) {
          w.uint32(40)
          w.uint32(obj.ttl)
        }

        if ((obj.since != null && obj.since !== 0)) {
          w.uint32(48)
          w.uint64Number(obj.since)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          session: '',
          client: '',
          owner: '',
          token: 0,
          ttl: 0,
          since: 0
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
              obj.token = reader.uint64Number()
              break
            }
            case 5: {
              obj.ttl = reader.uint32()
              break
            }
            case 6: {
              obj.since = reader.uint64Number()
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

  export function encode (obj: Partial<JournalLockHolder>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalLockHolder.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalLockHolder>): JournalLockHolder {
    return decodeMessage(buf, JournalLockHolder.codec(), opts)
  }
}

export interface JournalLeader {
  leader: string
  epoch: number
}

export namespace JournalLeader {
  let _codec: Codec<JournalLeader>

  export const codec = (): Codec<JournalLeader> => {
    if (_codec == null) {
      _codec = message<JournalLeader>((obj, w, opts = {}) => {
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

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          leader: '',
          epoch: 0
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

  export function encode (obj: Partial<JournalLeader>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalLeader.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalLeader>): JournalLeader {
    return decodeMessage(buf, JournalLeader.codec(), opts)
  }
}

export interface JournalCheckpoint {
  next: number
  digest: Uint8Array<ArrayBuffer>
  perPeer: PeerChunks[]
  accumulator?: Uint8Array<ArrayBuffer>
  partials: JournalPartials[]
}

export namespace JournalCheckpoint {
  let _codec: Codec<JournalCheckpoint>

  export const codec = (): Codec<JournalCheckpoint> => {
    if (_codec == null) {
      _codec = message<JournalCheckpoint>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.next != null && obj.next !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.next)
        }

        if ((obj.digest != null && obj.digest.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.digest)
        }

        if (obj.perPeer != null && obj.perPeer.length > 0) {
          for (const value of obj.perPeer) {
            w.uint32(26)
            PeerChunks.codec().encode(value, w)
          }
        }

        if (obj.accumulator != null) {
          w.uint32(34)
          w.bytes(obj.accumulator)
        }

        if (obj.partials != null && obj.partials.length > 0) {
          for (const value of obj.partials) {
            w.uint32(42)
            JournalPartials.codec().encode(value, w)
          }
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          next: 0,
          digest: uint8ArrayAlloc(0),
          perPeer: [],
          partials: []
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.next = reader.uint64Number()
              break
            }
            case 2: {
              obj.digest = reader.bytes()
              break
            }
            case 3: {
              if (opts.limits?.perPeer != null && obj.perPeer.length === opts.limits.perPeer) {
                throw new MaxLengthError('Decode error - repeated field "perPeer" had too many elements')
              }

              obj.perPeer.push(PeerChunks.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.perPeer$
              }))
              break
            }
            case 4: {
              obj.accumulator = reader.bytes()
              break
            }
            case 5: {
              if (opts.limits?.partials != null && obj.partials.length === opts.limits.partials) {
                throw new MaxLengthError('Decode error - repeated field "partials" had too many elements')
              }

              obj.partials.push(JournalPartials.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.partials$
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

  export function encode (obj: Partial<JournalCheckpoint>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalCheckpoint.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalCheckpoint>): JournalCheckpoint {
    return decodeMessage(buf, JournalCheckpoint.codec(), opts)
  }
}

export interface JournalPartials {
  first: number
  lengths: Uint8Array<ArrayBuffer>
  payload: Uint8Array<ArrayBuffer>
}

export namespace JournalPartials {
  let _codec: Codec<JournalPartials>

  export const codec = (): Codec<JournalPartials> => {
    if (_codec == null) {
      _codec = message<JournalPartials>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.first != null && obj.first !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.first)
        }

        if ((obj.lengths != null && obj.lengths.byteLength > 0)) {
          w.uint32(18)
          w.bytes(obj.lengths)
        }

        if ((obj.payload != null && obj.payload.byteLength > 0)) {
          w.uint32(26)
          w.bytes(obj.payload)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          first: 0,
          lengths: uint8ArrayAlloc(0),
          payload: uint8ArrayAlloc(0)
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.first = reader.uint64Number()
              break
            }
            case 2: {
              obj.lengths = reader.bytes()
              break
            }
            case 3: {
              obj.payload = reader.bytes()
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

  export function encode (obj: Partial<JournalPartials>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalPartials.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalPartials>): JournalPartials {
    return decodeMessage(buf, JournalPartials.codec(), opts)
  }
}

export interface JournalUpdate {
  head?: JournalHead
  checkpoint?: JournalCheckpoint
}

export namespace JournalUpdate {
  let _codec: Codec<JournalUpdate>

  export const codec = (): Codec<JournalUpdate> => {
    if (_codec == null) {
      _codec = message<JournalUpdate>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.head != null) {
          w.uint32(10)
          JournalHead.codec().encode(obj.head, w)
        }

        if (obj.checkpoint != null) {
          w.uint32(18)
          JournalCheckpoint.codec().encode(obj.checkpoint, w)
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
              obj.head = JournalHead.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.head
              })
              break
            }
            case 2: {
              obj.checkpoint = JournalCheckpoint.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.checkpoint
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

  export function encode (obj: Partial<JournalUpdate>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalUpdate.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalUpdate>): JournalUpdate {
    return decodeMessage(buf, JournalUpdate.codec(), opts)
  }
}

export interface JournalRead {
  priority: number
}

export namespace JournalRead {
  let _codec: Codec<JournalRead>

  export const codec = (): Codec<JournalRead> => {
    if (_codec == null) {
      _codec = message<JournalRead>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.priority != null && obj.priority !== 0)) {
          w.uint32(8)
          w.sint32(obj.priority)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          priority: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
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

  export function encode (obj: Partial<JournalRead>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalRead.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalRead>): JournalRead {
    return decodeMessage(buf, JournalRead.codec(), opts)
  }
}

export interface JournalHeads {
  heads: JournalHead[]
  age: number
  holders?: JournalHolders
  incomplete?: boolean
  onDisk: boolean
}

export namespace JournalHeads {
  let _codec: Codec<JournalHeads>

  export const codec = (): Codec<JournalHeads> => {
    if (_codec == null) {
      _codec = message<JournalHeads>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.heads != null && obj.heads.length > 0) {
          for (const value of obj.heads) {
            w.uint32(10)
            JournalHead.codec().encode(value, w)
          }
        }

        if ((obj.age != null && obj.age !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.age)
        }

        if (obj.holders != null) {
          w.uint32(26)
          JournalHolders.codec().encode(obj.holders, w)
        }

        if (obj.incomplete != null) {
          w.uint32(32)
          w.bool(obj.incomplete)
        }

        if ((obj.onDisk != null && obj.onDisk !== false)) {
          w.uint32(40)
          w.bool(obj.onDisk)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          heads: [],
          age: 0,
          onDisk: false
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.heads != null && obj.heads.length === opts.limits.heads) {
                throw new MaxLengthError('Decode error - repeated field "heads" had too many elements')
              }

              obj.heads.push(JournalHead.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.heads$
              }))
              break
            }
            case 2: {
              obj.age = reader.uint64Number()
              break
            }
            case 3: {
              obj.holders = JournalHolders.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.holders
              })
              break
            }
            case 4: {
              obj.incomplete = reader.bool()
              break
            }
            case 5: {
              obj.onDisk = reader.bool()
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

  export function encode (obj: Partial<JournalHeads>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalHeads.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalHeads>): JournalHeads {
    return decodeMessage(buf, JournalHeads.codec(), opts)
  }
}

export interface JournalWhole {}

export namespace JournalWhole {
  let _codec: Codec<JournalWhole>

  export const codec = (): Codec<JournalWhole> => {
    if (_codec == null) {
      _codec = message<JournalWhole>((obj, w, opts = {}) => {
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

  export function encode (obj: Partial<JournalWhole>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalWhole.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalWhole>): JournalWhole {
    return decodeMessage(buf, JournalWhole.codec(), opts)
  }
}

export interface JournalHolders {
  stamp?: JournalStamp
  holders: string[]
  inMemory: string[]
  behind: string[]
  floor?: JournalStamp
  outdated: string[]
}

export namespace JournalHolders {
  let _codec: Codec<JournalHolders>

  export const codec = (): Codec<JournalHolders> => {
    if (_codec == null) {
      _codec = message<JournalHolders>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.stamp != null) {
          w.uint32(10)
          JournalStamp.codec().encode(obj.stamp, w)
        }

        if (obj.holders != null && obj.holders.length > 0) {
          for (const value of obj.holders) {
            w.uint32(18)
            w.string(value)
          }
        }

        if (obj.inMemory != null && obj.inMemory.length > 0) {
          for (const value of obj.inMemory) {
            w.uint32(26)
            w.string(value)
          }
        }

        if (obj.behind != null && obj.behind.length > 0) {
          for (const value of obj.behind) {
            w.uint32(34)
            w.string(value)
          }
        }

        if (obj.floor != null) {
          w.uint32(42)
          JournalStamp.codec().encode(obj.floor, w)
        }

        if (obj.outdated != null && obj.outdated.length > 0) {
          for (const value of obj.outdated) {
            w.uint32(50)
            w.string(value)
          }
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          holders: [],
          inMemory: [],
          behind: [],
          outdated: []
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.stamp = JournalStamp.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.stamp
              })
              break
            }
            case 2: {
              if (opts.limits?.holders != null && obj.holders.length === opts.limits.holders) {
                throw new MaxLengthError('Decode error - repeated field "holders" had too many elements')
              }

              obj.holders.push(reader.string())
              break
            }
            case 3: {
              if (opts.limits?.inMemory != null && obj.inMemory.length === opts.limits.inMemory) {
                throw new MaxLengthError('Decode error - repeated field "inMemory" had too many elements')
              }

              obj.inMemory.push(reader.string())
              break
            }
            case 4: {
              if (opts.limits?.behind != null && obj.behind.length === opts.limits.behind) {
                throw new MaxLengthError('Decode error - repeated field "behind" had too many elements')
              }

              obj.behind.push(reader.string())
              break
            }
            case 5: {
              obj.floor = JournalStamp.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.floor
              })
              break
            }
            case 6: {
              if (opts.limits?.outdated != null && obj.outdated.length === opts.limits.outdated) {
                throw new MaxLengthError('Decode error - repeated field "outdated" had too many elements')
              }

              obj.outdated.push(reader.string())
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

  export function encode (obj: Partial<JournalHolders>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalHolders.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalHolders>): JournalHolders {
    return decodeMessage(buf, JournalHolders.codec(), opts)
  }
}

export interface JournalNoted {
  version: number
}

export namespace JournalNoted {
  let _codec: Codec<JournalNoted>

  export const codec = (): Codec<JournalNoted> => {
    if (_codec == null) {
      _codec = message<JournalNoted>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.version != null && obj.version !== 0)) {
          w.uint32(8)
          w.uint64Number(obj.version)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          version: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.version = reader.uint64Number()
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

  export function encode (obj: Partial<JournalNoted>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalNoted.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalNoted>): JournalNoted {
    return decodeMessage(buf, JournalNoted.codec(), opts)
  }
}

export interface JournalFetch {
  job: string
}

export namespace JournalFetch {
  let _codec: Codec<JournalFetch>

  export const codec = (): Codec<JournalFetch> => {
    if (_codec == null) {
      _codec = message<JournalFetch>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
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

  export function encode (obj: Partial<JournalFetch>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalFetch.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalFetch>): JournalFetch {
    return decodeMessage(buf, JournalFetch.codec(), opts)
  }
}

export interface JournalFetched {
  job: string
  entry?: JournalEntry
}

export namespace JournalFetched {
  let _codec: Codec<JournalFetched>

  export const codec = (): Codec<JournalFetched> => {
    if (_codec == null) {
      _codec = message<JournalFetched>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if (obj.entry != null) {
          w.uint32(18)
          JournalEntry.codec().encode(obj.entry, w)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.entry = JournalEntry.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.entry
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

  export function encode (obj: Partial<JournalFetched>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalFetched.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalFetched>): JournalFetched {
    return decodeMessage(buf, JournalFetched.codec(), opts)
  }
}

export interface JournalPut {
  entries: JournalEntry[]
}

export namespace JournalPut {
  let _codec: Codec<JournalPut>

  export const codec = (): Codec<JournalPut> => {
    if (_codec == null) {
      _codec = message<JournalPut>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.entries != null && obj.entries.length > 0) {
          for (const value of obj.entries) {
            w.uint32(10)
            JournalEntry.codec().encode(value, w)
          }
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          entries: []
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.entries != null && obj.entries.length === opts.limits.entries) {
                throw new MaxLengthError('Decode error - repeated field "entries" had too many elements')
              }

              obj.entries.push(JournalEntry.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.entries$
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

  export function encode (obj: Partial<JournalPut>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalPut.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalPut>): JournalPut {
    return decodeMessage(buf, JournalPut.codec(), opts)
  }
}

export interface JournalHeld {
  job: string
  version: number
  onDisk: boolean
}

export namespace JournalHeld {
  let _codec: Codec<JournalHeld>

  export const codec = (): Codec<JournalHeld> => {
    if (_codec == null) {
      _codec = message<JournalHeld>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if ((obj.version != null && obj.version !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.version)
        }

        if ((obj.onDisk != null && obj.onDisk !== false)) {
          w.uint32(24)
          w.bool(obj.onDisk)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          version: 0,
          onDisk: false
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.version = reader.uint64Number()
              break
            }
            case 3: {
              obj.onDisk = reader.bool()
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

  export function encode (obj: Partial<JournalHeld>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalHeld.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalHeld>): JournalHeld {
    return decodeMessage(buf, JournalHeld.codec(), opts)
  }
}

export interface JournalForget {
  job: string
  stamp?: JournalStamp
}

export namespace JournalForget {
  let _codec: Codec<JournalForget>

  export const codec = (): Codec<JournalForget> => {
    if (_codec == null) {
      _codec = message<JournalForget>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.job != null && obj.job !== '')) {
          w.uint32(10)
          w.string(obj.job)
        }

        if (obj.stamp != null) {
          w.uint32(18)
          JournalStamp.codec().encode(obj.stamp, w)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.job = reader.string()
              break
            }
            case 2: {
              obj.stamp = JournalStamp.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.stamp
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

  export function encode (obj: Partial<JournalForget>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalForget.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalForget>): JournalForget {
    return decodeMessage(buf, JournalForget.codec(), opts)
  }
}

export interface JournalRefused {}

export namespace JournalRefused {
  let _codec: Codec<JournalRefused>

  export const codec = (): Codec<JournalRefused> => {
    if (_codec == null) {
      _codec = message<JournalRefused>((obj, w, opts = {}) => {
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

  export function encode (obj: Partial<JournalRefused>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalRefused.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalRefused>): JournalRefused {
    return decodeMessage(buf, JournalRefused.codec(), opts)
  }
}

export interface ScheduleMessage {
  request: number
  add?: ScheduleAdd
  remove?: ScheduleName
  pause?: ScheduleName
  resume?: ScheduleName
  run?: ScheduleStart
  list?: string
  done?: ScheduleDone
  started?: string
  exists?: boolean
  unknown?: boolean
  refused?: ScheduleRefused
  schedules?: ScheduleList
  notLeader?: boolean
}

export namespace ScheduleMessage {
  let _codec: Codec<ScheduleMessage>

  export const codec = (): Codec<ScheduleMessage> => {
    if (_codec == null) {
      _codec = message<ScheduleMessage>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.request != null && obj.request !== 0)) {
          w.uint32(8)
          w.uint32(obj.request)
        }

        if (obj.add != null) {
          w.uint32(18)
          ScheduleAdd.codec().encode(obj.add, w)
        }

        if (obj.remove != null) {
          w.uint32(26)
          ScheduleName.codec().encode(obj.remove, w)
        }

        if (obj.pause != null) {
          w.uint32(34)
          ScheduleName.codec().encode(obj.pause, w)
        }

        if (obj.resume != null) {
          w.uint32(42)
          ScheduleName.codec().encode(obj.resume, w)
        }

        if (obj.run != null) {
          w.uint32(50)
          ScheduleStart.codec().encode(obj.run, w)
        }

        if (obj.list != null) {
          w.uint32(58)
          w.string(obj.list)
        }

        if (obj.done != null) {
          w.uint32(66)
          ScheduleDone.codec().encode(obj.done, w)
        }

        if (obj.started != null) {
          w.uint32(74)
          w.string(obj.started)
        }

        if (obj.exists != null) {
          w.uint32(80)
          w.bool(obj.exists)
        }

        if (obj.unknown != null) {
          w.uint32(88)
          w.bool(obj.unknown)
        }

        if (obj.refused != null) {
          w.uint32(98)
          ScheduleRefused.codec().encode(obj.refused, w)
        }

        if (obj.schedules != null) {
          w.uint32(106)
          ScheduleList.codec().encode(obj.schedules, w)
        }

        if (obj.notLeader != null) {
          w.uint32(112)
          w.bool(obj.notLeader)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          request: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.request = reader.uint32()
              break
            }
            case 2: {
              obj.add = ScheduleAdd.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.add
              })
              break
            }
            case 3: {
              obj.remove = ScheduleName.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.remove
              })
              break
            }
            case 4: {
              obj.pause = ScheduleName.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.pause
              })
              break
            }
            case 5: {
              obj.resume = ScheduleName.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.resume
              })
              break
            }
            case 6: {
              obj.run = ScheduleStart.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.run
              })
              break
            }
            case 7: {
              obj.list = reader.string()
              break
            }
            case 8: {
              obj.done = ScheduleDone.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.done
              })
              break
            }
            case 9: {
              obj.started = reader.string()
              break
            }
            case 10: {
              obj.exists = reader.bool()
              break
            }
            case 11: {
              obj.unknown = reader.bool()
              break
            }
            case 12: {
              obj.refused = ScheduleRefused.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.refused
              })
              break
            }
            case 13: {
              obj.schedules = ScheduleList.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.schedules
              })
              break
            }
            case 14: {
              obj.notLeader = reader.bool()
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

  export function encode (obj: Partial<ScheduleMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleMessage>): ScheduleMessage {
    return decodeMessage(buf, ScheduleMessage.codec(), opts)
  }
}

export interface ScheduleName {
  name: string
}

export namespace ScheduleName {
  let _codec: Codec<ScheduleName>

  export const codec = (): Codec<ScheduleName> => {
    if (_codec == null) {
      _codec = message<ScheduleName>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.name != null && obj.name !== '')) {
          w.uint32(10)
          w.string(obj.name)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          name: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
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

  export function encode (obj: Partial<ScheduleName>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleName.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleName>): ScheduleName {
    return decodeMessage(buf, ScheduleName.codec(), opts)
  }
}

export interface ScheduleAdd {
  name: string
  terms?: ScheduleTerms
  submission?: Submit
}

export namespace ScheduleAdd {
  let _codec: Codec<ScheduleAdd>

  export const codec = (): Codec<ScheduleAdd> => {
    if (_codec == null) {
      _codec = message<ScheduleAdd>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.name != null && obj.name !== '')) {
          w.uint32(10)
          w.string(obj.name)
        }

        if (obj.terms != null) {
          w.uint32(18)
          ScheduleTerms.codec().encode(obj.terms, w)
        }

        if (obj.submission != null) {
          w.uint32(26)
          Submit.codec().encode(obj.submission, w)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          name: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.name = reader.string()
              break
            }
            case 2: {
              obj.terms = ScheduleTerms.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.terms
              })
              break
            }
            case 3: {
              obj.submission = Submit.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.submission
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

  export function encode (obj: Partial<ScheduleAdd>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleAdd.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleAdd>): ScheduleAdd {
    return decodeMessage(buf, ScheduleAdd.codec(), opts)
  }
}

export interface ScheduleStart {
  name: string
  time: number
}

export namespace ScheduleStart {
  let _codec: Codec<ScheduleStart>

  export const codec = (): Codec<ScheduleStart> => {
    if (_codec == null) {
      _codec = message<ScheduleStart>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.name != null && obj.name !== '')) {
          w.uint32(10)
          w.string(obj.name)
        }

        if ((obj.time != null && obj.time !== 0)) {
          w.uint32(16)
          w.uint64Number(obj.time)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          name: '',
          time: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.name = reader.string()
              break
            }
            case 2: {
              obj.time = reader.uint64Number()
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

  export function encode (obj: Partial<ScheduleStart>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleStart.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleStart>): ScheduleStart {
    return decodeMessage(buf, ScheduleStart.codec(), opts)
  }
}

export interface ScheduleDone {
  state?: ScheduleState
}

export namespace ScheduleDone {
  let _codec: Codec<ScheduleDone>

  export const codec = (): Codec<ScheduleDone> => {
    if (_codec == null) {
      _codec = message<ScheduleDone>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.state != null) {
          w.uint32(10)
          ScheduleState.codec().encode(obj.state, w)
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
              obj.state = ScheduleState.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.state
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

  export function encode (obj: Partial<ScheduleDone>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleDone.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleDone>): ScheduleDone {
    return decodeMessage(buf, ScheduleDone.codec(), opts)
  }
}

export interface ScheduleRefused {
  reason: string
  notAdmitted: boolean
  noRoom: boolean
  disks?: number
  durable: number
}

export namespace ScheduleRefused {
  let _codec: Codec<ScheduleRefused>

  export const codec = (): Codec<ScheduleRefused> => {
    if (_codec == null) {
      _codec = message<ScheduleRefused>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.reason != null && obj.reason !== '')) {
          w.uint32(10)
          w.string(obj.reason)
        }

        if ((obj.notAdmitted != null && obj.notAdmitted !== false)) {
          w.uint32(16)
          w.bool(obj.notAdmitted)
        }

        if ((obj.noRoom != null && obj.noRoom !== false)) {
          w.uint32(24)
          w.bool(obj.noRoom)
        }

        if (obj.disks != null) {
          w.uint32(32)
          w.uint32(obj.disks)
        }

        if ((obj.durable != null && obj.durable !== 0)) {
          w.uint32(40)
          w.uint32(obj.durable)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          reason: '',
          notAdmitted: false,
          noRoom: false,
          durable: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.reason = reader.string()
              break
            }
            case 2: {
              obj.notAdmitted = reader.bool()
              break
            }
            case 3: {
              obj.noRoom = reader.bool()
              break
            }
            case 4: {
              obj.disks = reader.uint32()
              break
            }
            case 5: {
              obj.durable = reader.uint32()
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

  export function encode (obj: Partial<ScheduleRefused>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleRefused.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleRefused>): ScheduleRefused {
    return decodeMessage(buf, ScheduleRefused.codec(), opts)
  }
}

export interface ScheduleList {
  schedules: ScheduleState[]
  more: boolean
}

export namespace ScheduleList {
  let _codec: Codec<ScheduleList>

  export const codec = (): Codec<ScheduleList> => {
    if (_codec == null) {
      _codec = message<ScheduleList>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if (obj.schedules != null && obj.schedules.length > 0) {
          for (const value of obj.schedules) {
            w.uint32(10)
            ScheduleState.codec().encode(value, w)
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
          schedules: [],
          more: false
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.schedules != null && obj.schedules.length === opts.limits.schedules) {
                throw new MaxLengthError('Decode error - repeated field "schedules" had too many elements')
              }

              obj.schedules.push(ScheduleState.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.schedules$
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

  export function encode (obj: Partial<ScheduleList>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleList.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleList>): ScheduleList {
    return decodeMessage(buf, ScheduleList.codec(), opts)
  }
}

export interface ScheduleState {
  name: string
  terms?: ScheduleTerms
  task: string
  isPaused: boolean
  next?: number
  last?: ScheduleRun
  skipped: number
  problem?: string
}

export namespace ScheduleState {
  let _codec: Codec<ScheduleState>

  export const codec = (): Codec<ScheduleState> => {
    if (_codec == null) {
      _codec = message<ScheduleState>((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork()
        }

        if ((obj.name != null && obj.name !== '')) {
          w.uint32(10)
          w.string(obj.name)
        }

        if (obj.terms != null) {
          w.uint32(18)
          ScheduleTerms.codec().encode(obj.terms, w)
        }

        if ((obj.task != null && obj.task !== '')) {
          w.uint32(26)
          w.string(obj.task)
        }

        if ((obj.isPaused != null && obj.isPaused !== false)) {
          w.uint32(32)
          w.bool(obj.isPaused)
        }

        if (obj.next != null) {
          w.uint32(40)
          w.uint64Number(obj.next)
        }

        if (obj.last != null) {
          w.uint32(50)
          ScheduleRun.codec().encode(obj.last, w)
        }

        if ((obj.skipped != null && obj.skipped !== 0)) {
          w.uint32(56)
          w.uint64Number(obj.skipped)
        }

        if (obj.problem != null) {
          w.uint32(66)
          w.string(obj.problem)
        }

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          name: '',
          task: '',
          isPaused: false,
          skipped: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.name = reader.string()
              break
            }
            case 2: {
              obj.terms = ScheduleTerms.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.terms
              })
              break
            }
            case 3: {
              obj.task = reader.string()
              break
            }
            case 4: {
              obj.isPaused = reader.bool()
              break
            }
            case 5: {
              obj.next = reader.uint64Number()
              break
            }
            case 6: {
              obj.last = ScheduleRun.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.last
              })
              break
            }
            case 7: {
              obj.skipped = reader.uint64Number()
              break
            }
            case 8: {
              obj.problem = reader.string()
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

  export function encode (obj: Partial<ScheduleState>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleState.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleState>): ScheduleState {
    return decodeMessage(buf, ScheduleState.codec(), opts)
  }
}
