/* eslint-disable require-yield */

import { decodeMessage, encodeMessage, MaxLengthError, message, streamMessage } from 'protons-runtime'
import { alloc as uint8ArrayAlloc } from 'uint8arrays/alloc'
import type { Codec, DecodeOptions } from 'protons-runtime'
import type { Uint8ArrayList } from 'uint8arraylist'

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
              yield * Welcome.codec().stream(reader, reader.uint32(), `${prefix}.welcome`, {
                limits: opts.limits?.welcome
              })

              break
            }
            case 3: {
              yield * Hello.codec().stream(reader, reader.uint32(), `${prefix}.hello`, {
                limits: opts.limits?.hello
              })

              break
            }
            case 4: {
              yield * Batch.codec().stream(reader, reader.uint32(), `${prefix}.batch`, {
                limits: opts.limits?.batch
              })

              break
            }
            case 5: {
              yield * Outcomes.codec().stream(reader, reader.uint32(), `${prefix}.outcomes`, {
                limits: opts.limits?.outcomes
              })

              break
            }
            case 6: {
              yield * Release.codec().stream(reader, reader.uint32(), `${prefix}.release`, {
                limits: opts.limits?.release
              })

              break
            }
            case 7: {
              yield * CodeRequest.codec().stream(reader, reader.uint32(), `${prefix}.codeRequest`, {
                limits: opts.limits?.codeRequest
              })

              break
            }
            case 8: {
              yield * Code.codec().stream(reader, reader.uint32(), `${prefix}.code`, {
                limits: opts.limits?.code
              })

              break
            }
            case 9: {
              yield * WorkLog.codec().stream(reader, reader.uint32(), `${prefix}.log`, {
                limits: opts.limits?.log
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

  export interface WorkMessageEpochFieldEvent {
    field: '$.epoch'
    value: number
  }

  export interface WorkMessageHelloSlotsFieldEvent {
    field: '$.hello.slots'
    value: number
  }

  export interface WorkMessageBatchJobFieldEvent {
    field: '$.batch.job'
    value: string
  }

  export interface WorkMessageBatchSha256FieldEvent {
    field: '$.batch.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageBatchIndicesFieldEvent {
    field: '$.batch.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageBatchLengthsFieldEvent {
    field: '$.batch.lengths'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageBatchPayloadFieldEvent {
    field: '$.batch.payload'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageOutcomesJobFieldEvent {
    field: '$.outcomes.job'
    value: string
  }

  export interface WorkMessageOutcomesIndicesFieldEvent {
    field: '$.outcomes.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageOutcomesLengthsFieldEvent {
    field: '$.outcomes.lengths'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageOutcomesPayloadFieldEvent {
    field: '$.outcomes.payload'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageOutcomesFailuresFunctionFieldEvent {
    field: '$.outcomes.failures[].function'
    value: string
    index: number
  }

  export interface WorkMessageOutcomesFailuresIndexFieldEvent {
    field: '$.outcomes.failures[].index'
    value: number
    index: number
  }

  export interface WorkMessageOutcomesFailuresNameFieldEvent {
    field: '$.outcomes.failures[].name'
    value: string
    index: number
  }

  export interface WorkMessageOutcomesFailuresMessageFieldEvent {
    field: '$.outcomes.failures[].message'
    value: string
    index: number
  }

  export interface WorkMessageOutcomesFailuresStackFieldEvent {
    field: '$.outcomes.failures[].stack'
    value: string
    index: number
  }

  export interface WorkMessageOutcomesBusyMsFieldEvent {
    field: '$.outcomes.busyMs'
    value: number
  }

  export interface WorkMessageReleaseJobFieldEvent {
    field: '$.release.job'
    value: string
  }

  export interface WorkMessageCodeRequestSha256FieldEvent {
    field: '$.codeRequest.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageCodeSha256FieldEvent {
    field: '$.code.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageCodeCodeFieldEvent {
    field: '$.code.code'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageLogJobFieldEvent {
    field: '$.log.job'
    value: string
  }

  export interface WorkMessageLogLinesFunctionFieldEvent {
    field: '$.log.lines[].function'
    value: string
    index: number
  }

  export interface WorkMessageLogLinesIndexFieldEvent {
    field: '$.log.lines[].index'
    value: number
    index: number
  }

  export interface WorkMessageLogLinesStderrFieldEvent {
    field: '$.log.lines[].stderr'
    value: boolean
    index: number
  }

  export interface WorkMessageLogLinesLineFieldEvent {
    field: '$.log.lines[].line'
    value: string
    index: number
  }

  export interface WorkMessageLogLinesPeerFieldEvent {
    field: '$.log.lines[].peer'
    value: string
    index: number
  }

  export function encode (obj: Partial<WorkMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, WorkMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<WorkMessage>): WorkMessage {
    return decodeMessage(buf, WorkMessage.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<WorkMessage>): Generator<WorkMessageEpochFieldEvent | WorkMessageHelloSlotsFieldEvent | WorkMessageBatchJobFieldEvent | WorkMessageBatchSha256FieldEvent | WorkMessageBatchIndicesFieldEvent | WorkMessageBatchLengthsFieldEvent | WorkMessageBatchPayloadFieldEvent | WorkMessageOutcomesJobFieldEvent | WorkMessageOutcomesIndicesFieldEvent | WorkMessageOutcomesLengthsFieldEvent | WorkMessageOutcomesPayloadFieldEvent | WorkMessageOutcomesFailuresFunctionFieldEvent | WorkMessageOutcomesFailuresIndexFieldEvent | WorkMessageOutcomesFailuresNameFieldEvent | WorkMessageOutcomesFailuresMessageFieldEvent | WorkMessageOutcomesFailuresStackFieldEvent | WorkMessageOutcomesBusyMsFieldEvent | WorkMessageReleaseJobFieldEvent | WorkMessageCodeRequestSha256FieldEvent | WorkMessageCodeSha256FieldEvent | WorkMessageCodeCodeFieldEvent | WorkMessageLogJobFieldEvent | WorkMessageLogLinesFunctionFieldEvent | WorkMessageLogLinesIndexFieldEvent | WorkMessageLogLinesStderrFieldEvent | WorkMessageLogLinesLineFieldEvent | WorkMessageLogLinesPeerFieldEvent> {
    return streamMessage(buf, WorkMessage.codec(), opts)
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

  export function encode (obj: Partial<Welcome>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Welcome.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Welcome>): Welcome {
    return decodeMessage(buf, Welcome.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Welcome>): Generator<{}> {
    return streamMessage(buf, Welcome.codec(), opts)
  }
}

export interface Hello {
  slots: number
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

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          slots: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              obj.slots = reader.uint32()
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
                field: `${prefix}.slots`,
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

  export interface HelloSlotsFieldEvent {
    field: '$.slots'
    value: number
  }

  export function encode (obj: Partial<Hello>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Hello.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Hello>): Hello {
    return decodeMessage(buf, Hello.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Hello>): Generator<HelloSlotsFieldEvent> {
    return streamMessage(buf, Hello.codec(), opts)
  }
}

export interface Batch {
  job: string
  sha256: Uint8Array<ArrayBuffer>
  indices: Uint8Array<ArrayBuffer>
  lengths: Uint8Array<ArrayBuffer>
  payload: Uint8Array<ArrayBuffer>
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

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          sha256: uint8ArrayAlloc(0),
          indices: uint8ArrayAlloc(0),
          lengths: uint8ArrayAlloc(0),
          payload: uint8ArrayAlloc(0)
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
                field: `${prefix}.job`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.sha256`,
                value: reader.bytes()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.indices`,
                value: reader.bytes()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.lengths`,
                value: reader.bytes()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.payload`,
                value: reader.bytes()
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

  export interface BatchJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface BatchSha256FieldEvent {
    field: '$.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface BatchIndicesFieldEvent {
    field: '$.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export interface BatchLengthsFieldEvent {
    field: '$.lengths'
    value: Uint8Array<ArrayBuffer>
  }

  export interface BatchPayloadFieldEvent {
    field: '$.payload'
    value: Uint8Array<ArrayBuffer>
  }

  export function encode (obj: Partial<Batch>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Batch.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Batch>): Batch {
    return decodeMessage(buf, Batch.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Batch>): Generator<BatchJobFieldEvent | BatchSha256FieldEvent | BatchIndicesFieldEvent | BatchLengthsFieldEvent | BatchPayloadFieldEvent> {
    return streamMessage(buf, Batch.codec(), opts)
  }
}

export interface Outcomes {
  job: string
  indices: Uint8Array<ArrayBuffer>
  lengths: Uint8Array<ArrayBuffer>
  payload: Uint8Array<ArrayBuffer>
  failures: Failure[]
  busyMs: number
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
          busyMs: 0
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
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          failures: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.job`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.indices`,
                value: reader.bytes()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.lengths`,
                value: reader.bytes()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.payload`,
                value: reader.bytes()
              }
              break
            }
            case 5: {
              if (opts.limits?.failures != null && obj.failures === opts.limits.failures) {
                throw new MaxLengthError('Streaming decode error - repeated field "failures" had too many elements')
              }

              for (const evt of Failure.codec().stream(reader, reader.uint32(), `${prefix}.failures[]`, {
                limits: opts.limits?.failures$
              })) {
                yield {
                  ...evt,
                  index: obj.failures
                }
              }

              obj.failures++

              break
            }
            case 6: {
              yield {
                field: `${prefix}.busyMs`,
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

  export interface OutcomesJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface OutcomesIndicesFieldEvent {
    field: '$.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export interface OutcomesLengthsFieldEvent {
    field: '$.lengths'
    value: Uint8Array<ArrayBuffer>
  }

  export interface OutcomesPayloadFieldEvent {
    field: '$.payload'
    value: Uint8Array<ArrayBuffer>
  }

  export interface OutcomesFailuresFunctionFieldEvent {
    field: '$.failures[].function'
    value: string
    index: number
  }

  export interface OutcomesFailuresIndexFieldEvent {
    field: '$.failures[].index'
    value: number
    index: number
  }

  export interface OutcomesFailuresNameFieldEvent {
    field: '$.failures[].name'
    value: string
    index: number
  }

  export interface OutcomesFailuresMessageFieldEvent {
    field: '$.failures[].message'
    value: string
    index: number
  }

  export interface OutcomesFailuresStackFieldEvent {
    field: '$.failures[].stack'
    value: string
    index: number
  }

  export interface OutcomesBusyMsFieldEvent {
    field: '$.busyMs'
    value: number
  }

  export function encode (obj: Partial<Outcomes>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Outcomes.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Outcomes>): Outcomes {
    return decodeMessage(buf, Outcomes.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Outcomes>): Generator<OutcomesJobFieldEvent | OutcomesIndicesFieldEvent | OutcomesLengthsFieldEvent | OutcomesPayloadFieldEvent | OutcomesFailuresFunctionFieldEvent | OutcomesFailuresIndexFieldEvent | OutcomesFailuresNameFieldEvent | OutcomesFailuresMessageFieldEvent | OutcomesFailuresStackFieldEvent | OutcomesBusyMsFieldEvent> {
    return streamMessage(buf, Outcomes.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.function`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.index`,
                value: reader.uint64Number()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.name`,
                value: reader.string()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.message`,
                value: reader.string()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.stack`,
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

  export interface FailureFunctionFieldEvent {
    field: '$.function'
    value: string
  }

  export interface FailureIndexFieldEvent {
    field: '$.index'
    value: number
  }

  export interface FailureNameFieldEvent {
    field: '$.name'
    value: string
  }

  export interface FailureMessageFieldEvent {
    field: '$.message'
    value: string
  }

  export interface FailureStackFieldEvent {
    field: '$.stack'
    value: string
  }

  export function encode (obj: Partial<Failure>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Failure.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Failure>): Failure {
    return decodeMessage(buf, Failure.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Failure>): Generator<FailureFunctionFieldEvent | FailureIndexFieldEvent | FailureNameFieldEvent | FailureMessageFieldEvent | FailureStackFieldEvent> {
    return streamMessage(buf, Failure.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.job`,
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

  export interface ReleaseJobFieldEvent {
    field: '$.job'
    value: string
  }

  export function encode (obj: Partial<Release>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Release.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Release>): Release {
    return decodeMessage(buf, Release.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Release>): Generator<ReleaseJobFieldEvent> {
    return streamMessage(buf, Release.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.sha256`,
                value: reader.bytes()
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

  export interface CodeRequestSha256FieldEvent {
    field: '$.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export function encode (obj: Partial<CodeRequest>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, CodeRequest.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<CodeRequest>): CodeRequest {
    return decodeMessage(buf, CodeRequest.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<CodeRequest>): Generator<CodeRequestSha256FieldEvent> {
    return streamMessage(buf, CodeRequest.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.sha256`,
                value: reader.bytes()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.code`,
                value: reader.bytes()
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

  export interface CodeSha256FieldEvent {
    field: '$.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface CodeCodeFieldEvent {
    field: '$.code'
    value: Uint8Array<ArrayBuffer>
  }

  export function encode (obj: Partial<Code>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Code.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Code>): Code {
    return decodeMessage(buf, Code.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Code>): Generator<CodeSha256FieldEvent | CodeCodeFieldEvent> {
    return streamMessage(buf, Code.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          lines: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.job`,
                value: reader.string()
              }
              break
            }
            case 2: {
              if (opts.limits?.lines != null && obj.lines === opts.limits.lines) {
                throw new MaxLengthError('Streaming decode error - repeated field "lines" had too many elements')
              }

              for (const evt of LogLine.codec().stream(reader, reader.uint32(), `${prefix}.lines[]`, {
                limits: opts.limits?.lines$
              })) {
                yield {
                  ...evt,
                  index: obj.lines
                }
              }

              obj.lines++

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

  export interface WorkLogJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface WorkLogLinesFunctionFieldEvent {
    field: '$.lines[].function'
    value: string
    index: number
  }

  export interface WorkLogLinesIndexFieldEvent {
    field: '$.lines[].index'
    value: number
    index: number
  }

  export interface WorkLogLinesStderrFieldEvent {
    field: '$.lines[].stderr'
    value: boolean
    index: number
  }

  export interface WorkLogLinesLineFieldEvent {
    field: '$.lines[].line'
    value: string
    index: number
  }

  export interface WorkLogLinesPeerFieldEvent {
    field: '$.lines[].peer'
    value: string
    index: number
  }

  export function encode (obj: Partial<WorkLog>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, WorkLog.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<WorkLog>): WorkLog {
    return decodeMessage(buf, WorkLog.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<WorkLog>): Generator<WorkLogJobFieldEvent | WorkLogLinesFunctionFieldEvent | WorkLogLinesIndexFieldEvent | WorkLogLinesStderrFieldEvent | WorkLogLinesLineFieldEvent | WorkLogLinesPeerFieldEvent> {
    return streamMessage(buf, WorkLog.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.function`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.index`,
                value: reader.uint64Number()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.stderr`,
                value: reader.bool()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.line`,
                value: reader.string()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.peer`,
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

  export interface LogLineFunctionFieldEvent {
    field: '$.function'
    value: string
  }

  export interface LogLineIndexFieldEvent {
    field: '$.index'
    value: number
  }

  export interface LogLineStderrFieldEvent {
    field: '$.stderr'
    value: boolean
  }

  export interface LogLineLineFieldEvent {
    field: '$.line'
    value: string
  }

  export interface LogLinePeerFieldEvent {
    field: '$.peer'
    value: string
  }

  export function encode (obj: Partial<LogLine>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, LogLine.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LogLine>): LogLine {
    return decodeMessage(buf, LogLine.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<LogLine>): Generator<LogLineFunctionFieldEvent | LogLineIndexFieldEvent | LogLineStderrFieldEvent | LogLineLineFieldEvent | LogLinePeerFieldEvent> {
    return streamMessage(buf, LogLine.codec(), opts)
  }
}

export interface SubmitMessage {
  job: string
  epoch?: number
  submit?: Submit
  cancel?: Cancel
  leave?: Leave
  accepted?: Accepted
  progress?: Progress
  log?: SubmitLog
  completed?: Completed
  failed?: Failed
  cancelled?: Cancelled
  refused?: Refused
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.job`,
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
              yield * Submit.codec().stream(reader, reader.uint32(), `${prefix}.submit`, {
                limits: opts.limits?.submit
              })

              break
            }
            case 4: {
              yield * Cancel.codec().stream(reader, reader.uint32(), `${prefix}.cancel`, {
                limits: opts.limits?.cancel
              })

              break
            }
            case 13: {
              yield * Leave.codec().stream(reader, reader.uint32(), `${prefix}.leave`, {
                limits: opts.limits?.leave
              })

              break
            }
            case 5: {
              yield * Accepted.codec().stream(reader, reader.uint32(), `${prefix}.accepted`, {
                limits: opts.limits?.accepted
              })

              break
            }
            case 6: {
              yield * Progress.codec().stream(reader, reader.uint32(), `${prefix}.progress`, {
                limits: opts.limits?.progress
              })

              break
            }
            case 7: {
              yield * SubmitLog.codec().stream(reader, reader.uint32(), `${prefix}.log`, {
                limits: opts.limits?.log
              })

              break
            }
            case 8: {
              yield * Completed.codec().stream(reader, reader.uint32(), `${prefix}.completed`, {
                limits: opts.limits?.completed
              })

              break
            }
            case 9: {
              yield * Failed.codec().stream(reader, reader.uint32(), `${prefix}.failed`, {
                limits: opts.limits?.failed
              })

              break
            }
            case 10: {
              yield * Cancelled.codec().stream(reader, reader.uint32(), `${prefix}.cancelled`, {
                limits: opts.limits?.cancelled
              })

              break
            }
            case 11: {
              yield * Refused.codec().stream(reader, reader.uint32(), `${prefix}.refused`, {
                limits: opts.limits?.refused
              })

              break
            }
            case 12: {
              yield * NotLeader.codec().stream(reader, reader.uint32(), `${prefix}.notLeader`, {
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
      })
    }

    return _codec
  }

  export interface SubmitMessageJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface SubmitMessageEpochFieldEvent {
    field: '$.epoch'
    value: number
  }

  export interface SubmitMessageSubmitTaskFieldEvent {
    field: '$.submit.task'
    value: string
  }

  export interface SubmitMessageSubmitSha256FieldEvent {
    field: '$.submit.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitMessageSubmitCodeFieldEvent {
    field: '$.submit.code'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitMessageSubmitInputFieldEvent {
    field: '$.submit.input'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitMessageSubmitInputSha256FieldEvent {
    field: '$.submit.inputSha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitMessageSubmitRetriesFieldEvent {
    field: '$.submit.retries'
    value: number
  }

  export interface SubmitMessageProgressStateFieldEvent {
    field: '$.progress.state'
    value: string
  }

  export interface SubmitMessageProgressDoneFieldEvent {
    field: '$.progress.done'
    value: number
  }

  export interface SubmitMessageProgressTotalFieldEvent {
    field: '$.progress.total'
    value: number
  }

  export interface SubmitMessageProgressPeersFieldEvent {
    field: '$.progress.peers'
    value: number
  }

  export interface SubmitMessageProgressRetriesFieldEvent {
    field: '$.progress.retries'
    value: number
  }

  export interface SubmitMessageLogLinesFunctionFieldEvent {
    field: '$.log.lines[].function'
    value: string
    index: number
  }

  export interface SubmitMessageLogLinesIndexFieldEvent {
    field: '$.log.lines[].index'
    value: number
    index: number
  }

  export interface SubmitMessageLogLinesStderrFieldEvent {
    field: '$.log.lines[].stderr'
    value: boolean
    index: number
  }

  export interface SubmitMessageLogLinesLineFieldEvent {
    field: '$.log.lines[].line'
    value: string
    index: number
  }

  export interface SubmitMessageLogLinesPeerFieldEvent {
    field: '$.log.lines[].peer'
    value: string
    index: number
  }

  export interface SubmitMessageCompletedResultFieldEvent {
    field: '$.completed.result'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitMessageCompletedStatsChunksFieldEvent {
    field: '$.completed.stats.chunks'
    value: number
  }

  export interface SubmitMessageCompletedStatsRetriesFieldEvent {
    field: '$.completed.stats.retries'
    value: number
  }

  export interface SubmitMessageCompletedStatsPerPeerPeerFieldEvent {
    field: '$.completed.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface SubmitMessageCompletedStatsPerPeerChunksFieldEvent {
    field: '$.completed.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface SubmitMessageFailedFailureFunctionFieldEvent {
    field: '$.failed.failure.function'
    value: string
  }

  export interface SubmitMessageFailedFailureIndexFieldEvent {
    field: '$.failed.failure.index'
    value: number
  }

  export interface SubmitMessageFailedFailureNameFieldEvent {
    field: '$.failed.failure.name'
    value: string
  }

  export interface SubmitMessageFailedFailureMessageFieldEvent {
    field: '$.failed.failure.message'
    value: string
  }

  export interface SubmitMessageFailedFailureStackFieldEvent {
    field: '$.failed.failure.stack'
    value: string
  }

  export interface SubmitMessageFailedStatsChunksFieldEvent {
    field: '$.failed.stats.chunks'
    value: number
  }

  export interface SubmitMessageFailedStatsRetriesFieldEvent {
    field: '$.failed.stats.retries'
    value: number
  }

  export interface SubmitMessageFailedStatsPerPeerPeerFieldEvent {
    field: '$.failed.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface SubmitMessageFailedStatsPerPeerChunksFieldEvent {
    field: '$.failed.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface SubmitMessageCancelledStatsChunksFieldEvent {
    field: '$.cancelled.stats.chunks'
    value: number
  }

  export interface SubmitMessageCancelledStatsRetriesFieldEvent {
    field: '$.cancelled.stats.retries'
    value: number
  }

  export interface SubmitMessageCancelledStatsPerPeerPeerFieldEvent {
    field: '$.cancelled.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface SubmitMessageCancelledStatsPerPeerChunksFieldEvent {
    field: '$.cancelled.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface SubmitMessageRefusedReasonFieldEvent {
    field: '$.refused.reason'
    value: string
  }

  export interface SubmitMessageNotLeaderLeaderFieldEvent {
    field: '$.notLeader.leader'
    value: string
  }

  export function encode (obj: Partial<SubmitMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, SubmitMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<SubmitMessage>): SubmitMessage {
    return decodeMessage(buf, SubmitMessage.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<SubmitMessage>): Generator<SubmitMessageJobFieldEvent | SubmitMessageEpochFieldEvent | SubmitMessageSubmitTaskFieldEvent | SubmitMessageSubmitSha256FieldEvent | SubmitMessageSubmitCodeFieldEvent | SubmitMessageSubmitInputFieldEvent | SubmitMessageSubmitInputSha256FieldEvent | SubmitMessageSubmitRetriesFieldEvent | SubmitMessageProgressStateFieldEvent | SubmitMessageProgressDoneFieldEvent | SubmitMessageProgressTotalFieldEvent | SubmitMessageProgressPeersFieldEvent | SubmitMessageProgressRetriesFieldEvent | SubmitMessageLogLinesFunctionFieldEvent | SubmitMessageLogLinesIndexFieldEvent | SubmitMessageLogLinesStderrFieldEvent | SubmitMessageLogLinesLineFieldEvent | SubmitMessageLogLinesPeerFieldEvent | SubmitMessageCompletedResultFieldEvent | SubmitMessageCompletedStatsChunksFieldEvent | SubmitMessageCompletedStatsRetriesFieldEvent | SubmitMessageCompletedStatsPerPeerPeerFieldEvent | SubmitMessageCompletedStatsPerPeerChunksFieldEvent | SubmitMessageFailedFailureFunctionFieldEvent | SubmitMessageFailedFailureIndexFieldEvent | SubmitMessageFailedFailureNameFieldEvent | SubmitMessageFailedFailureMessageFieldEvent | SubmitMessageFailedFailureStackFieldEvent | SubmitMessageFailedStatsChunksFieldEvent | SubmitMessageFailedStatsRetriesFieldEvent | SubmitMessageFailedStatsPerPeerPeerFieldEvent | SubmitMessageFailedStatsPerPeerChunksFieldEvent | SubmitMessageCancelledStatsChunksFieldEvent | SubmitMessageCancelledStatsRetriesFieldEvent | SubmitMessageCancelledStatsPerPeerPeerFieldEvent | SubmitMessageCancelledStatsPerPeerChunksFieldEvent | SubmitMessageRefusedReasonFieldEvent | SubmitMessageNotLeaderLeaderFieldEvent> {
    return streamMessage(buf, SubmitMessage.codec(), opts)
  }
}

export interface Submit {
  task: string
  sha256: Uint8Array<ArrayBuffer>
  code: Uint8Array<ArrayBuffer>
  input: Uint8Array<ArrayBuffer>
  inputSha256: Uint8Array<ArrayBuffer>
  retries: number
}

export namespace Submit {
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
          retries: 0
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
                field: `${prefix}.task`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.sha256`,
                value: reader.bytes()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.code`,
                value: reader.bytes()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.input`,
                value: reader.bytes()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.inputSha256`,
                value: reader.bytes()
              }
              break
            }
            case 6: {
              yield {
                field: `${prefix}.retries`,
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

  export interface SubmitTaskFieldEvent {
    field: '$.task'
    value: string
  }

  export interface SubmitSha256FieldEvent {
    field: '$.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitCodeFieldEvent {
    field: '$.code'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitInputFieldEvent {
    field: '$.input'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitInputSha256FieldEvent {
    field: '$.inputSha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitRetriesFieldEvent {
    field: '$.retries'
    value: number
  }

  export function encode (obj: Partial<Submit>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Submit.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Submit>): Submit {
    return decodeMessage(buf, Submit.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Submit>): Generator<SubmitTaskFieldEvent | SubmitSha256FieldEvent | SubmitCodeFieldEvent | SubmitInputFieldEvent | SubmitInputSha256FieldEvent | SubmitRetriesFieldEvent> {
    return streamMessage(buf, Submit.codec(), opts)
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

  export function encode (obj: Partial<Cancel>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Cancel.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Cancel>): Cancel {
    return decodeMessage(buf, Cancel.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Cancel>): Generator<{}> {
    return streamMessage(buf, Cancel.codec(), opts)
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

  export function encode (obj: Partial<Leave>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Leave.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Leave>): Leave {
    return decodeMessage(buf, Leave.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Leave>): Generator<{}> {
    return streamMessage(buf, Leave.codec(), opts)
  }
}

export interface Accepted {}

export namespace Accepted {
  let _codec: Codec<Accepted>

  export const codec = (): Codec<Accepted> => {
    if (_codec == null) {
      _codec = message<Accepted>((obj, w, opts = {}) => {
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

  export function encode (obj: Partial<Accepted>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Accepted.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Accepted>): Accepted {
    return decodeMessage(buf, Accepted.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Accepted>): Generator<{}> {
    return streamMessage(buf, Accepted.codec(), opts)
  }
}

export interface Progress {
  state: string
  done: number
  total?: number
  peers: number
  retries: number
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

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          state: '',
          done: 0,
          peers: 0,
          retries: 0
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
                field: `${prefix}.state`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.done`,
                value: reader.uint64Number()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.total`,
                value: reader.uint64Number()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.peers`,
                value: reader.uint32()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.retries`,
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

  export interface ProgressStateFieldEvent {
    field: '$.state'
    value: string
  }

  export interface ProgressDoneFieldEvent {
    field: '$.done'
    value: number
  }

  export interface ProgressTotalFieldEvent {
    field: '$.total'
    value: number
  }

  export interface ProgressPeersFieldEvent {
    field: '$.peers'
    value: number
  }

  export interface ProgressRetriesFieldEvent {
    field: '$.retries'
    value: number
  }

  export function encode (obj: Partial<Progress>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Progress.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Progress>): Progress {
    return decodeMessage(buf, Progress.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Progress>): Generator<ProgressStateFieldEvent | ProgressDoneFieldEvent | ProgressTotalFieldEvent | ProgressPeersFieldEvent | ProgressRetriesFieldEvent> {
    return streamMessage(buf, Progress.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          lines: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.lines != null && obj.lines === opts.limits.lines) {
                throw new MaxLengthError('Streaming decode error - repeated field "lines" had too many elements')
              }

              for (const evt of LogLine.codec().stream(reader, reader.uint32(), `${prefix}.lines[]`, {
                limits: opts.limits?.lines$
              })) {
                yield {
                  ...evt,
                  index: obj.lines
                }
              }

              obj.lines++

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

  export interface SubmitLogLinesFunctionFieldEvent {
    field: '$.lines[].function'
    value: string
    index: number
  }

  export interface SubmitLogLinesIndexFieldEvent {
    field: '$.lines[].index'
    value: number
    index: number
  }

  export interface SubmitLogLinesStderrFieldEvent {
    field: '$.lines[].stderr'
    value: boolean
    index: number
  }

  export interface SubmitLogLinesLineFieldEvent {
    field: '$.lines[].line'
    value: string
    index: number
  }

  export interface SubmitLogLinesPeerFieldEvent {
    field: '$.lines[].peer'
    value: string
    index: number
  }

  export function encode (obj: Partial<SubmitLog>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, SubmitLog.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<SubmitLog>): SubmitLog {
    return decodeMessage(buf, SubmitLog.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<SubmitLog>): Generator<SubmitLogLinesFunctionFieldEvent | SubmitLogLinesIndexFieldEvent | SubmitLogLinesStderrFieldEvent | SubmitLogLinesLineFieldEvent | SubmitLogLinesPeerFieldEvent> {
    return streamMessage(buf, SubmitLog.codec(), opts)
  }
}

export interface Stats {
  chunks: number
  retries: number
  perPeer: PeerChunks[]
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

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          chunks: 0,
          retries: 0,
          perPeer: []
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
            default: {
              reader.skipType(tag & 7)
              break
            }
          }
        }

        return obj
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          perPeer: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.chunks`,
                value: reader.uint64Number()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.retries`,
                value: reader.uint64Number()
              }
              break
            }
            case 3: {
              if (opts.limits?.perPeer != null && obj.perPeer === opts.limits.perPeer) {
                throw new MaxLengthError('Streaming decode error - repeated field "perPeer" had too many elements')
              }

              for (const evt of PeerChunks.codec().stream(reader, reader.uint32(), `${prefix}.perPeer[]`, {
                limits: opts.limits?.perPeer$
              })) {
                yield {
                  ...evt,
                  index: obj.perPeer
                }
              }

              obj.perPeer++

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

  export interface StatsChunksFieldEvent {
    field: '$.chunks'
    value: number
  }

  export interface StatsRetriesFieldEvent {
    field: '$.retries'
    value: number
  }

  export interface StatsPerPeerPeerFieldEvent {
    field: '$.perPeer[].peer'
    value: string
    index: number
  }

  export interface StatsPerPeerChunksFieldEvent {
    field: '$.perPeer[].chunks'
    value: number
    index: number
  }

  export function encode (obj: Partial<Stats>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Stats.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Stats>): Stats {
    return decodeMessage(buf, Stats.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Stats>): Generator<StatsChunksFieldEvent | StatsRetriesFieldEvent | StatsPerPeerPeerFieldEvent | StatsPerPeerChunksFieldEvent> {
    return streamMessage(buf, Stats.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.peer`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.chunks`,
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

  export interface PeerChunksPeerFieldEvent {
    field: '$.peer'
    value: string
  }

  export interface PeerChunksChunksFieldEvent {
    field: '$.chunks'
    value: number
  }

  export function encode (obj: Partial<PeerChunks>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, PeerChunks.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<PeerChunks>): PeerChunks {
    return decodeMessage(buf, PeerChunks.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<PeerChunks>): Generator<PeerChunksPeerFieldEvent | PeerChunksChunksFieldEvent> {
    return streamMessage(buf, PeerChunks.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.result`,
                value: reader.bytes()
              }
              break
            }
            case 2: {
              yield * Stats.codec().stream(reader, reader.uint32(), `${prefix}.stats`, {
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
      })
    }

    return _codec
  }

  export interface CompletedResultFieldEvent {
    field: '$.result'
    value: Uint8Array<ArrayBuffer>
  }

  export interface CompletedStatsChunksFieldEvent {
    field: '$.stats.chunks'
    value: number
  }

  export interface CompletedStatsRetriesFieldEvent {
    field: '$.stats.retries'
    value: number
  }

  export interface CompletedStatsPerPeerPeerFieldEvent {
    field: '$.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface CompletedStatsPerPeerChunksFieldEvent {
    field: '$.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export function encode (obj: Partial<Completed>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Completed.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Completed>): Completed {
    return decodeMessage(buf, Completed.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Completed>): Generator<CompletedResultFieldEvent | CompletedStatsChunksFieldEvent | CompletedStatsRetriesFieldEvent | CompletedStatsPerPeerPeerFieldEvent | CompletedStatsPerPeerChunksFieldEvent> {
    return streamMessage(buf, Completed.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield * Failure.codec().stream(reader, reader.uint32(), `${prefix}.failure`, {
                limits: opts.limits?.failure
              })

              break
            }
            case 2: {
              yield * Stats.codec().stream(reader, reader.uint32(), `${prefix}.stats`, {
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
      })
    }

    return _codec
  }

  export interface FailedFailureFunctionFieldEvent {
    field: '$.failure.function'
    value: string
  }

  export interface FailedFailureIndexFieldEvent {
    field: '$.failure.index'
    value: number
  }

  export interface FailedFailureNameFieldEvent {
    field: '$.failure.name'
    value: string
  }

  export interface FailedFailureMessageFieldEvent {
    field: '$.failure.message'
    value: string
  }

  export interface FailedFailureStackFieldEvent {
    field: '$.failure.stack'
    value: string
  }

  export interface FailedStatsChunksFieldEvent {
    field: '$.stats.chunks'
    value: number
  }

  export interface FailedStatsRetriesFieldEvent {
    field: '$.stats.retries'
    value: number
  }

  export interface FailedStatsPerPeerPeerFieldEvent {
    field: '$.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface FailedStatsPerPeerChunksFieldEvent {
    field: '$.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export function encode (obj: Partial<Failed>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Failed.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Failed>): Failed {
    return decodeMessage(buf, Failed.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Failed>): Generator<FailedFailureFunctionFieldEvent | FailedFailureIndexFieldEvent | FailedFailureNameFieldEvent | FailedFailureMessageFieldEvent | FailedFailureStackFieldEvent | FailedStatsChunksFieldEvent | FailedStatsRetriesFieldEvent | FailedStatsPerPeerPeerFieldEvent | FailedStatsPerPeerChunksFieldEvent> {
    return streamMessage(buf, Failed.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield * Stats.codec().stream(reader, reader.uint32(), `${prefix}.stats`, {
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
      })
    }

    return _codec
  }

  export interface CancelledStatsChunksFieldEvent {
    field: '$.stats.chunks'
    value: number
  }

  export interface CancelledStatsRetriesFieldEvent {
    field: '$.stats.retries'
    value: number
  }

  export interface CancelledStatsPerPeerPeerFieldEvent {
    field: '$.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface CancelledStatsPerPeerChunksFieldEvent {
    field: '$.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export function encode (obj: Partial<Cancelled>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Cancelled.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Cancelled>): Cancelled {
    return decodeMessage(buf, Cancelled.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Cancelled>): Generator<CancelledStatsChunksFieldEvent | CancelledStatsRetriesFieldEvent | CancelledStatsPerPeerPeerFieldEvent | CancelledStatsPerPeerChunksFieldEvent> {
    return streamMessage(buf, Cancelled.codec(), opts)
  }
}

export interface Refused {
  reason: string
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

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          reason: ''
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
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

  export interface RefusedReasonFieldEvent {
    field: '$.reason'
    value: string
  }

  export function encode (obj: Partial<Refused>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Refused.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Refused>): Refused {
    return decodeMessage(buf, Refused.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Refused>): Generator<RefusedReasonFieldEvent> {
    return streamMessage(buf, Refused.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.leader`,
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

  export interface NotLeaderLeaderFieldEvent {
    field: '$.leader'
    value: string
  }

  export function encode (obj: Partial<NotLeader>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, NotLeader.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<NotLeader>): NotLeader {
    return decodeMessage(buf, NotLeader.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<NotLeader>): Generator<NotLeaderLeaderFieldEvent> {
    return streamMessage(buf, NotLeader.codec(), opts)
  }
}

export interface OverviewMessage {
  id: number
  request?: OverviewRequest
  overview?: Overview
  notLeader?: NotLeader
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
              yield * OverviewRequest.codec().stream(reader, reader.uint32(), `${prefix}.request`, {
                limits: opts.limits?.request
              })

              break
            }
            case 3: {
              yield * Overview.codec().stream(reader, reader.uint32(), `${prefix}.overview`, {
                limits: opts.limits?.overview
              })

              break
            }
            case 4: {
              yield * NotLeader.codec().stream(reader, reader.uint32(), `${prefix}.notLeader`, {
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
      })
    }

    return _codec
  }

  export interface OverviewMessageIdFieldEvent {
    field: '$.id'
    value: number
  }

  export interface OverviewMessageOverviewJobsJobFieldEvent {
    field: '$.overview.jobs[].job'
    value: string
    index: number
  }

  export interface OverviewMessageOverviewJobsTaskFieldEvent {
    field: '$.overview.jobs[].task'
    value: string
    index: number
  }

  export interface OverviewMessageOverviewJobsStateFieldEvent {
    field: '$.overview.jobs[].state'
    value: string
    index: number
  }

  export interface OverviewMessageOverviewJobsDoneFieldEvent {
    field: '$.overview.jobs[].done'
    value: number
    index: number
  }

  export interface OverviewMessageOverviewJobsTotalFieldEvent {
    field: '$.overview.jobs[].total'
    value: number
    index: number
  }

  export interface OverviewMessageOverviewBusyPeerFieldEvent {
    field: '$.overview.busy[].peer'
    value: string
    index: number
  }

  export interface OverviewMessageOverviewBusyChunksFieldEvent {
    field: '$.overview.busy[].chunks'
    value: number
    index: number
  }

  export interface OverviewMessageNotLeaderLeaderFieldEvent {
    field: '$.notLeader.leader'
    value: string
  }

  export function encode (obj: Partial<OverviewMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, OverviewMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<OverviewMessage>): OverviewMessage {
    return decodeMessage(buf, OverviewMessage.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<OverviewMessage>): Generator<OverviewMessageIdFieldEvent | OverviewMessageOverviewJobsJobFieldEvent | OverviewMessageOverviewJobsTaskFieldEvent | OverviewMessageOverviewJobsStateFieldEvent | OverviewMessageOverviewJobsDoneFieldEvent | OverviewMessageOverviewJobsTotalFieldEvent | OverviewMessageOverviewBusyPeerFieldEvent | OverviewMessageOverviewBusyChunksFieldEvent | OverviewMessageNotLeaderLeaderFieldEvent> {
    return streamMessage(buf, OverviewMessage.codec(), opts)
  }
}

export interface OverviewRequest {}

export namespace OverviewRequest {
  let _codec: Codec<OverviewRequest>

  export const codec = (): Codec<OverviewRequest> => {
    if (_codec == null) {
      _codec = message<OverviewRequest>((obj, w, opts = {}) => {
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

  export function encode (obj: Partial<OverviewRequest>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, OverviewRequest.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<OverviewRequest>): OverviewRequest {
    return decodeMessage(buf, OverviewRequest.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<OverviewRequest>): Generator<{}> {
    return streamMessage(buf, OverviewRequest.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          jobs: 0,
          busy: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.jobs != null && obj.jobs === opts.limits.jobs) {
                throw new MaxLengthError('Streaming decode error - repeated field "jobs" had too many elements')
              }

              for (const evt of Summary.codec().stream(reader, reader.uint32(), `${prefix}.jobs[]`, {
                limits: opts.limits?.jobs$
              })) {
                yield {
                  ...evt,
                  index: obj.jobs
                }
              }

              obj.jobs++

              break
            }
            case 2: {
              if (opts.limits?.busy != null && obj.busy === opts.limits.busy) {
                throw new MaxLengthError('Streaming decode error - repeated field "busy" had too many elements')
              }

              for (const evt of PeerChunks.codec().stream(reader, reader.uint32(), `${prefix}.busy[]`, {
                limits: opts.limits?.busy$
              })) {
                yield {
                  ...evt,
                  index: obj.busy
                }
              }

              obj.busy++

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

  export interface OverviewJobsJobFieldEvent {
    field: '$.jobs[].job'
    value: string
    index: number
  }

  export interface OverviewJobsTaskFieldEvent {
    field: '$.jobs[].task'
    value: string
    index: number
  }

  export interface OverviewJobsStateFieldEvent {
    field: '$.jobs[].state'
    value: string
    index: number
  }

  export interface OverviewJobsDoneFieldEvent {
    field: '$.jobs[].done'
    value: number
    index: number
  }

  export interface OverviewJobsTotalFieldEvent {
    field: '$.jobs[].total'
    value: number
    index: number
  }

  export interface OverviewBusyPeerFieldEvent {
    field: '$.busy[].peer'
    value: string
    index: number
  }

  export interface OverviewBusyChunksFieldEvent {
    field: '$.busy[].chunks'
    value: number
    index: number
  }

  export function encode (obj: Partial<Overview>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Overview.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Overview>): Overview {
    return decodeMessage(buf, Overview.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Overview>): Generator<OverviewJobsJobFieldEvent | OverviewJobsTaskFieldEvent | OverviewJobsStateFieldEvent | OverviewJobsDoneFieldEvent | OverviewJobsTotalFieldEvent | OverviewBusyPeerFieldEvent | OverviewBusyChunksFieldEvent> {
    return streamMessage(buf, Overview.codec(), opts)
  }
}

export interface Summary {
  job: string
  task: string
  state: string
  done: number
  total?: number
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

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          job: '',
          task: '',
          state: '',
          done: 0
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
                field: `${prefix}.job`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.task`,
                value: reader.string()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.state`,
                value: reader.string()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.done`,
                value: reader.uint64Number()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.total`,
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

  export interface SummaryJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface SummaryTaskFieldEvent {
    field: '$.task'
    value: string
  }

  export interface SummaryStateFieldEvent {
    field: '$.state'
    value: string
  }

  export interface SummaryDoneFieldEvent {
    field: '$.done'
    value: number
  }

  export interface SummaryTotalFieldEvent {
    field: '$.total'
    value: number
  }

  export function encode (obj: Partial<Summary>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Summary.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Summary>): Summary {
    return decodeMessage(buf, Summary.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Summary>): Generator<SummaryJobFieldEvent | SummaryTaskFieldEvent | SummaryStateFieldEvent | SummaryDoneFieldEvent | SummaryTotalFieldEvent> {
    return streamMessage(buf, Summary.codec(), opts)
  }
}
