/* eslint-disable require-yield */

import { decodeMessage, encodeMessage, MaxLengthError, MaxSizeError, message, streamMessage } from 'protons-runtime'
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
            case 10: {
              yield * CancelChunks.codec().stream(reader, reader.uint32(), `${prefix}.cancelChunks`, {
                limits: opts.limits?.cancelChunks
              })

              break
            }
            case 11: {
              yield * Starting.codec().stream(reader, reader.uint32(), `${prefix}.starting`, {
                limits: opts.limits?.starting
              })

              break
            }
            case 12: {
              yield * Starting.codec().stream(reader, reader.uint32(), `${prefix}.go`, {
                limits: opts.limits?.go
              })

              break
            }
            case 13: {
              yield * Offer.codec().stream(reader, reader.uint32(), `${prefix}.offer`, {
                limits: opts.limits?.offer
              })

              break
            }
            case 14: {
              yield * Claim.codec().stream(reader, reader.uint32(), `${prefix}.claim`, {
                limits: opts.limits?.claim
              })

              break
            }
            case 15: {
              yield * Returned.codec().stream(reader, reader.uint32(), `${prefix}.returned`, {
                limits: opts.limits?.returned
              })

              break
            }
            case 16: {
              yield * Covered.codec().stream(reader, reader.uint32(), `${prefix}.covered`, {
                limits: opts.limits?.covered
              })

              break
            }
            case 17: {
              yield * Leaving.codec().stream(reader, reader.uint32(), `${prefix}.leaving`, {
                limits: opts.limits?.leaving
              })

              break
            }
            case 18: {
              yield * Leaving.codec().stream(reader, reader.uint32(), `${prefix}.dismissed`, {
                limits: opts.limits?.dismissed
              })

              break
            }
            case 19: {
              yield * ValuesRequest.codec().stream(reader, reader.uint32(), `${prefix}.valuesRequest`, {
                limits: opts.limits?.valuesRequest
              })

              break
            }
            case 20: {
              yield * Values.codec().stream(reader, reader.uint32(), `${prefix}.values`, {
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

  export interface WorkMessageHelloLeavingFieldEvent {
    field: '$.hello.leaving'
    value: boolean
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

  export interface WorkMessageBatchChunkTimeoutFieldEvent {
    field: '$.batch.chunkTimeout'
    value: number
  }

  export interface WorkMessageBatchPriorityFieldEvent {
    field: '$.batch.priority'
    value: number
  }

  export interface WorkMessageBatchAnnouncedFieldEvent {
    field: '$.batch.announced'
    value: boolean
  }

  export interface WorkMessageBatchQuarantinedFieldEvent {
    field: '$.batch.quarantined'
    value: boolean
  }

  export interface WorkMessageBatchDigestsFieldEvent {
    field: '$.batch.digests'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageBatchSealFieldEvent {
    field: '$.batch.seal'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageBatchSubmissionIdFieldEvent {
    field: '$.batch.submissionId'
    value: string
  }

  export interface WorkMessageBatchCombineFieldEvent {
    field: '$.batch.combine'
    value: boolean
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

  export interface WorkMessageOutcomesSubmissionIdFieldEvent {
    field: '$.outcomes.submissionId'
    value: string
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

  export interface WorkMessageCancelChunksJobFieldEvent {
    field: '$.cancelChunks.job'
    value: string
  }

  export interface WorkMessageCancelChunksIndicesFieldEvent {
    field: '$.cancelChunks.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageStartingJobFieldEvent {
    field: '$.starting.job'
    value: string
  }

  export interface WorkMessageStartingIndicesFieldEvent {
    field: '$.starting.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageGoJobFieldEvent {
    field: '$.go.job'
    value: string
  }

  export interface WorkMessageGoIndicesFieldEvent {
    field: '$.go.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageOfferJobFieldEvent {
    field: '$.offer.job'
    value: string
  }

  export interface WorkMessageOfferSha256FieldEvent {
    field: '$.offer.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageOfferLeaderFieldEvent {
    field: '$.offer.leader'
    value: string
  }

  export interface WorkMessageOfferEpochFieldEvent {
    field: '$.offer.epoch'
    value: number
  }

  export interface WorkMessageOfferIndicesFieldEvent {
    field: '$.offer.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageOfferDigestsFieldEvent {
    field: '$.offer.digests'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageOfferSealFieldEvent {
    field: '$.offer.seal'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageOfferHeldFieldEvent {
    field: '$.offer.held'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageOfferSizesFieldEvent {
    field: '$.offer.sizes'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageOfferRunningFieldEvent {
    field: '$.offer.running'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageOfferWaitingFieldEvent {
    field: '$.offer.waiting'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageClaimJobFieldEvent {
    field: '$.claim.job'
    value: string
  }

  export interface WorkMessageClaimIndicesFieldEvent {
    field: '$.claim.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageClaimDigestsFieldEvent {
    field: '$.claim.digests'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageClaimSealFieldEvent {
    field: '$.claim.seal'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageClaimSubmissionIdFieldEvent {
    field: '$.claim.submissionId'
    value: string
  }

  export interface WorkMessageReturnedJobFieldEvent {
    field: '$.returned.job'
    value: string
  }

  export interface WorkMessageReturnedIndicesFieldEvent {
    field: '$.returned.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageCoveredJobFieldEvent {
    field: '$.covered.job'
    value: string
  }

  export interface WorkMessageCoveredNextFieldEvent {
    field: '$.covered.next'
    value: number
  }

  export interface WorkMessageValuesRequestJobFieldEvent {
    field: '$.valuesRequest.job'
    value: string
  }

  export interface WorkMessageValuesRequestIdsFieldEvent {
    field: '$.valuesRequest.ids'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageValuesJobFieldEvent {
    field: '$.values.job'
    value: string
  }

  export interface WorkMessageValuesIdsFieldEvent {
    field: '$.values.ids'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageValuesLengthsFieldEvent {
    field: '$.values.lengths'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageValuesPayloadFieldEvent {
    field: '$.values.payload'
    value: Uint8Array<ArrayBuffer>
  }

  export interface WorkMessageValuesMissingFieldEvent {
    field: '$.values.missing'
    value: Uint8Array<ArrayBuffer>
  }

  export function encode (obj: Partial<WorkMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, WorkMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<WorkMessage>): WorkMessage {
    return decodeMessage(buf, WorkMessage.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<WorkMessage>): Generator<WorkMessageEpochFieldEvent | WorkMessageHelloSlotsFieldEvent | WorkMessageHelloLeavingFieldEvent | WorkMessageBatchJobFieldEvent | WorkMessageBatchSha256FieldEvent | WorkMessageBatchIndicesFieldEvent | WorkMessageBatchLengthsFieldEvent | WorkMessageBatchPayloadFieldEvent | WorkMessageBatchChunkTimeoutFieldEvent | WorkMessageBatchPriorityFieldEvent | WorkMessageBatchAnnouncedFieldEvent | WorkMessageBatchQuarantinedFieldEvent | WorkMessageBatchDigestsFieldEvent | WorkMessageBatchSealFieldEvent | WorkMessageBatchSubmissionIdFieldEvent | WorkMessageBatchCombineFieldEvent | WorkMessageOutcomesJobFieldEvent | WorkMessageOutcomesIndicesFieldEvent | WorkMessageOutcomesLengthsFieldEvent | WorkMessageOutcomesPayloadFieldEvent | WorkMessageOutcomesFailuresFunctionFieldEvent | WorkMessageOutcomesFailuresIndexFieldEvent | WorkMessageOutcomesFailuresNameFieldEvent | WorkMessageOutcomesFailuresMessageFieldEvent | WorkMessageOutcomesFailuresStackFieldEvent | WorkMessageOutcomesBusyMsFieldEvent | WorkMessageOutcomesSubmissionIdFieldEvent | WorkMessageReleaseJobFieldEvent | WorkMessageCodeRequestSha256FieldEvent | WorkMessageCodeSha256FieldEvent | WorkMessageCodeCodeFieldEvent | WorkMessageLogJobFieldEvent | WorkMessageLogLinesFunctionFieldEvent | WorkMessageLogLinesIndexFieldEvent | WorkMessageLogLinesStderrFieldEvent | WorkMessageLogLinesLineFieldEvent | WorkMessageLogLinesPeerFieldEvent | WorkMessageCancelChunksJobFieldEvent | WorkMessageCancelChunksIndicesFieldEvent | WorkMessageStartingJobFieldEvent | WorkMessageStartingIndicesFieldEvent | WorkMessageGoJobFieldEvent | WorkMessageGoIndicesFieldEvent | WorkMessageOfferJobFieldEvent | WorkMessageOfferSha256FieldEvent | WorkMessageOfferLeaderFieldEvent | WorkMessageOfferEpochFieldEvent | WorkMessageOfferIndicesFieldEvent | WorkMessageOfferDigestsFieldEvent | WorkMessageOfferSealFieldEvent | WorkMessageOfferHeldFieldEvent | WorkMessageOfferSizesFieldEvent | WorkMessageOfferRunningFieldEvent | WorkMessageOfferWaitingFieldEvent | WorkMessageClaimJobFieldEvent | WorkMessageClaimIndicesFieldEvent | WorkMessageClaimDigestsFieldEvent | WorkMessageClaimSealFieldEvent | WorkMessageClaimSubmissionIdFieldEvent | WorkMessageReturnedJobFieldEvent | WorkMessageReturnedIndicesFieldEvent | WorkMessageCoveredJobFieldEvent | WorkMessageCoveredNextFieldEvent | WorkMessageValuesRequestJobFieldEvent | WorkMessageValuesRequestIdsFieldEvent | WorkMessageValuesJobFieldEvent | WorkMessageValuesIdsFieldEvent | WorkMessageValuesLengthsFieldEvent | WorkMessageValuesPayloadFieldEvent | WorkMessageValuesMissingFieldEvent> {
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
            case 2: {
              yield {
                field: `${prefix}.leaving`,
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

  export interface HelloSlotsFieldEvent {
    field: '$.slots'
    value: number
  }

  export interface HelloLeavingFieldEvent {
    field: '$.leaving'
    value: boolean
  }

  export function encode (obj: Partial<Hello>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Hello.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Hello>): Hello {
    return decodeMessage(buf, Hello.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Hello>): Generator<HelloSlotsFieldEvent | HelloLeavingFieldEvent> {
    return streamMessage(buf, Hello.codec(), opts)
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
                field: `${prefix}.leader`,
                value: reader.string()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.epoch`,
                value: reader.uint64Number()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.indices`,
                value: reader.bytes()
              }
              break
            }
            case 6: {
              yield {
                field: `${prefix}.digests`,
                value: reader.bytes()
              }
              break
            }
            case 7: {
              yield {
                field: `${prefix}.seal`,
                value: reader.bytes()
              }
              break
            }
            case 8: {
              yield {
                field: `${prefix}.held`,
                value: reader.bytes()
              }
              break
            }
            case 9: {
              yield {
                field: `${prefix}.sizes`,
                value: reader.bytes()
              }
              break
            }
            case 10: {
              yield {
                field: `${prefix}.running`,
                value: reader.bytes()
              }
              break
            }
            case 11: {
              yield {
                field: `${prefix}.waiting`,
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

  export interface OfferJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface OfferSha256FieldEvent {
    field: '$.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface OfferLeaderFieldEvent {
    field: '$.leader'
    value: string
  }

  export interface OfferEpochFieldEvent {
    field: '$.epoch'
    value: number
  }

  export interface OfferIndicesFieldEvent {
    field: '$.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export interface OfferDigestsFieldEvent {
    field: '$.digests'
    value: Uint8Array<ArrayBuffer>
  }

  export interface OfferSealFieldEvent {
    field: '$.seal'
    value: Uint8Array<ArrayBuffer>
  }

  export interface OfferHeldFieldEvent {
    field: '$.held'
    value: Uint8Array<ArrayBuffer>
  }

  export interface OfferSizesFieldEvent {
    field: '$.sizes'
    value: Uint8Array<ArrayBuffer>
  }

  export interface OfferRunningFieldEvent {
    field: '$.running'
    value: Uint8Array<ArrayBuffer>
  }

  export interface OfferWaitingFieldEvent {
    field: '$.waiting'
    value: Uint8Array<ArrayBuffer>
  }

  export function encode (obj: Partial<Offer>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Offer.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Offer>): Offer {
    return decodeMessage(buf, Offer.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Offer>): Generator<OfferJobFieldEvent | OfferSha256FieldEvent | OfferLeaderFieldEvent | OfferEpochFieldEvent | OfferIndicesFieldEvent | OfferDigestsFieldEvent | OfferSealFieldEvent | OfferHeldFieldEvent | OfferSizesFieldEvent | OfferRunningFieldEvent | OfferWaitingFieldEvent> {
    return streamMessage(buf, Offer.codec(), opts)
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
                field: `${prefix}.indices`,
                value: reader.bytes()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.digests`,
                value: reader.bytes()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.seal`,
                value: reader.bytes()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.submissionId`,
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

  export interface ClaimJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface ClaimIndicesFieldEvent {
    field: '$.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ClaimDigestsFieldEvent {
    field: '$.digests'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ClaimSealFieldEvent {
    field: '$.seal'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ClaimSubmissionIdFieldEvent {
    field: '$.submissionId'
    value: string
  }

  export function encode (obj: Partial<Claim>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Claim.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Claim>): Claim {
    return decodeMessage(buf, Claim.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Claim>): Generator<ClaimJobFieldEvent | ClaimIndicesFieldEvent | ClaimDigestsFieldEvent | ClaimSealFieldEvent | ClaimSubmissionIdFieldEvent> {
    return streamMessage(buf, Claim.codec(), opts)
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
                field: `${prefix}.indices`,
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

  export interface ReturnedJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface ReturnedIndicesFieldEvent {
    field: '$.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export function encode (obj: Partial<Returned>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Returned.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Returned>): Returned {
    return decodeMessage(buf, Returned.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Returned>): Generator<ReturnedJobFieldEvent | ReturnedIndicesFieldEvent> {
    return streamMessage(buf, Returned.codec(), opts)
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
                field: `${prefix}.next`,
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

  export interface CoveredJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface CoveredNextFieldEvent {
    field: '$.next'
    value: number
  }

  export function encode (obj: Partial<Covered>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Covered.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Covered>): Covered {
    return decodeMessage(buf, Covered.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Covered>): Generator<CoveredJobFieldEvent | CoveredNextFieldEvent> {
    return streamMessage(buf, Covered.codec(), opts)
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

  export function encode (obj: Partial<Leaving>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Leaving.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Leaving>): Leaving {
    return decodeMessage(buf, Leaving.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Leaving>): Generator<{}> {
    return streamMessage(buf, Leaving.codec(), opts)
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
            case 6: {
              yield {
                field: `${prefix}.chunkTimeout`,
                value: reader.uint32()
              }
              break
            }
            case 7: {
              yield {
                field: `${prefix}.priority`,
                value: reader.sint32()
              }
              break
            }
            case 8: {
              yield {
                field: `${prefix}.announced`,
                value: reader.bool()
              }
              break
            }
            case 9: {
              yield {
                field: `${prefix}.quarantined`,
                value: reader.bool()
              }
              break
            }
            case 10: {
              yield {
                field: `${prefix}.digests`,
                value: reader.bytes()
              }
              break
            }
            case 11: {
              yield {
                field: `${prefix}.seal`,
                value: reader.bytes()
              }
              break
            }
            case 12: {
              yield {
                field: `${prefix}.submissionId`,
                value: reader.string()
              }
              break
            }
            case 13: {
              yield {
                field: `${prefix}.combine`,
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

  export interface BatchChunkTimeoutFieldEvent {
    field: '$.chunkTimeout'
    value: number
  }

  export interface BatchPriorityFieldEvent {
    field: '$.priority'
    value: number
  }

  export interface BatchAnnouncedFieldEvent {
    field: '$.announced'
    value: boolean
  }

  export interface BatchQuarantinedFieldEvent {
    field: '$.quarantined'
    value: boolean
  }

  export interface BatchDigestsFieldEvent {
    field: '$.digests'
    value: Uint8Array<ArrayBuffer>
  }

  export interface BatchSealFieldEvent {
    field: '$.seal'
    value: Uint8Array<ArrayBuffer>
  }

  export interface BatchSubmissionIdFieldEvent {
    field: '$.submissionId'
    value: string
  }

  export interface BatchCombineFieldEvent {
    field: '$.combine'
    value: boolean
  }

  export function encode (obj: Partial<Batch>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Batch.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Batch>): Batch {
    return decodeMessage(buf, Batch.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Batch>): Generator<BatchJobFieldEvent | BatchSha256FieldEvent | BatchIndicesFieldEvent | BatchLengthsFieldEvent | BatchPayloadFieldEvent | BatchChunkTimeoutFieldEvent | BatchPriorityFieldEvent | BatchAnnouncedFieldEvent | BatchQuarantinedFieldEvent | BatchDigestsFieldEvent | BatchSealFieldEvent | BatchSubmissionIdFieldEvent | BatchCombineFieldEvent> {
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
            case 7: {
              yield {
                field: `${prefix}.submissionId`,
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

  export interface OutcomesSubmissionIdFieldEvent {
    field: '$.submissionId'
    value: string
  }

  export function encode (obj: Partial<Outcomes>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Outcomes.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Outcomes>): Outcomes {
    return decodeMessage(buf, Outcomes.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Outcomes>): Generator<OutcomesJobFieldEvent | OutcomesIndicesFieldEvent | OutcomesLengthsFieldEvent | OutcomesPayloadFieldEvent | OutcomesFailuresFunctionFieldEvent | OutcomesFailuresIndexFieldEvent | OutcomesFailuresNameFieldEvent | OutcomesFailuresMessageFieldEvent | OutcomesFailuresStackFieldEvent | OutcomesBusyMsFieldEvent | OutcomesSubmissionIdFieldEvent> {
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
                field: `${prefix}.indices`,
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

  export interface CancelChunksJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface CancelChunksIndicesFieldEvent {
    field: '$.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export function encode (obj: Partial<CancelChunks>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, CancelChunks.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<CancelChunks>): CancelChunks {
    return decodeMessage(buf, CancelChunks.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<CancelChunks>): Generator<CancelChunksJobFieldEvent | CancelChunksIndicesFieldEvent> {
    return streamMessage(buf, CancelChunks.codec(), opts)
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
                field: `${prefix}.indices`,
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

  export interface StartingJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface StartingIndicesFieldEvent {
    field: '$.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export function encode (obj: Partial<Starting>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Starting.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Starting>): Starting {
    return decodeMessage(buf, Starting.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Starting>): Generator<StartingJobFieldEvent | StartingIndicesFieldEvent> {
    return streamMessage(buf, Starting.codec(), opts)
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
                field: `${prefix}.ids`,
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

  export interface ValuesRequestJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface ValuesRequestIdsFieldEvent {
    field: '$.ids'
    value: Uint8Array<ArrayBuffer>
  }

  export function encode (obj: Partial<ValuesRequest>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ValuesRequest.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ValuesRequest>): ValuesRequest {
    return decodeMessage(buf, ValuesRequest.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ValuesRequest>): Generator<ValuesRequestJobFieldEvent | ValuesRequestIdsFieldEvent> {
    return streamMessage(buf, ValuesRequest.codec(), opts)
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
                field: `${prefix}.ids`,
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
              yield {
                field: `${prefix}.missing`,
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

  export interface ValuesJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface ValuesIdsFieldEvent {
    field: '$.ids'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ValuesLengthsFieldEvent {
    field: '$.lengths'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ValuesPayloadFieldEvent {
    field: '$.payload'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ValuesMissingFieldEvent {
    field: '$.missing'
    value: Uint8Array<ArrayBuffer>
  }

  export function encode (obj: Partial<Values>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Values.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Values>): Values {
    return decodeMessage(buf, Values.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Values>): Generator<ValuesJobFieldEvent | ValuesIdsFieldEvent | ValuesLengthsFieldEvent | ValuesPayloadFieldEvent | ValuesMissingFieldEvent> {
    return streamMessage(buf, Values.codec(), opts)
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
            case 14: {
              yield * Watch.codec().stream(reader, reader.uint32(), `${prefix}.watch`, {
                limits: opts.limits?.watch
              })

              break
            }
            case 16: {
              yield * Got.codec().stream(reader, reader.uint32(), `${prefix}.got`, {
                limits: opts.limits?.got
              })

              break
            }
            case 18: {
              yield * Items.codec().stream(reader, reader.uint32(), `${prefix}.items`, {
                limits: opts.limits?.items
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
            case 15: {
              yield * Unknown.codec().stream(reader, reader.uint32(), `${prefix}.unknown`, {
                limits: opts.limits?.unknown
              })

              break
            }
            case 17: {
              yield * Partials.codec().stream(reader, reader.uint32(), `${prefix}.partials`, {
                limits: opts.limits?.partials
              })

              break
            }
            case 19: {
              yield * Wants.codec().stream(reader, reader.uint32(), `${prefix}.wants`, {
                limits: opts.limits?.wants
              })

              break
            }
            case 20: {
              yield * Outputs.codec().stream(reader, reader.uint32(), `${prefix}.outputs`, {
                limits: opts.limits?.outputs
              })

              break
            }
            case 21: {
              yield * Durability.codec().stream(reader, reader.uint32(), `${prefix}.durability`, {
                limits: opts.limits?.durability
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

  export interface SubmitMessageSubmitSpeculateFieldEvent {
    field: '$.submit.speculate'
    value: boolean
  }

  export interface SubmitMessageSubmitRequiresFieldEvent {
    field: '$.submit.requires{}'
    key: string
    value: string
  }

  export interface SubmitMessageSubmitChunkTimeoutFieldEvent {
    field: '$.submit.chunkTimeout'
    value: number
  }

  export interface SubmitMessageSubmitPriorityFieldEvent {
    field: '$.submit.priority'
    value: number
  }

  export interface SubmitMessageSubmitDetachFieldEvent {
    field: '$.submit.detach'
    value: boolean
  }

  export interface SubmitMessageSubmitKeepFieldEvent {
    field: '$.submit.keep'
    value: number
  }

  export interface SubmitMessageSubmitSeenFieldEvent {
    field: '$.submit.seen'
    value: number
  }

  export interface SubmitMessageSubmitPartialsFieldEvent {
    field: '$.submit.partials'
    value: boolean
  }

  export interface SubmitMessageSubmitGotFieldEvent {
    field: '$.submit.got'
    value: number
  }

  export interface SubmitMessageSubmitStreamFieldEvent {
    field: '$.submit.stream'
    value: string
  }

  export interface SubmitMessageSubmitScheduledForFieldEvent {
    field: '$.submit.scheduledFor'
    value: number
  }

  export interface SubmitMessageSubmitDurableFieldEvent {
    field: '$.submit.durable'
    value: number
  }

  export interface SubmitMessageWatchSeenFieldEvent {
    field: '$.watch.seen'
    value: number
  }

  export interface SubmitMessageWatchResumeFieldEvent {
    field: '$.watch.resume'
    value: boolean
  }

  export interface SubmitMessageGotNextFieldEvent {
    field: '$.got.next'
    value: number
  }

  export interface SubmitMessageItemsFirstFieldEvent {
    field: '$.items.first'
    value: number
  }

  export interface SubmitMessageItemsLengthsFieldEvent {
    field: '$.items.lengths'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitMessageItemsPayloadFieldEvent {
    field: '$.items.payload'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitMessageItemsDoneFieldEvent {
    field: '$.items.done'
    value: boolean
  }

  export interface SubmitMessageAcceptedFoldedFieldEvent {
    field: '$.accepted.folded'
    value: number
  }

  export interface SubmitMessageAcceptedProgressStateFieldEvent {
    field: '$.accepted.progress.state'
    value: string
  }

  export interface SubmitMessageAcceptedProgressDoneFieldEvent {
    field: '$.accepted.progress.done'
    value: number
  }

  export interface SubmitMessageAcceptedProgressTotalFieldEvent {
    field: '$.accepted.progress.total'
    value: number
  }

  export interface SubmitMessageAcceptedProgressPeersFieldEvent {
    field: '$.accepted.progress.peers'
    value: number
  }

  export interface SubmitMessageAcceptedProgressRetriesFieldEvent {
    field: '$.accepted.progress.retries'
    value: number
  }

  export interface SubmitMessageAcceptedProgressSpeculatedFieldEvent {
    field: '$.accepted.progress.speculated'
    value: number
  }

  export interface SubmitMessageAcceptedProgressUnservedFieldEvent {
    field: '$.accepted.progress.unserved'
    value: boolean
  }

  export interface SubmitMessageAcceptedProgressRecomputedFieldEvent {
    field: '$.accepted.progress.recomputed'
    value: number
  }

  export interface SubmitMessageAcceptedDurabilityMemoryFieldEvent {
    field: '$.accepted.durability.memory'
    value: number
  }

  export interface SubmitMessageAcceptedDurabilityDiskFieldEvent {
    field: '$.accepted.durability.disk'
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

  export interface SubmitMessageProgressSpeculatedFieldEvent {
    field: '$.progress.speculated'
    value: number
  }

  export interface SubmitMessageProgressUnservedFieldEvent {
    field: '$.progress.unserved'
    value: boolean
  }

  export interface SubmitMessageProgressRecomputedFieldEvent {
    field: '$.progress.recomputed'
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

  export interface SubmitMessageCompletedStatsSpeculatedFieldEvent {
    field: '$.completed.stats.speculated'
    value: number
  }

  export interface SubmitMessageCompletedStatsRecomputedFieldEvent {
    field: '$.completed.stats.recomputed'
    value: number
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

  export interface SubmitMessageFailedStatsSpeculatedFieldEvent {
    field: '$.failed.stats.speculated'
    value: number
  }

  export interface SubmitMessageFailedStatsRecomputedFieldEvent {
    field: '$.failed.stats.recomputed'
    value: number
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

  export interface SubmitMessageCancelledStatsSpeculatedFieldEvent {
    field: '$.cancelled.stats.speculated'
    value: number
  }

  export interface SubmitMessageCancelledStatsRecomputedFieldEvent {
    field: '$.cancelled.stats.recomputed'
    value: number
  }

  export interface SubmitMessageRefusedReasonFieldEvent {
    field: '$.refused.reason'
    value: string
  }

  export interface SubmitMessageRefusedNotAdmittedFieldEvent {
    field: '$.refused.notAdmitted'
    value: boolean
  }

  export interface SubmitMessageRefusedEndFieldEvent {
    field: '$.refused.end'
    value: string
  }

  export interface SubmitMessageRefusedBusyMsFieldEvent {
    field: '$.refused.busy.ms'
    value: number
  }

  export interface SubmitMessageRefusedBusyPlacesFieldEvent {
    field: '$.refused.busy.places'
    value: number
  }

  export interface SubmitMessageRefusedNoRoomFieldEvent {
    field: '$.refused.noRoom'
    value: boolean
  }

  export interface SubmitMessageRefusedDisksFieldEvent {
    field: '$.refused.disks'
    value: number
  }

  export interface SubmitMessageRefusedSuspendedFieldEvent {
    field: '$.refused.suspended'
    value: boolean
  }

  export interface SubmitMessageUnknownEndFieldEvent {
    field: '$.unknown.end'
    value: string
  }

  export interface SubmitMessagePartialsFirstFieldEvent {
    field: '$.partials.first'
    value: number
  }

  export interface SubmitMessagePartialsLengthsFieldEvent {
    field: '$.partials.lengths'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitMessagePartialsPayloadFieldEvent {
    field: '$.partials.payload'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitMessageWantsFirstFieldEvent {
    field: '$.wants.first'
    value: number
  }

  export interface SubmitMessageWantsMostFieldEvent {
    field: '$.wants.most'
    value: number
  }

  export interface SubmitMessageOutputsIndicesFieldEvent {
    field: '$.outputs.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitMessageOutputsLengthsFieldEvent {
    field: '$.outputs.lengths'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitMessageOutputsPayloadFieldEvent {
    field: '$.outputs.payload'
    value: Uint8Array<ArrayBuffer>
  }

  export interface SubmitMessageDurabilityMemoryFieldEvent {
    field: '$.durability.memory'
    value: number
  }

  export interface SubmitMessageDurabilityDiskFieldEvent {
    field: '$.durability.disk'
    value: number
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

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<SubmitMessage>): Generator<SubmitMessageJobFieldEvent | SubmitMessageEpochFieldEvent | SubmitMessageSubmitTaskFieldEvent | SubmitMessageSubmitSha256FieldEvent | SubmitMessageSubmitCodeFieldEvent | SubmitMessageSubmitInputFieldEvent | SubmitMessageSubmitInputSha256FieldEvent | SubmitMessageSubmitRetriesFieldEvent | SubmitMessageSubmitSpeculateFieldEvent | SubmitMessageSubmitRequiresFieldEvent | SubmitMessageSubmitChunkTimeoutFieldEvent | SubmitMessageSubmitPriorityFieldEvent | SubmitMessageSubmitDetachFieldEvent | SubmitMessageSubmitKeepFieldEvent | SubmitMessageSubmitSeenFieldEvent | SubmitMessageSubmitPartialsFieldEvent | SubmitMessageSubmitGotFieldEvent | SubmitMessageSubmitStreamFieldEvent | SubmitMessageSubmitScheduledForFieldEvent | SubmitMessageSubmitDurableFieldEvent | SubmitMessageWatchSeenFieldEvent | SubmitMessageWatchResumeFieldEvent | SubmitMessageGotNextFieldEvent | SubmitMessageItemsFirstFieldEvent | SubmitMessageItemsLengthsFieldEvent | SubmitMessageItemsPayloadFieldEvent | SubmitMessageItemsDoneFieldEvent | SubmitMessageAcceptedFoldedFieldEvent | SubmitMessageAcceptedProgressStateFieldEvent | SubmitMessageAcceptedProgressDoneFieldEvent | SubmitMessageAcceptedProgressTotalFieldEvent | SubmitMessageAcceptedProgressPeersFieldEvent | SubmitMessageAcceptedProgressRetriesFieldEvent | SubmitMessageAcceptedProgressSpeculatedFieldEvent | SubmitMessageAcceptedProgressUnservedFieldEvent | SubmitMessageAcceptedProgressRecomputedFieldEvent | SubmitMessageAcceptedDurabilityMemoryFieldEvent | SubmitMessageAcceptedDurabilityDiskFieldEvent | SubmitMessageProgressStateFieldEvent | SubmitMessageProgressDoneFieldEvent | SubmitMessageProgressTotalFieldEvent | SubmitMessageProgressPeersFieldEvent | SubmitMessageProgressRetriesFieldEvent | SubmitMessageProgressSpeculatedFieldEvent | SubmitMessageProgressUnservedFieldEvent | SubmitMessageProgressRecomputedFieldEvent | SubmitMessageLogLinesFunctionFieldEvent | SubmitMessageLogLinesIndexFieldEvent | SubmitMessageLogLinesStderrFieldEvent | SubmitMessageLogLinesLineFieldEvent | SubmitMessageLogLinesPeerFieldEvent | SubmitMessageCompletedResultFieldEvent | SubmitMessageCompletedStatsChunksFieldEvent | SubmitMessageCompletedStatsRetriesFieldEvent | SubmitMessageCompletedStatsPerPeerPeerFieldEvent | SubmitMessageCompletedStatsPerPeerChunksFieldEvent | SubmitMessageCompletedStatsSpeculatedFieldEvent | SubmitMessageCompletedStatsRecomputedFieldEvent | SubmitMessageFailedFailureFunctionFieldEvent | SubmitMessageFailedFailureIndexFieldEvent | SubmitMessageFailedFailureNameFieldEvent | SubmitMessageFailedFailureMessageFieldEvent | SubmitMessageFailedFailureStackFieldEvent | SubmitMessageFailedStatsChunksFieldEvent | SubmitMessageFailedStatsRetriesFieldEvent | SubmitMessageFailedStatsPerPeerPeerFieldEvent | SubmitMessageFailedStatsPerPeerChunksFieldEvent | SubmitMessageFailedStatsSpeculatedFieldEvent | SubmitMessageFailedStatsRecomputedFieldEvent | SubmitMessageCancelledStatsChunksFieldEvent | SubmitMessageCancelledStatsRetriesFieldEvent | SubmitMessageCancelledStatsPerPeerPeerFieldEvent | SubmitMessageCancelledStatsPerPeerChunksFieldEvent | SubmitMessageCancelledStatsSpeculatedFieldEvent | SubmitMessageCancelledStatsRecomputedFieldEvent | SubmitMessageRefusedReasonFieldEvent | SubmitMessageRefusedNotAdmittedFieldEvent | SubmitMessageRefusedEndFieldEvent | SubmitMessageRefusedBusyMsFieldEvent | SubmitMessageRefusedBusyPlacesFieldEvent | SubmitMessageRefusedNoRoomFieldEvent | SubmitMessageRefusedDisksFieldEvent | SubmitMessageRefusedSuspendedFieldEvent | SubmitMessageUnknownEndFieldEvent | SubmitMessagePartialsFirstFieldEvent | SubmitMessagePartialsLengthsFieldEvent | SubmitMessagePartialsPayloadFieldEvent | SubmitMessageWantsFirstFieldEvent | SubmitMessageWantsMostFieldEvent | SubmitMessageOutputsIndicesFieldEvent | SubmitMessageOutputsLengthsFieldEvent | SubmitMessageOutputsPayloadFieldEvent | SubmitMessageDurabilityMemoryFieldEvent | SubmitMessageDurabilityDiskFieldEvent | SubmitMessageNotLeaderLeaderFieldEvent> {
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

    export interface Submit$requiresEntryKeyFieldEvent {
      field: '$.key'
      value: string
    }

    export interface Submit$requiresEntryValueFieldEvent {
      field: '$.value'
      value: string
    }

    export function encode (obj: Partial<Submit$requiresEntry>): Uint8Array<ArrayBuffer> {
      return encodeMessage(obj, Submit$requiresEntry.codec())
    }

    export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Submit$requiresEntry>): Submit$requiresEntry {
      return decodeMessage(buf, Submit$requiresEntry.codec(), opts)
    }

    export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Submit$requiresEntry>): Generator<Submit$requiresEntryKeyFieldEvent | Submit$requiresEntryValueFieldEvent> {
      return streamMessage(buf, Submit$requiresEntry.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          requires: 0
        }

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
            case 7: {
              yield {
                field: `${prefix}.speculate`,
                value: reader.bool()
              }
              break
            }
            case 8: {
              if (opts.limits?.requires != null && obj.requires === opts.limits.requires) {
                throw new MaxLengthError('Decode error - map field "requires" had too many elements')
              }

              yield * Submit.Submit$requiresEntry.codec().stream(reader, reader.uint32(), `${prefix}.requires{}`, {
                limits: {
                  value: opts.limits?.requires$value
                }
              })

              obj.requires++

              break
            }
            case 9: {
              yield {
                field: `${prefix}.chunkTimeout`,
                value: reader.uint32()
              }
              break
            }
            case 10: {
              yield {
                field: `${prefix}.priority`,
                value: reader.sint32()
              }
              break
            }
            case 11: {
              yield {
                field: `${prefix}.detach`,
                value: reader.bool()
              }
              break
            }
            case 12: {
              yield {
                field: `${prefix}.keep`,
                value: reader.uint32()
              }
              break
            }
            case 13: {
              yield {
                field: `${prefix}.seen`,
                value: reader.uint64Number()
              }
              break
            }
            case 14: {
              yield {
                field: `${prefix}.partials`,
                value: reader.bool()
              }
              break
            }
            case 15: {
              yield {
                field: `${prefix}.got`,
                value: reader.uint64Number()
              }
              break
            }
            case 16: {
              yield {
                field: `${prefix}.stream`,
                value: reader.string()
              }
              break
            }
            case 17: {
              yield {
                field: `${prefix}.scheduledFor`,
                value: reader.uint64Number()
              }
              break
            }
            case 18: {
              yield {
                field: `${prefix}.durable`,
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

  export interface SubmitSpeculateFieldEvent {
    field: '$.speculate'
    value: boolean
  }

  export interface SubmitRequiresFieldEvent {
    field: '$.requires{}'
    key: string
    value: string
  }

  export interface SubmitChunkTimeoutFieldEvent {
    field: '$.chunkTimeout'
    value: number
  }

  export interface SubmitPriorityFieldEvent {
    field: '$.priority'
    value: number
  }

  export interface SubmitDetachFieldEvent {
    field: '$.detach'
    value: boolean
  }

  export interface SubmitKeepFieldEvent {
    field: '$.keep'
    value: number
  }

  export interface SubmitSeenFieldEvent {
    field: '$.seen'
    value: number
  }

  export interface SubmitPartialsFieldEvent {
    field: '$.partials'
    value: boolean
  }

  export interface SubmitGotFieldEvent {
    field: '$.got'
    value: number
  }

  export interface SubmitStreamFieldEvent {
    field: '$.stream'
    value: string
  }

  export interface SubmitScheduledForFieldEvent {
    field: '$.scheduledFor'
    value: number
  }

  export interface SubmitDurableFieldEvent {
    field: '$.durable'
    value: number
  }

  export function encode (obj: Partial<Submit>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Submit.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Submit>): Submit {
    return decodeMessage(buf, Submit.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Submit>): Generator<SubmitTaskFieldEvent | SubmitSha256FieldEvent | SubmitCodeFieldEvent | SubmitInputFieldEvent | SubmitInputSha256FieldEvent | SubmitRetriesFieldEvent | SubmitSpeculateFieldEvent | SubmitRequiresFieldEvent | SubmitChunkTimeoutFieldEvent | SubmitPriorityFieldEvent | SubmitDetachFieldEvent | SubmitKeepFieldEvent | SubmitSeenFieldEvent | SubmitPartialsFieldEvent | SubmitGotFieldEvent | SubmitStreamFieldEvent | SubmitScheduledForFieldEvent | SubmitDurableFieldEvent> {
    return streamMessage(buf, Submit.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.next`,
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

  export interface GotNextFieldEvent {
    field: '$.next'
    value: number
  }

  export function encode (obj: Partial<Got>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Got.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Got>): Got {
    return decodeMessage(buf, Got.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Got>): Generator<GotNextFieldEvent> {
    return streamMessage(buf, Got.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.first`,
                value: reader.uint64Number()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.lengths`,
                value: reader.bytes()
              }
              break
            }
            case 3: {
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

  export interface PartialsFirstFieldEvent {
    field: '$.first'
    value: number
  }

  export interface PartialsLengthsFieldEvent {
    field: '$.lengths'
    value: Uint8Array<ArrayBuffer>
  }

  export interface PartialsPayloadFieldEvent {
    field: '$.payload'
    value: Uint8Array<ArrayBuffer>
  }

  export function encode (obj: Partial<Partials>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Partials.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Partials>): Partials {
    return decodeMessage(buf, Partials.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Partials>): Generator<PartialsFirstFieldEvent | PartialsLengthsFieldEvent | PartialsPayloadFieldEvent> {
    return streamMessage(buf, Partials.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.first`,
                value: reader.uint64Number()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.most`,
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

  export interface WantsFirstFieldEvent {
    field: '$.first'
    value: number
  }

  export interface WantsMostFieldEvent {
    field: '$.most'
    value: number
  }

  export function encode (obj: Partial<Wants>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Wants.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Wants>): Wants {
    return decodeMessage(buf, Wants.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Wants>): Generator<WantsFirstFieldEvent | WantsMostFieldEvent> {
    return streamMessage(buf, Wants.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.first`,
                value: reader.uint64Number()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.lengths`,
                value: reader.bytes()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.payload`,
                value: reader.bytes()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.done`,
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

  export interface ItemsFirstFieldEvent {
    field: '$.first'
    value: number
  }

  export interface ItemsLengthsFieldEvent {
    field: '$.lengths'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ItemsPayloadFieldEvent {
    field: '$.payload'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ItemsDoneFieldEvent {
    field: '$.done'
    value: boolean
  }

  export function encode (obj: Partial<Items>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Items.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Items>): Items {
    return decodeMessage(buf, Items.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Items>): Generator<ItemsFirstFieldEvent | ItemsLengthsFieldEvent | ItemsPayloadFieldEvent | ItemsDoneFieldEvent> {
    return streamMessage(buf, Items.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.indices`,
                value: reader.bytes()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.lengths`,
                value: reader.bytes()
              }
              break
            }
            case 3: {
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

  export interface OutputsIndicesFieldEvent {
    field: '$.indices'
    value: Uint8Array<ArrayBuffer>
  }

  export interface OutputsLengthsFieldEvent {
    field: '$.lengths'
    value: Uint8Array<ArrayBuffer>
  }

  export interface OutputsPayloadFieldEvent {
    field: '$.payload'
    value: Uint8Array<ArrayBuffer>
  }

  export function encode (obj: Partial<Outputs>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Outputs.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Outputs>): Outputs {
    return decodeMessage(buf, Outputs.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Outputs>): Generator<OutputsIndicesFieldEvent | OutputsLengthsFieldEvent | OutputsPayloadFieldEvent> {
    return streamMessage(buf, Outputs.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.seen`,
                value: reader.uint64Number()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.resume`,
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

  export interface WatchSeenFieldEvent {
    field: '$.seen'
    value: number
  }

  export interface WatchResumeFieldEvent {
    field: '$.resume'
    value: boolean
  }

  export function encode (obj: Partial<Watch>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Watch.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Watch>): Watch {
    return decodeMessage(buf, Watch.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Watch>): Generator<WatchSeenFieldEvent | WatchResumeFieldEvent> {
    return streamMessage(buf, Watch.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.folded`,
                value: reader.uint64Number()
              }
              break
            }
            case 2: {
              yield * Progress.codec().stream(reader, reader.uint32(), `${prefix}.progress`, {
                limits: opts.limits?.progress
              })

              break
            }
            case 3: {
              yield * Durability.codec().stream(reader, reader.uint32(), `${prefix}.durability`, {
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
      })
    }

    return _codec
  }

  export interface AcceptedFoldedFieldEvent {
    field: '$.folded'
    value: number
  }

  export interface AcceptedProgressStateFieldEvent {
    field: '$.progress.state'
    value: string
  }

  export interface AcceptedProgressDoneFieldEvent {
    field: '$.progress.done'
    value: number
  }

  export interface AcceptedProgressTotalFieldEvent {
    field: '$.progress.total'
    value: number
  }

  export interface AcceptedProgressPeersFieldEvent {
    field: '$.progress.peers'
    value: number
  }

  export interface AcceptedProgressRetriesFieldEvent {
    field: '$.progress.retries'
    value: number
  }

  export interface AcceptedProgressSpeculatedFieldEvent {
    field: '$.progress.speculated'
    value: number
  }

  export interface AcceptedProgressUnservedFieldEvent {
    field: '$.progress.unserved'
    value: boolean
  }

  export interface AcceptedProgressRecomputedFieldEvent {
    field: '$.progress.recomputed'
    value: number
  }

  export interface AcceptedDurabilityMemoryFieldEvent {
    field: '$.durability.memory'
    value: number
  }

  export interface AcceptedDurabilityDiskFieldEvent {
    field: '$.durability.disk'
    value: number
  }

  export function encode (obj: Partial<Accepted>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Accepted.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Accepted>): Accepted {
    return decodeMessage(buf, Accepted.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Accepted>): Generator<AcceptedFoldedFieldEvent | AcceptedProgressStateFieldEvent | AcceptedProgressDoneFieldEvent | AcceptedProgressTotalFieldEvent | AcceptedProgressPeersFieldEvent | AcceptedProgressRetriesFieldEvent | AcceptedProgressSpeculatedFieldEvent | AcceptedProgressUnservedFieldEvent | AcceptedProgressRecomputedFieldEvent | AcceptedDurabilityMemoryFieldEvent | AcceptedDurabilityDiskFieldEvent> {
    return streamMessage(buf, Accepted.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.memory`,
                value: reader.uint32()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.disk`,
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

  export interface DurabilityMemoryFieldEvent {
    field: '$.memory'
    value: number
  }

  export interface DurabilityDiskFieldEvent {
    field: '$.disk'
    value: number
  }

  export function encode (obj: Partial<Durability>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Durability.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Durability>): Durability {
    return decodeMessage(buf, Durability.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Durability>): Generator<DurabilityMemoryFieldEvent | DurabilityDiskFieldEvent> {
    return streamMessage(buf, Durability.codec(), opts)
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
            case 6: {
              yield {
                field: `${prefix}.speculated`,
                value: reader.uint64Number()
              }
              break
            }
            case 7: {
              yield {
                field: `${prefix}.unserved`,
                value: reader.bool()
              }
              break
            }
            case 8: {
              yield {
                field: `${prefix}.recomputed`,
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

  export interface ProgressSpeculatedFieldEvent {
    field: '$.speculated'
    value: number
  }

  export interface ProgressUnservedFieldEvent {
    field: '$.unserved'
    value: boolean
  }

  export interface ProgressRecomputedFieldEvent {
    field: '$.recomputed'
    value: number
  }

  export function encode (obj: Partial<Progress>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Progress.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Progress>): Progress {
    return decodeMessage(buf, Progress.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Progress>): Generator<ProgressStateFieldEvent | ProgressDoneFieldEvent | ProgressTotalFieldEvent | ProgressPeersFieldEvent | ProgressRetriesFieldEvent | ProgressSpeculatedFieldEvent | ProgressUnservedFieldEvent | ProgressRecomputedFieldEvent> {
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
            case 4: {
              yield {
                field: `${prefix}.speculated`,
                value: reader.uint64Number()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.recomputed`,
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

  export interface StatsSpeculatedFieldEvent {
    field: '$.speculated'
    value: number
  }

  export interface StatsRecomputedFieldEvent {
    field: '$.recomputed'
    value: number
  }

  export function encode (obj: Partial<Stats>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Stats.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Stats>): Stats {
    return decodeMessage(buf, Stats.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Stats>): Generator<StatsChunksFieldEvent | StatsRetriesFieldEvent | StatsPerPeerPeerFieldEvent | StatsPerPeerChunksFieldEvent | StatsSpeculatedFieldEvent | StatsRecomputedFieldEvent> {
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

  export interface CompletedStatsSpeculatedFieldEvent {
    field: '$.stats.speculated'
    value: number
  }

  export interface CompletedStatsRecomputedFieldEvent {
    field: '$.stats.recomputed'
    value: number
  }

  export function encode (obj: Partial<Completed>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Completed.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Completed>): Completed {
    return decodeMessage(buf, Completed.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Completed>): Generator<CompletedResultFieldEvent | CompletedStatsChunksFieldEvent | CompletedStatsRetriesFieldEvent | CompletedStatsPerPeerPeerFieldEvent | CompletedStatsPerPeerChunksFieldEvent | CompletedStatsSpeculatedFieldEvent | CompletedStatsRecomputedFieldEvent> {
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

  export interface FailedStatsSpeculatedFieldEvent {
    field: '$.stats.speculated'
    value: number
  }

  export interface FailedStatsRecomputedFieldEvent {
    field: '$.stats.recomputed'
    value: number
  }

  export function encode (obj: Partial<Failed>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Failed.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Failed>): Failed {
    return decodeMessage(buf, Failed.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Failed>): Generator<FailedFailureFunctionFieldEvent | FailedFailureIndexFieldEvent | FailedFailureNameFieldEvent | FailedFailureMessageFieldEvent | FailedFailureStackFieldEvent | FailedStatsChunksFieldEvent | FailedStatsRetriesFieldEvent | FailedStatsPerPeerPeerFieldEvent | FailedStatsPerPeerChunksFieldEvent | FailedStatsSpeculatedFieldEvent | FailedStatsRecomputedFieldEvent> {
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

  export interface CancelledStatsSpeculatedFieldEvent {
    field: '$.stats.speculated'
    value: number
  }

  export interface CancelledStatsRecomputedFieldEvent {
    field: '$.stats.recomputed'
    value: number
  }

  export function encode (obj: Partial<Cancelled>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Cancelled.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Cancelled>): Cancelled {
    return decodeMessage(buf, Cancelled.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Cancelled>): Generator<CancelledStatsChunksFieldEvent | CancelledStatsRetriesFieldEvent | CancelledStatsPerPeerPeerFieldEvent | CancelledStatsPerPeerChunksFieldEvent | CancelledStatsSpeculatedFieldEvent | CancelledStatsRecomputedFieldEvent> {
    return streamMessage(buf, Cancelled.codec(), opts)
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
            case 2: {
              yield {
                field: `${prefix}.notAdmitted`,
                value: reader.bool()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.end`,
                value: reader.string()
              }
              break
            }
            case 4: {
              yield * Busy.codec().stream(reader, reader.uint32(), `${prefix}.busy`, {
                limits: opts.limits?.busy
              })

              break
            }
            case 5: {
              yield {
                field: `${prefix}.noRoom`,
                value: reader.bool()
              }
              break
            }
            case 6: {
              yield {
                field: `${prefix}.disks`,
                value: reader.uint32()
              }
              break
            }
            case 7: {
              yield {
                field: `${prefix}.suspended`,
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

  export interface RefusedReasonFieldEvent {
    field: '$.reason'
    value: string
  }

  export interface RefusedNotAdmittedFieldEvent {
    field: '$.notAdmitted'
    value: boolean
  }

  export interface RefusedEndFieldEvent {
    field: '$.end'
    value: string
  }

  export interface RefusedBusyMsFieldEvent {
    field: '$.busy.ms'
    value: number
  }

  export interface RefusedBusyPlacesFieldEvent {
    field: '$.busy.places'
    value: number
  }

  export interface RefusedNoRoomFieldEvent {
    field: '$.noRoom'
    value: boolean
  }

  export interface RefusedDisksFieldEvent {
    field: '$.disks'
    value: number
  }

  export interface RefusedSuspendedFieldEvent {
    field: '$.suspended'
    value: boolean
  }

  export function encode (obj: Partial<Refused>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Refused.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Refused>): Refused {
    return decodeMessage(buf, Refused.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Refused>): Generator<RefusedReasonFieldEvent | RefusedNotAdmittedFieldEvent | RefusedEndFieldEvent | RefusedBusyMsFieldEvent | RefusedBusyPlacesFieldEvent | RefusedNoRoomFieldEvent | RefusedDisksFieldEvent | RefusedSuspendedFieldEvent> {
    return streamMessage(buf, Refused.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.ms`,
                value: reader.uint32()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.places`,
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

  export interface BusyMsFieldEvent {
    field: '$.ms'
    value: number
  }

  export interface BusyPlacesFieldEvent {
    field: '$.places'
    value: number
  }

  export function encode (obj: Partial<Busy>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Busy.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Busy>): Busy {
    return decodeMessage(buf, Busy.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Busy>): Generator<BusyMsFieldEvent | BusyPlacesFieldEvent> {
    return streamMessage(buf, Busy.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.end`,
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

  export interface UnknownEndFieldEvent {
    field: '$.end'
    value: string
  }

  export function encode (obj: Partial<Unknown>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Unknown.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Unknown>): Unknown {
    return decodeMessage(buf, Unknown.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Unknown>): Generator<UnknownEndFieldEvent> {
    return streamMessage(buf, Unknown.codec(), opts)
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
            case 5: {
              yield * ChunkMapAnswer.codec().stream(reader, reader.uint32(), `${prefix}.chunkMap`, {
                limits: opts.limits?.chunkMap
              })

              break
            }
            case 6: {
              yield * Unknown.codec().stream(reader, reader.uint32(), `${prefix}.unknown`, {
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
      })
    }

    return _codec
  }

  export interface OverviewMessageIdFieldEvent {
    field: '$.id'
    value: number
  }

  export interface OverviewMessageRequestChunksJobFieldEvent {
    field: '$.request.chunks.job'
    value: string
  }

  export interface OverviewMessageRequestChunksSourceFieldEvent {
    field: '$.request.chunks.source'
    value: string
  }

  export interface OverviewMessageRequestChunksSinceFieldEvent {
    field: '$.request.chunks.since'
    value: number
  }

  export interface OverviewMessageRequestChunksFromFieldEvent {
    field: '$.request.chunks.from'
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

  export interface OverviewMessageOverviewJobsUnservedFieldEvent {
    field: '$.overview.jobs[].unserved'
    value: boolean
    index: number
  }

  export interface OverviewMessageOverviewJobsAgeFieldEvent {
    field: '$.overview.jobs[].age'
    value: number
    index: number
  }

  export interface OverviewMessageOverviewJobsDurableFieldEvent {
    field: '$.overview.jobs[].durable'
    value: number
    index: number
  }

  export interface OverviewMessageOverviewJobsDurabilityMemoryFieldEvent {
    field: '$.overview.jobs[].durability.memory'
    value: number
    index: number
  }

  export interface OverviewMessageOverviewJobsDurabilityDiskFieldEvent {
    field: '$.overview.jobs[].durability.disk'
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

  export interface OverviewMessageChunkMapSourceFieldEvent {
    field: '$.chunkMap.source'
    value: string
  }

  export interface OverviewMessageChunkMapVersionFieldEvent {
    field: '$.chunkMap.version'
    value: number
  }

  export interface OverviewMessageChunkMapStateFieldEvent {
    field: '$.chunkMap.state'
    value: string
  }

  export interface OverviewMessageChunkMapWholeFieldEvent {
    field: '$.chunkMap.whole'
    value: boolean
  }

  export interface OverviewMessageChunkMapFirstFieldEvent {
    field: '$.chunkMap.first'
    value: number
  }

  export interface OverviewMessageChunkMapEndFieldEvent {
    field: '$.chunkMap.end'
    value: number
  }

  export interface OverviewMessageChunkMapPeersFieldEvent {
    field: '$.chunkMap.peers[]'
    index: number
    value: string
  }

  export interface OverviewMessageChunkMapRunsFieldEvent {
    field: '$.chunkMap.runs'
    value: Uint8Array<ArrayBuffer>
  }

  export interface OverviewMessageChunkMapNextFieldEvent {
    field: '$.chunkMap.next'
    value: number
  }

  export interface OverviewMessageUnknownEndFieldEvent {
    field: '$.unknown.end'
    value: string
  }

  export function encode (obj: Partial<OverviewMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, OverviewMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<OverviewMessage>): OverviewMessage {
    return decodeMessage(buf, OverviewMessage.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<OverviewMessage>): Generator<OverviewMessageIdFieldEvent | OverviewMessageRequestChunksJobFieldEvent | OverviewMessageRequestChunksSourceFieldEvent | OverviewMessageRequestChunksSinceFieldEvent | OverviewMessageRequestChunksFromFieldEvent | OverviewMessageOverviewJobsJobFieldEvent | OverviewMessageOverviewJobsTaskFieldEvent | OverviewMessageOverviewJobsStateFieldEvent | OverviewMessageOverviewJobsDoneFieldEvent | OverviewMessageOverviewJobsTotalFieldEvent | OverviewMessageOverviewJobsUnservedFieldEvent | OverviewMessageOverviewJobsAgeFieldEvent | OverviewMessageOverviewJobsDurableFieldEvent | OverviewMessageOverviewJobsDurabilityMemoryFieldEvent | OverviewMessageOverviewJobsDurabilityDiskFieldEvent | OverviewMessageOverviewBusyPeerFieldEvent | OverviewMessageOverviewBusyChunksFieldEvent | OverviewMessageNotLeaderLeaderFieldEvent | OverviewMessageChunkMapSourceFieldEvent | OverviewMessageChunkMapVersionFieldEvent | OverviewMessageChunkMapStateFieldEvent | OverviewMessageChunkMapWholeFieldEvent | OverviewMessageChunkMapFirstFieldEvent | OverviewMessageChunkMapEndFieldEvent | OverviewMessageChunkMapPeersFieldEvent | OverviewMessageChunkMapRunsFieldEvent | OverviewMessageChunkMapNextFieldEvent | OverviewMessageUnknownEndFieldEvent> {
    return streamMessage(buf, OverviewMessage.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield * ChunkMapRequest.codec().stream(reader, reader.uint32(), `${prefix}.chunks`, {
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
      })
    }

    return _codec
  }

  export interface OverviewRequestChunksJobFieldEvent {
    field: '$.chunks.job'
    value: string
  }

  export interface OverviewRequestChunksSourceFieldEvent {
    field: '$.chunks.source'
    value: string
  }

  export interface OverviewRequestChunksSinceFieldEvent {
    field: '$.chunks.since'
    value: number
  }

  export interface OverviewRequestChunksFromFieldEvent {
    field: '$.chunks.from'
    value: number
  }

  export function encode (obj: Partial<OverviewRequest>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, OverviewRequest.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<OverviewRequest>): OverviewRequest {
    return decodeMessage(buf, OverviewRequest.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<OverviewRequest>): Generator<OverviewRequestChunksJobFieldEvent | OverviewRequestChunksSourceFieldEvent | OverviewRequestChunksSinceFieldEvent | OverviewRequestChunksFromFieldEvent> {
    return streamMessage(buf, OverviewRequest.codec(), opts)
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
                field: `${prefix}.source`,
                value: reader.string()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.since`,
                value: reader.uint64Number()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.from`,
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

  export interface ChunkMapRequestJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface ChunkMapRequestSourceFieldEvent {
    field: '$.source'
    value: string
  }

  export interface ChunkMapRequestSinceFieldEvent {
    field: '$.since'
    value: number
  }

  export interface ChunkMapRequestFromFieldEvent {
    field: '$.from'
    value: number
  }

  export function encode (obj: Partial<ChunkMapRequest>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ChunkMapRequest.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ChunkMapRequest>): ChunkMapRequest {
    return decodeMessage(buf, ChunkMapRequest.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ChunkMapRequest>): Generator<ChunkMapRequestJobFieldEvent | ChunkMapRequestSourceFieldEvent | ChunkMapRequestSinceFieldEvent | ChunkMapRequestFromFieldEvent> {
    return streamMessage(buf, ChunkMapRequest.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          peers: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.source`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.version`,
                value: reader.uint64Number()
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
                field: `${prefix}.whole`,
                value: reader.bool()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.first`,
                value: reader.uint64Number()
              }
              break
            }
            case 6: {
              yield {
                field: `${prefix}.end`,
                value: reader.uint64Number()
              }
              break
            }
            case 7: {
              if (opts.limits?.peers != null && obj.peers === opts.limits.peers) {
                throw new MaxLengthError('Streaming decode error - repeated field "peers" had too many elements')
              }

              yield {
                field: `${prefix}.peers[]`,
                index: obj.peers,
                value: reader.string()
              }

              obj.peers++

              break
            }
            case 8: {
              yield {
                field: `${prefix}.runs`,
                value: reader.bytes()
              }
              break
            }
            case 9: {
              yield {
                field: `${prefix}.next`,
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

  export interface ChunkMapAnswerSourceFieldEvent {
    field: '$.source'
    value: string
  }

  export interface ChunkMapAnswerVersionFieldEvent {
    field: '$.version'
    value: number
  }

  export interface ChunkMapAnswerStateFieldEvent {
    field: '$.state'
    value: string
  }

  export interface ChunkMapAnswerWholeFieldEvent {
    field: '$.whole'
    value: boolean
  }

  export interface ChunkMapAnswerFirstFieldEvent {
    field: '$.first'
    value: number
  }

  export interface ChunkMapAnswerEndFieldEvent {
    field: '$.end'
    value: number
  }

  export interface ChunkMapAnswerPeersFieldEvent {
    field: '$.peers[]'
    index: number
    value: string
  }

  export interface ChunkMapAnswerRunsFieldEvent {
    field: '$.runs'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ChunkMapAnswerNextFieldEvent {
    field: '$.next'
    value: number
  }

  export function encode (obj: Partial<ChunkMapAnswer>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ChunkMapAnswer.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ChunkMapAnswer>): ChunkMapAnswer {
    return decodeMessage(buf, ChunkMapAnswer.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ChunkMapAnswer>): Generator<ChunkMapAnswerSourceFieldEvent | ChunkMapAnswerVersionFieldEvent | ChunkMapAnswerStateFieldEvent | ChunkMapAnswerWholeFieldEvent | ChunkMapAnswerFirstFieldEvent | ChunkMapAnswerEndFieldEvent | ChunkMapAnswerPeersFieldEvent | ChunkMapAnswerRunsFieldEvent | ChunkMapAnswerNextFieldEvent> {
    return streamMessage(buf, ChunkMapAnswer.codec(), opts)
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

  export interface OverviewJobsUnservedFieldEvent {
    field: '$.jobs[].unserved'
    value: boolean
    index: number
  }

  export interface OverviewJobsAgeFieldEvent {
    field: '$.jobs[].age'
    value: number
    index: number
  }

  export interface OverviewJobsDurableFieldEvent {
    field: '$.jobs[].durable'
    value: number
    index: number
  }

  export interface OverviewJobsDurabilityMemoryFieldEvent {
    field: '$.jobs[].durability.memory'
    value: number
    index: number
  }

  export interface OverviewJobsDurabilityDiskFieldEvent {
    field: '$.jobs[].durability.disk'
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

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Overview>): Generator<OverviewJobsJobFieldEvent | OverviewJobsTaskFieldEvent | OverviewJobsStateFieldEvent | OverviewJobsDoneFieldEvent | OverviewJobsTotalFieldEvent | OverviewJobsUnservedFieldEvent | OverviewJobsAgeFieldEvent | OverviewJobsDurableFieldEvent | OverviewJobsDurabilityMemoryFieldEvent | OverviewJobsDurabilityDiskFieldEvent | OverviewBusyPeerFieldEvent | OverviewBusyChunksFieldEvent> {
    return streamMessage(buf, Overview.codec(), opts)
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
            case 6: {
              yield {
                field: `${prefix}.unserved`,
                value: reader.bool()
              }
              break
            }
            case 7: {
              yield {
                field: `${prefix}.age`,
                value: reader.uint64Number()
              }
              break
            }
            case 8: {
              yield {
                field: `${prefix}.durable`,
                value: reader.uint32()
              }
              break
            }
            case 9: {
              yield * Durability.codec().stream(reader, reader.uint32(), `${prefix}.durability`, {
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

  export interface SummaryUnservedFieldEvent {
    field: '$.unserved'
    value: boolean
  }

  export interface SummaryAgeFieldEvent {
    field: '$.age'
    value: number
  }

  export interface SummaryDurableFieldEvent {
    field: '$.durable'
    value: number
  }

  export interface SummaryDurabilityMemoryFieldEvent {
    field: '$.durability.memory'
    value: number
  }

  export interface SummaryDurabilityDiskFieldEvent {
    field: '$.durability.disk'
    value: number
  }

  export function encode (obj: Partial<Summary>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, Summary.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Summary>): Summary {
    return decodeMessage(buf, Summary.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<Summary>): Generator<SummaryJobFieldEvent | SummaryTaskFieldEvent | SummaryStateFieldEvent | SummaryDoneFieldEvent | SummaryTotalFieldEvent | SummaryUnservedFieldEvent | SummaryAgeFieldEvent | SummaryDurableFieldEvent | SummaryDurabilityMemoryFieldEvent | SummaryDurabilityDiskFieldEvent> {
    return streamMessage(buf, Summary.codec(), opts)
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
              yield * JournalRead.codec().stream(reader, reader.uint32(), `${prefix}.read`, {
                limits: opts.limits?.read
              })

              break
            }
            case 3: {
              yield * JournalHeads.codec().stream(reader, reader.uint32(), `${prefix}.heads`, {
                limits: opts.limits?.heads
              })

              break
            }
            case 4: {
              yield * JournalFetch.codec().stream(reader, reader.uint32(), `${prefix}.fetch`, {
                limits: opts.limits?.fetch
              })

              break
            }
            case 5: {
              yield * JournalFetched.codec().stream(reader, reader.uint32(), `${prefix}.fetched`, {
                limits: opts.limits?.fetched
              })

              break
            }
            case 6: {
              yield * JournalPut.codec().stream(reader, reader.uint32(), `${prefix}.put`, {
                limits: opts.limits?.put
              })

              break
            }
            case 7: {
              yield * JournalHeld.codec().stream(reader, reader.uint32(), `${prefix}.held`, {
                limits: opts.limits?.held
              })

              break
            }
            case 8: {
              yield * JournalForget.codec().stream(reader, reader.uint32(), `${prefix}.forget`, {
                limits: opts.limits?.forget
              })

              break
            }
            case 9: {
              yield * JournalRefused.codec().stream(reader, reader.uint32(), `${prefix}.refused`, {
                limits: opts.limits?.refused
              })

              break
            }
            case 10: {
              yield * JournalUpdate.codec().stream(reader, reader.uint32(), `${prefix}.update`, {
                limits: opts.limits?.update
              })

              break
            }
            case 11: {
              yield * JournalPut.codec().stream(reader, reader.uint32(), `${prefix}.copy`, {
                limits: opts.limits?.copy
              })

              break
            }
            case 12: {
              yield * JournalHolders.codec().stream(reader, reader.uint32(), `${prefix}.holders`, {
                limits: opts.limits?.holders
              })

              break
            }
            case 13: {
              yield * JournalNoted.codec().stream(reader, reader.uint32(), `${prefix}.noted`, {
                limits: opts.limits?.noted
              })

              break
            }
            case 14: {
              yield * JournalWhole.codec().stream(reader, reader.uint32(), `${prefix}.whole`, {
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
      })
    }

    return _codec
  }

  export interface JournalMessageEpochFieldEvent {
    field: '$.epoch'
    value: number
  }

  export interface JournalMessageReadPriorityFieldEvent {
    field: '$.read.priority'
    value: number
  }

  export interface JournalMessageHeadsHeadsJobFieldEvent {
    field: '$.heads.heads[].job'
    value: string
    index: number
  }

  export interface JournalMessageHeadsHeadsStampEpochFieldEvent {
    field: '$.heads.heads[].stamp.epoch'
    value: number
    index: number
  }

  export interface JournalMessageHeadsHeadsStampLeaderFieldEvent {
    field: '$.heads.heads[].stamp.leader'
    value: string
    index: number
  }

  export interface JournalMessageHeadsHeadsStampPriorityFieldEvent {
    field: '$.heads.heads[].stamp.priority'
    value: number
    index: number
  }

  export interface JournalMessageHeadsHeadsStampVersionFieldEvent {
    field: '$.heads.heads[].stamp.version'
    value: number
    index: number
  }

  export interface JournalMessageHeadsHeadsSubmissionIdFieldEvent {
    field: '$.heads.heads[].submissionId'
    value: string
    index: number
  }

  export interface JournalMessageHeadsHeadsEndFieldEvent {
    field: '$.heads.heads[].end'
    value: string
    index: number
  }

  export interface JournalMessageHeadsHeadsHasOutcomeFieldEvent {
    field: '$.heads.heads[].hasOutcome'
    value: boolean
    index: number
  }

  export interface JournalMessageHeadsHeadsNextFieldEvent {
    field: '$.heads.heads[].next'
    value: number
    index: number
  }

  export interface JournalMessageHeadsHeadsDurableFieldEvent {
    field: '$.heads.heads[].durable'
    value: number
    index: number
  }

  export interface JournalMessageHeadsHeadsIsSuspendedFieldEvent {
    field: '$.heads.heads[].isSuspended'
    value: boolean
    index: number
  }

  export interface JournalMessageHeadsAgeFieldEvent {
    field: '$.heads.age'
    value: number
  }

  export interface JournalMessageHeadsHoldersStampEpochFieldEvent {
    field: '$.heads.holders.stamp.epoch'
    value: number
  }

  export interface JournalMessageHeadsHoldersStampLeaderFieldEvent {
    field: '$.heads.holders.stamp.leader'
    value: string
  }

  export interface JournalMessageHeadsHoldersStampPriorityFieldEvent {
    field: '$.heads.holders.stamp.priority'
    value: number
  }

  export interface JournalMessageHeadsHoldersStampVersionFieldEvent {
    field: '$.heads.holders.stamp.version'
    value: number
  }

  export interface JournalMessageHeadsHoldersHoldersFieldEvent {
    field: '$.heads.holders.holders[]'
    index: number
    value: string
  }

  export interface JournalMessageHeadsHoldersInMemoryFieldEvent {
    field: '$.heads.holders.inMemory[]'
    index: number
    value: string
  }

  export interface JournalMessageHeadsHoldersBehindFieldEvent {
    field: '$.heads.holders.behind[]'
    index: number
    value: string
  }

  export interface JournalMessageHeadsHoldersFloorEpochFieldEvent {
    field: '$.heads.holders.floor.epoch'
    value: number
  }

  export interface JournalMessageHeadsHoldersFloorLeaderFieldEvent {
    field: '$.heads.holders.floor.leader'
    value: string
  }

  export interface JournalMessageHeadsHoldersFloorPriorityFieldEvent {
    field: '$.heads.holders.floor.priority'
    value: number
  }

  export interface JournalMessageHeadsHoldersFloorVersionFieldEvent {
    field: '$.heads.holders.floor.version'
    value: number
  }

  export interface JournalMessageHeadsHoldersOutdatedFieldEvent {
    field: '$.heads.holders.outdated[]'
    index: number
    value: string
  }

  export interface JournalMessageHeadsIncompleteFieldEvent {
    field: '$.heads.incomplete'
    value: boolean
  }

  export interface JournalMessageHeadsOnDiskFieldEvent {
    field: '$.heads.onDisk'
    value: boolean
  }

  export interface JournalMessageFetchJobFieldEvent {
    field: '$.fetch.job'
    value: string
  }

  export interface JournalMessageFetchedJobFieldEvent {
    field: '$.fetched.job'
    value: string
  }

  export interface JournalMessageFetchedEntryHeadJobFieldEvent {
    field: '$.fetched.entry.head.job'
    value: string
  }

  export interface JournalMessageFetchedEntryHeadStampEpochFieldEvent {
    field: '$.fetched.entry.head.stamp.epoch'
    value: number
  }

  export interface JournalMessageFetchedEntryHeadStampLeaderFieldEvent {
    field: '$.fetched.entry.head.stamp.leader'
    value: string
  }

  export interface JournalMessageFetchedEntryHeadStampPriorityFieldEvent {
    field: '$.fetched.entry.head.stamp.priority'
    value: number
  }

  export interface JournalMessageFetchedEntryHeadStampVersionFieldEvent {
    field: '$.fetched.entry.head.stamp.version'
    value: number
  }

  export interface JournalMessageFetchedEntryHeadSubmissionIdFieldEvent {
    field: '$.fetched.entry.head.submissionId'
    value: string
  }

  export interface JournalMessageFetchedEntryHeadEndFieldEvent {
    field: '$.fetched.entry.head.end'
    value: string
  }

  export interface JournalMessageFetchedEntryHeadHasOutcomeFieldEvent {
    field: '$.fetched.entry.head.hasOutcome'
    value: boolean
  }

  export interface JournalMessageFetchedEntryHeadNextFieldEvent {
    field: '$.fetched.entry.head.next'
    value: number
  }

  export interface JournalMessageFetchedEntryHeadDurableFieldEvent {
    field: '$.fetched.entry.head.durable'
    value: number
  }

  export interface JournalMessageFetchedEntryHeadIsSuspendedFieldEvent {
    field: '$.fetched.entry.head.isSuspended'
    value: boolean
  }

  export interface JournalMessageFetchedEntryTaskFieldEvent {
    field: '$.fetched.entry.task'
    value: string
  }

  export interface JournalMessageFetchedEntrySha256FieldEvent {
    field: '$.fetched.entry.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalMessageFetchedEntryInputSha256FieldEvent {
    field: '$.fetched.entry.inputSha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalMessageFetchedEntrySlotsFieldEvent {
    field: '$.fetched.entry.slots'
    value: number
  }

  export interface JournalMessageFetchedEntrySubmissionTaskFieldEvent {
    field: '$.fetched.entry.submission.task'
    value: string
  }

  export interface JournalMessageFetchedEntrySubmissionSha256FieldEvent {
    field: '$.fetched.entry.submission.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalMessageFetchedEntrySubmissionCodeFieldEvent {
    field: '$.fetched.entry.submission.code'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalMessageFetchedEntrySubmissionInputFieldEvent {
    field: '$.fetched.entry.submission.input'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalMessageFetchedEntrySubmissionInputSha256FieldEvent {
    field: '$.fetched.entry.submission.inputSha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalMessageFetchedEntrySubmissionRetriesFieldEvent {
    field: '$.fetched.entry.submission.retries'
    value: number
  }

  export interface JournalMessageFetchedEntrySubmissionSpeculateFieldEvent {
    field: '$.fetched.entry.submission.speculate'
    value: boolean
  }

  export interface JournalMessageFetchedEntrySubmissionRequiresFieldEvent {
    field: '$.fetched.entry.submission.requires{}'
    key: string
    value: string
  }

  export interface JournalMessageFetchedEntrySubmissionChunkTimeoutFieldEvent {
    field: '$.fetched.entry.submission.chunkTimeout'
    value: number
  }

  export interface JournalMessageFetchedEntrySubmissionPriorityFieldEvent {
    field: '$.fetched.entry.submission.priority'
    value: number
  }

  export interface JournalMessageFetchedEntrySubmissionDetachFieldEvent {
    field: '$.fetched.entry.submission.detach'
    value: boolean
  }

  export interface JournalMessageFetchedEntrySubmissionKeepFieldEvent {
    field: '$.fetched.entry.submission.keep'
    value: number
  }

  export interface JournalMessageFetchedEntrySubmissionSeenFieldEvent {
    field: '$.fetched.entry.submission.seen'
    value: number
  }

  export interface JournalMessageFetchedEntrySubmissionPartialsFieldEvent {
    field: '$.fetched.entry.submission.partials'
    value: boolean
  }

  export interface JournalMessageFetchedEntrySubmissionGotFieldEvent {
    field: '$.fetched.entry.submission.got'
    value: number
  }

  export interface JournalMessageFetchedEntrySubmissionStreamFieldEvent {
    field: '$.fetched.entry.submission.stream'
    value: string
  }

  export interface JournalMessageFetchedEntrySubmissionScheduledForFieldEvent {
    field: '$.fetched.entry.submission.scheduledFor'
    value: number
  }

  export interface JournalMessageFetchedEntrySubmissionDurableFieldEvent {
    field: '$.fetched.entry.submission.durable'
    value: number
  }

  export interface JournalMessageFetchedEntryCompletedResultFieldEvent {
    field: '$.fetched.entry.completed.result'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalMessageFetchedEntryCompletedStatsChunksFieldEvent {
    field: '$.fetched.entry.completed.stats.chunks'
    value: number
  }

  export interface JournalMessageFetchedEntryCompletedStatsRetriesFieldEvent {
    field: '$.fetched.entry.completed.stats.retries'
    value: number
  }

  export interface JournalMessageFetchedEntryCompletedStatsPerPeerPeerFieldEvent {
    field: '$.fetched.entry.completed.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalMessageFetchedEntryCompletedStatsPerPeerChunksFieldEvent {
    field: '$.fetched.entry.completed.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalMessageFetchedEntryCompletedStatsSpeculatedFieldEvent {
    field: '$.fetched.entry.completed.stats.speculated'
    value: number
  }

  export interface JournalMessageFetchedEntryCompletedStatsRecomputedFieldEvent {
    field: '$.fetched.entry.completed.stats.recomputed'
    value: number
  }

  export interface JournalMessageFetchedEntryFailedFailureFunctionFieldEvent {
    field: '$.fetched.entry.failed.failure.function'
    value: string
  }

  export interface JournalMessageFetchedEntryFailedFailureIndexFieldEvent {
    field: '$.fetched.entry.failed.failure.index'
    value: number
  }

  export interface JournalMessageFetchedEntryFailedFailureNameFieldEvent {
    field: '$.fetched.entry.failed.failure.name'
    value: string
  }

  export interface JournalMessageFetchedEntryFailedFailureMessageFieldEvent {
    field: '$.fetched.entry.failed.failure.message'
    value: string
  }

  export interface JournalMessageFetchedEntryFailedFailureStackFieldEvent {
    field: '$.fetched.entry.failed.failure.stack'
    value: string
  }

  export interface JournalMessageFetchedEntryFailedStatsChunksFieldEvent {
    field: '$.fetched.entry.failed.stats.chunks'
    value: number
  }

  export interface JournalMessageFetchedEntryFailedStatsRetriesFieldEvent {
    field: '$.fetched.entry.failed.stats.retries'
    value: number
  }

  export interface JournalMessageFetchedEntryFailedStatsPerPeerPeerFieldEvent {
    field: '$.fetched.entry.failed.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalMessageFetchedEntryFailedStatsPerPeerChunksFieldEvent {
    field: '$.fetched.entry.failed.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalMessageFetchedEntryFailedStatsSpeculatedFieldEvent {
    field: '$.fetched.entry.failed.stats.speculated'
    value: number
  }

  export interface JournalMessageFetchedEntryFailedStatsRecomputedFieldEvent {
    field: '$.fetched.entry.failed.stats.recomputed'
    value: number
  }

  export interface JournalMessageFetchedEntryCancelledStatsChunksFieldEvent {
    field: '$.fetched.entry.cancelled.stats.chunks'
    value: number
  }

  export interface JournalMessageFetchedEntryCancelledStatsRetriesFieldEvent {
    field: '$.fetched.entry.cancelled.stats.retries'
    value: number
  }

  export interface JournalMessageFetchedEntryCancelledStatsPerPeerPeerFieldEvent {
    field: '$.fetched.entry.cancelled.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalMessageFetchedEntryCancelledStatsPerPeerChunksFieldEvent {
    field: '$.fetched.entry.cancelled.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalMessageFetchedEntryCancelledStatsSpeculatedFieldEvent {
    field: '$.fetched.entry.cancelled.stats.speculated'
    value: number
  }

  export interface JournalMessageFetchedEntryCancelledStatsRecomputedFieldEvent {
    field: '$.fetched.entry.cancelled.stats.recomputed'
    value: number
  }

  export interface JournalMessageFetchedEntryKeepFieldEvent {
    field: '$.fetched.entry.keep'
    value: number
  }

  export interface JournalMessageFetchedEntryCheckpointNextFieldEvent {
    field: '$.fetched.entry.checkpoint.next'
    value: number
  }

  export interface JournalMessageFetchedEntryCheckpointDigestFieldEvent {
    field: '$.fetched.entry.checkpoint.digest'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalMessageFetchedEntryCheckpointPerPeerPeerFieldEvent {
    field: '$.fetched.entry.checkpoint.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalMessageFetchedEntryCheckpointPerPeerChunksFieldEvent {
    field: '$.fetched.entry.checkpoint.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalMessageFetchedEntryCheckpointAccumulatorFieldEvent {
    field: '$.fetched.entry.checkpoint.accumulator'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalMessageFetchedEntryCheckpointPartialsFirstFieldEvent {
    field: '$.fetched.entry.checkpoint.partials[].first'
    value: number
    index: number
  }

  export interface JournalMessageFetchedEntryCheckpointPartialsLengthsFieldEvent {
    field: '$.fetched.entry.checkpoint.partials[].lengths'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessageFetchedEntryCheckpointPartialsPayloadFieldEvent {
    field: '$.fetched.entry.checkpoint.partials[].payload'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessageFetchedEntryLeadersLeaderFieldEvent {
    field: '$.fetched.entry.leaders[].leader'
    value: string
    index: number
  }

  export interface JournalMessageFetchedEntryLeadersEpochFieldEvent {
    field: '$.fetched.entry.leaders[].epoch'
    value: number
    index: number
  }

  export interface JournalMessageFetchedEntryLockLimitFieldEvent {
    field: '$.fetched.entry.lock.limit'
    value: number
  }

  export interface JournalMessageFetchedEntryLockTokenFieldEvent {
    field: '$.fetched.entry.lock.token'
    value: number
  }

  export interface JournalMessageFetchedEntryLockHoldersSessionFieldEvent {
    field: '$.fetched.entry.lock.holders[].session'
    value: string
    index: number
  }

  export interface JournalMessageFetchedEntryLockHoldersClientFieldEvent {
    field: '$.fetched.entry.lock.holders[].client'
    value: string
    index: number
  }

  export interface JournalMessageFetchedEntryLockHoldersOwnerFieldEvent {
    field: '$.fetched.entry.lock.holders[].owner'
    value: string
    index: number
  }

  export interface JournalMessageFetchedEntryLockHoldersTokenFieldEvent {
    field: '$.fetched.entry.lock.holders[].token'
    value: number
    index: number
  }

  export interface JournalMessageFetchedEntryLockHoldersTtlFieldEvent {
    field: '$.fetched.entry.lock.holders[].ttl'
    value: number
    index: number
  }

  export interface JournalMessageFetchedEntryLockHoldersSinceFieldEvent {
    field: '$.fetched.entry.lock.holders[].since'
    value: number
    index: number
  }

  export interface JournalMessageFetchedEntryScheduleTermsIdFieldEvent {
    field: '$.fetched.entry.schedule.terms.id'
    value: string
  }

  export interface JournalMessageFetchedEntryScheduleTermsCronFieldEvent {
    field: '$.fetched.entry.schedule.terms.cron'
    value: string
  }

  export interface JournalMessageFetchedEntryScheduleTermsTimeZoneFieldEvent {
    field: '$.fetched.entry.schedule.terms.timeZone'
    value: string
  }

  export interface JournalMessageFetchedEntryScheduleTermsAtFieldEvent {
    field: '$.fetched.entry.schedule.terms.at'
    value: number
  }

  export interface JournalMessageFetchedEntryScheduleTermsMissedFieldEvent {
    field: '$.fetched.entry.schedule.terms.missed'
    value: string
  }

  export interface JournalMessageFetchedEntryScheduleTermsOverlapFieldEvent {
    field: '$.fetched.entry.schedule.terms.overlap'
    value: string
  }

  export interface JournalMessageFetchedEntryScheduleTermsCatchUpFieldEvent {
    field: '$.fetched.entry.schedule.terms.catchUp'
    value: number
  }

  export interface JournalMessageFetchedEntryScheduleTermsJitterFieldEvent {
    field: '$.fetched.entry.schedule.terms.jitter'
    value: number
  }

  export interface JournalMessageFetchedEntryScheduleAddedAtFieldEvent {
    field: '$.fetched.entry.schedule.addedAt'
    value: number
  }

  export interface JournalMessageFetchedEntryRemovedScheduleIdFieldEvent {
    field: '$.fetched.entry.removedSchedule.id'
    value: string
  }

  export interface JournalMessageFetchedEntryRemovedScheduleRemovedAtFieldEvent {
    field: '$.fetched.entry.removedSchedule.removedAt'
    value: number
  }

  export interface JournalMessageFetchedEntryMarkIdFieldEvent {
    field: '$.fetched.entry.mark.id'
    value: string
  }

  export interface JournalMessageFetchedEntryMarkFiredThroughFieldEvent {
    field: '$.fetched.entry.mark.firedThrough'
    value: number
  }

  export interface JournalMessageFetchedEntryMarkIsPausedFieldEvent {
    field: '$.fetched.entry.mark.isPaused'
    value: boolean
  }

  export interface JournalMessageFetchedEntryMarkSkippedFieldEvent {
    field: '$.fetched.entry.mark.skipped'
    value: number
  }

  export interface JournalMessageFetchedEntryMarkLastJobFieldEvent {
    field: '$.fetched.entry.mark.last.job'
    value: string
  }

  export interface JournalMessageFetchedEntryMarkLastDueFieldEvent {
    field: '$.fetched.entry.mark.last.due'
    value: number
  }

  export interface JournalMessageFetchedEntryMarkLastStateFieldEvent {
    field: '$.fetched.entry.mark.last.state'
    value: string
  }

  export interface JournalMessagePutEntriesHeadJobFieldEvent {
    field: '$.put.entries[].head.job'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesHeadStampEpochFieldEvent {
    field: '$.put.entries[].head.stamp.epoch'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesHeadStampLeaderFieldEvent {
    field: '$.put.entries[].head.stamp.leader'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesHeadStampPriorityFieldEvent {
    field: '$.put.entries[].head.stamp.priority'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesHeadStampVersionFieldEvent {
    field: '$.put.entries[].head.stamp.version'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesHeadSubmissionIdFieldEvent {
    field: '$.put.entries[].head.submissionId'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesHeadEndFieldEvent {
    field: '$.put.entries[].head.end'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesHeadHasOutcomeFieldEvent {
    field: '$.put.entries[].head.hasOutcome'
    value: boolean
    index: number
  }

  export interface JournalMessagePutEntriesHeadNextFieldEvent {
    field: '$.put.entries[].head.next'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesHeadDurableFieldEvent {
    field: '$.put.entries[].head.durable'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesHeadIsSuspendedFieldEvent {
    field: '$.put.entries[].head.isSuspended'
    value: boolean
    index: number
  }

  export interface JournalMessagePutEntriesTaskFieldEvent {
    field: '$.put.entries[].task'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesSha256FieldEvent {
    field: '$.put.entries[].sha256'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessagePutEntriesInputSha256FieldEvent {
    field: '$.put.entries[].inputSha256'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessagePutEntriesSlotsFieldEvent {
    field: '$.put.entries[].slots'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionTaskFieldEvent {
    field: '$.put.entries[].submission.task'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionSha256FieldEvent {
    field: '$.put.entries[].submission.sha256'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionCodeFieldEvent {
    field: '$.put.entries[].submission.code'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionInputFieldEvent {
    field: '$.put.entries[].submission.input'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionInputSha256FieldEvent {
    field: '$.put.entries[].submission.inputSha256'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionRetriesFieldEvent {
    field: '$.put.entries[].submission.retries'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionSpeculateFieldEvent {
    field: '$.put.entries[].submission.speculate'
    value: boolean
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionRequiresFieldEvent {
    field: '$.put.entries[].submission.requires{}'
    key: string
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionChunkTimeoutFieldEvent {
    field: '$.put.entries[].submission.chunkTimeout'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionPriorityFieldEvent {
    field: '$.put.entries[].submission.priority'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionDetachFieldEvent {
    field: '$.put.entries[].submission.detach'
    value: boolean
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionKeepFieldEvent {
    field: '$.put.entries[].submission.keep'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionSeenFieldEvent {
    field: '$.put.entries[].submission.seen'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionPartialsFieldEvent {
    field: '$.put.entries[].submission.partials'
    value: boolean
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionGotFieldEvent {
    field: '$.put.entries[].submission.got'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionStreamFieldEvent {
    field: '$.put.entries[].submission.stream'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionScheduledForFieldEvent {
    field: '$.put.entries[].submission.scheduledFor'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesSubmissionDurableFieldEvent {
    field: '$.put.entries[].submission.durable'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesCompletedResultFieldEvent {
    field: '$.put.entries[].completed.result'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessagePutEntriesCompletedStatsChunksFieldEvent {
    field: '$.put.entries[].completed.stats.chunks'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesCompletedStatsRetriesFieldEvent {
    field: '$.put.entries[].completed.stats.retries'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesCompletedStatsPerPeerPeerFieldEvent {
    field: '$.put.entries[].completed.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesCompletedStatsPerPeerChunksFieldEvent {
    field: '$.put.entries[].completed.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesCompletedStatsSpeculatedFieldEvent {
    field: '$.put.entries[].completed.stats.speculated'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesCompletedStatsRecomputedFieldEvent {
    field: '$.put.entries[].completed.stats.recomputed'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesFailedFailureFunctionFieldEvent {
    field: '$.put.entries[].failed.failure.function'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesFailedFailureIndexFieldEvent {
    field: '$.put.entries[].failed.failure.index'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesFailedFailureNameFieldEvent {
    field: '$.put.entries[].failed.failure.name'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesFailedFailureMessageFieldEvent {
    field: '$.put.entries[].failed.failure.message'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesFailedFailureStackFieldEvent {
    field: '$.put.entries[].failed.failure.stack'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesFailedStatsChunksFieldEvent {
    field: '$.put.entries[].failed.stats.chunks'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesFailedStatsRetriesFieldEvent {
    field: '$.put.entries[].failed.stats.retries'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesFailedStatsPerPeerPeerFieldEvent {
    field: '$.put.entries[].failed.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesFailedStatsPerPeerChunksFieldEvent {
    field: '$.put.entries[].failed.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesFailedStatsSpeculatedFieldEvent {
    field: '$.put.entries[].failed.stats.speculated'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesFailedStatsRecomputedFieldEvent {
    field: '$.put.entries[].failed.stats.recomputed'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesCancelledStatsChunksFieldEvent {
    field: '$.put.entries[].cancelled.stats.chunks'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesCancelledStatsRetriesFieldEvent {
    field: '$.put.entries[].cancelled.stats.retries'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesCancelledStatsPerPeerPeerFieldEvent {
    field: '$.put.entries[].cancelled.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesCancelledStatsPerPeerChunksFieldEvent {
    field: '$.put.entries[].cancelled.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesCancelledStatsSpeculatedFieldEvent {
    field: '$.put.entries[].cancelled.stats.speculated'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesCancelledStatsRecomputedFieldEvent {
    field: '$.put.entries[].cancelled.stats.recomputed'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesKeepFieldEvent {
    field: '$.put.entries[].keep'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesCheckpointNextFieldEvent {
    field: '$.put.entries[].checkpoint.next'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesCheckpointDigestFieldEvent {
    field: '$.put.entries[].checkpoint.digest'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessagePutEntriesCheckpointPerPeerPeerFieldEvent {
    field: '$.put.entries[].checkpoint.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesCheckpointPerPeerChunksFieldEvent {
    field: '$.put.entries[].checkpoint.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesCheckpointAccumulatorFieldEvent {
    field: '$.put.entries[].checkpoint.accumulator'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessagePutEntriesCheckpointPartialsFirstFieldEvent {
    field: '$.put.entries[].checkpoint.partials[].first'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesCheckpointPartialsLengthsFieldEvent {
    field: '$.put.entries[].checkpoint.partials[].lengths'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessagePutEntriesCheckpointPartialsPayloadFieldEvent {
    field: '$.put.entries[].checkpoint.partials[].payload'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessagePutEntriesLeadersLeaderFieldEvent {
    field: '$.put.entries[].leaders[].leader'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesLeadersEpochFieldEvent {
    field: '$.put.entries[].leaders[].epoch'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesLockLimitFieldEvent {
    field: '$.put.entries[].lock.limit'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesLockTokenFieldEvent {
    field: '$.put.entries[].lock.token'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesLockHoldersSessionFieldEvent {
    field: '$.put.entries[].lock.holders[].session'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesLockHoldersClientFieldEvent {
    field: '$.put.entries[].lock.holders[].client'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesLockHoldersOwnerFieldEvent {
    field: '$.put.entries[].lock.holders[].owner'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesLockHoldersTokenFieldEvent {
    field: '$.put.entries[].lock.holders[].token'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesLockHoldersTtlFieldEvent {
    field: '$.put.entries[].lock.holders[].ttl'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesLockHoldersSinceFieldEvent {
    field: '$.put.entries[].lock.holders[].since'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesScheduleTermsIdFieldEvent {
    field: '$.put.entries[].schedule.terms.id'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesScheduleTermsCronFieldEvent {
    field: '$.put.entries[].schedule.terms.cron'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesScheduleTermsTimeZoneFieldEvent {
    field: '$.put.entries[].schedule.terms.timeZone'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesScheduleTermsAtFieldEvent {
    field: '$.put.entries[].schedule.terms.at'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesScheduleTermsMissedFieldEvent {
    field: '$.put.entries[].schedule.terms.missed'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesScheduleTermsOverlapFieldEvent {
    field: '$.put.entries[].schedule.terms.overlap'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesScheduleTermsCatchUpFieldEvent {
    field: '$.put.entries[].schedule.terms.catchUp'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesScheduleTermsJitterFieldEvent {
    field: '$.put.entries[].schedule.terms.jitter'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesScheduleAddedAtFieldEvent {
    field: '$.put.entries[].schedule.addedAt'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesRemovedScheduleIdFieldEvent {
    field: '$.put.entries[].removedSchedule.id'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesRemovedScheduleRemovedAtFieldEvent {
    field: '$.put.entries[].removedSchedule.removedAt'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesMarkIdFieldEvent {
    field: '$.put.entries[].mark.id'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesMarkFiredThroughFieldEvent {
    field: '$.put.entries[].mark.firedThrough'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesMarkIsPausedFieldEvent {
    field: '$.put.entries[].mark.isPaused'
    value: boolean
    index: number
  }

  export interface JournalMessagePutEntriesMarkSkippedFieldEvent {
    field: '$.put.entries[].mark.skipped'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesMarkLastJobFieldEvent {
    field: '$.put.entries[].mark.last.job'
    value: string
    index: number
  }

  export interface JournalMessagePutEntriesMarkLastDueFieldEvent {
    field: '$.put.entries[].mark.last.due'
    value: number
    index: number
  }

  export interface JournalMessagePutEntriesMarkLastStateFieldEvent {
    field: '$.put.entries[].mark.last.state'
    value: string
    index: number
  }

  export interface JournalMessageHeldJobFieldEvent {
    field: '$.held.job'
    value: string
  }

  export interface JournalMessageHeldVersionFieldEvent {
    field: '$.held.version'
    value: number
  }

  export interface JournalMessageHeldOnDiskFieldEvent {
    field: '$.held.onDisk'
    value: boolean
  }

  export interface JournalMessageForgetJobFieldEvent {
    field: '$.forget.job'
    value: string
  }

  export interface JournalMessageForgetStampEpochFieldEvent {
    field: '$.forget.stamp.epoch'
    value: number
  }

  export interface JournalMessageForgetStampLeaderFieldEvent {
    field: '$.forget.stamp.leader'
    value: string
  }

  export interface JournalMessageForgetStampPriorityFieldEvent {
    field: '$.forget.stamp.priority'
    value: number
  }

  export interface JournalMessageForgetStampVersionFieldEvent {
    field: '$.forget.stamp.version'
    value: number
  }

  export interface JournalMessageUpdateHeadJobFieldEvent {
    field: '$.update.head.job'
    value: string
  }

  export interface JournalMessageUpdateHeadStampEpochFieldEvent {
    field: '$.update.head.stamp.epoch'
    value: number
  }

  export interface JournalMessageUpdateHeadStampLeaderFieldEvent {
    field: '$.update.head.stamp.leader'
    value: string
  }

  export interface JournalMessageUpdateHeadStampPriorityFieldEvent {
    field: '$.update.head.stamp.priority'
    value: number
  }

  export interface JournalMessageUpdateHeadStampVersionFieldEvent {
    field: '$.update.head.stamp.version'
    value: number
  }

  export interface JournalMessageUpdateHeadSubmissionIdFieldEvent {
    field: '$.update.head.submissionId'
    value: string
  }

  export interface JournalMessageUpdateHeadEndFieldEvent {
    field: '$.update.head.end'
    value: string
  }

  export interface JournalMessageUpdateHeadHasOutcomeFieldEvent {
    field: '$.update.head.hasOutcome'
    value: boolean
  }

  export interface JournalMessageUpdateHeadNextFieldEvent {
    field: '$.update.head.next'
    value: number
  }

  export interface JournalMessageUpdateHeadDurableFieldEvent {
    field: '$.update.head.durable'
    value: number
  }

  export interface JournalMessageUpdateHeadIsSuspendedFieldEvent {
    field: '$.update.head.isSuspended'
    value: boolean
  }

  export interface JournalMessageUpdateCheckpointNextFieldEvent {
    field: '$.update.checkpoint.next'
    value: number
  }

  export interface JournalMessageUpdateCheckpointDigestFieldEvent {
    field: '$.update.checkpoint.digest'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalMessageUpdateCheckpointPerPeerPeerFieldEvent {
    field: '$.update.checkpoint.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalMessageUpdateCheckpointPerPeerChunksFieldEvent {
    field: '$.update.checkpoint.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalMessageUpdateCheckpointAccumulatorFieldEvent {
    field: '$.update.checkpoint.accumulator'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalMessageUpdateCheckpointPartialsFirstFieldEvent {
    field: '$.update.checkpoint.partials[].first'
    value: number
    index: number
  }

  export interface JournalMessageUpdateCheckpointPartialsLengthsFieldEvent {
    field: '$.update.checkpoint.partials[].lengths'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessageUpdateCheckpointPartialsPayloadFieldEvent {
    field: '$.update.checkpoint.partials[].payload'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessageCopyEntriesHeadJobFieldEvent {
    field: '$.copy.entries[].head.job'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesHeadStampEpochFieldEvent {
    field: '$.copy.entries[].head.stamp.epoch'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesHeadStampLeaderFieldEvent {
    field: '$.copy.entries[].head.stamp.leader'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesHeadStampPriorityFieldEvent {
    field: '$.copy.entries[].head.stamp.priority'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesHeadStampVersionFieldEvent {
    field: '$.copy.entries[].head.stamp.version'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesHeadSubmissionIdFieldEvent {
    field: '$.copy.entries[].head.submissionId'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesHeadEndFieldEvent {
    field: '$.copy.entries[].head.end'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesHeadHasOutcomeFieldEvent {
    field: '$.copy.entries[].head.hasOutcome'
    value: boolean
    index: number
  }

  export interface JournalMessageCopyEntriesHeadNextFieldEvent {
    field: '$.copy.entries[].head.next'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesHeadDurableFieldEvent {
    field: '$.copy.entries[].head.durable'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesHeadIsSuspendedFieldEvent {
    field: '$.copy.entries[].head.isSuspended'
    value: boolean
    index: number
  }

  export interface JournalMessageCopyEntriesTaskFieldEvent {
    field: '$.copy.entries[].task'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesSha256FieldEvent {
    field: '$.copy.entries[].sha256'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessageCopyEntriesInputSha256FieldEvent {
    field: '$.copy.entries[].inputSha256'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessageCopyEntriesSlotsFieldEvent {
    field: '$.copy.entries[].slots'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionTaskFieldEvent {
    field: '$.copy.entries[].submission.task'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionSha256FieldEvent {
    field: '$.copy.entries[].submission.sha256'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionCodeFieldEvent {
    field: '$.copy.entries[].submission.code'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionInputFieldEvent {
    field: '$.copy.entries[].submission.input'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionInputSha256FieldEvent {
    field: '$.copy.entries[].submission.inputSha256'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionRetriesFieldEvent {
    field: '$.copy.entries[].submission.retries'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionSpeculateFieldEvent {
    field: '$.copy.entries[].submission.speculate'
    value: boolean
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionRequiresFieldEvent {
    field: '$.copy.entries[].submission.requires{}'
    key: string
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionChunkTimeoutFieldEvent {
    field: '$.copy.entries[].submission.chunkTimeout'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionPriorityFieldEvent {
    field: '$.copy.entries[].submission.priority'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionDetachFieldEvent {
    field: '$.copy.entries[].submission.detach'
    value: boolean
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionKeepFieldEvent {
    field: '$.copy.entries[].submission.keep'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionSeenFieldEvent {
    field: '$.copy.entries[].submission.seen'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionPartialsFieldEvent {
    field: '$.copy.entries[].submission.partials'
    value: boolean
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionGotFieldEvent {
    field: '$.copy.entries[].submission.got'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionStreamFieldEvent {
    field: '$.copy.entries[].submission.stream'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionScheduledForFieldEvent {
    field: '$.copy.entries[].submission.scheduledFor'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesSubmissionDurableFieldEvent {
    field: '$.copy.entries[].submission.durable'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesCompletedResultFieldEvent {
    field: '$.copy.entries[].completed.result'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessageCopyEntriesCompletedStatsChunksFieldEvent {
    field: '$.copy.entries[].completed.stats.chunks'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesCompletedStatsRetriesFieldEvent {
    field: '$.copy.entries[].completed.stats.retries'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesCompletedStatsPerPeerPeerFieldEvent {
    field: '$.copy.entries[].completed.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesCompletedStatsPerPeerChunksFieldEvent {
    field: '$.copy.entries[].completed.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesCompletedStatsSpeculatedFieldEvent {
    field: '$.copy.entries[].completed.stats.speculated'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesCompletedStatsRecomputedFieldEvent {
    field: '$.copy.entries[].completed.stats.recomputed'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesFailedFailureFunctionFieldEvent {
    field: '$.copy.entries[].failed.failure.function'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesFailedFailureIndexFieldEvent {
    field: '$.copy.entries[].failed.failure.index'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesFailedFailureNameFieldEvent {
    field: '$.copy.entries[].failed.failure.name'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesFailedFailureMessageFieldEvent {
    field: '$.copy.entries[].failed.failure.message'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesFailedFailureStackFieldEvent {
    field: '$.copy.entries[].failed.failure.stack'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesFailedStatsChunksFieldEvent {
    field: '$.copy.entries[].failed.stats.chunks'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesFailedStatsRetriesFieldEvent {
    field: '$.copy.entries[].failed.stats.retries'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesFailedStatsPerPeerPeerFieldEvent {
    field: '$.copy.entries[].failed.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesFailedStatsPerPeerChunksFieldEvent {
    field: '$.copy.entries[].failed.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesFailedStatsSpeculatedFieldEvent {
    field: '$.copy.entries[].failed.stats.speculated'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesFailedStatsRecomputedFieldEvent {
    field: '$.copy.entries[].failed.stats.recomputed'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesCancelledStatsChunksFieldEvent {
    field: '$.copy.entries[].cancelled.stats.chunks'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesCancelledStatsRetriesFieldEvent {
    field: '$.copy.entries[].cancelled.stats.retries'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesCancelledStatsPerPeerPeerFieldEvent {
    field: '$.copy.entries[].cancelled.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesCancelledStatsPerPeerChunksFieldEvent {
    field: '$.copy.entries[].cancelled.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesCancelledStatsSpeculatedFieldEvent {
    field: '$.copy.entries[].cancelled.stats.speculated'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesCancelledStatsRecomputedFieldEvent {
    field: '$.copy.entries[].cancelled.stats.recomputed'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesKeepFieldEvent {
    field: '$.copy.entries[].keep'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesCheckpointNextFieldEvent {
    field: '$.copy.entries[].checkpoint.next'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesCheckpointDigestFieldEvent {
    field: '$.copy.entries[].checkpoint.digest'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessageCopyEntriesCheckpointPerPeerPeerFieldEvent {
    field: '$.copy.entries[].checkpoint.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesCheckpointPerPeerChunksFieldEvent {
    field: '$.copy.entries[].checkpoint.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesCheckpointAccumulatorFieldEvent {
    field: '$.copy.entries[].checkpoint.accumulator'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessageCopyEntriesCheckpointPartialsFirstFieldEvent {
    field: '$.copy.entries[].checkpoint.partials[].first'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesCheckpointPartialsLengthsFieldEvent {
    field: '$.copy.entries[].checkpoint.partials[].lengths'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessageCopyEntriesCheckpointPartialsPayloadFieldEvent {
    field: '$.copy.entries[].checkpoint.partials[].payload'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalMessageCopyEntriesLeadersLeaderFieldEvent {
    field: '$.copy.entries[].leaders[].leader'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesLeadersEpochFieldEvent {
    field: '$.copy.entries[].leaders[].epoch'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesLockLimitFieldEvent {
    field: '$.copy.entries[].lock.limit'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesLockTokenFieldEvent {
    field: '$.copy.entries[].lock.token'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesLockHoldersSessionFieldEvent {
    field: '$.copy.entries[].lock.holders[].session'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesLockHoldersClientFieldEvent {
    field: '$.copy.entries[].lock.holders[].client'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesLockHoldersOwnerFieldEvent {
    field: '$.copy.entries[].lock.holders[].owner'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesLockHoldersTokenFieldEvent {
    field: '$.copy.entries[].lock.holders[].token'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesLockHoldersTtlFieldEvent {
    field: '$.copy.entries[].lock.holders[].ttl'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesLockHoldersSinceFieldEvent {
    field: '$.copy.entries[].lock.holders[].since'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesScheduleTermsIdFieldEvent {
    field: '$.copy.entries[].schedule.terms.id'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesScheduleTermsCronFieldEvent {
    field: '$.copy.entries[].schedule.terms.cron'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesScheduleTermsTimeZoneFieldEvent {
    field: '$.copy.entries[].schedule.terms.timeZone'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesScheduleTermsAtFieldEvent {
    field: '$.copy.entries[].schedule.terms.at'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesScheduleTermsMissedFieldEvent {
    field: '$.copy.entries[].schedule.terms.missed'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesScheduleTermsOverlapFieldEvent {
    field: '$.copy.entries[].schedule.terms.overlap'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesScheduleTermsCatchUpFieldEvent {
    field: '$.copy.entries[].schedule.terms.catchUp'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesScheduleTermsJitterFieldEvent {
    field: '$.copy.entries[].schedule.terms.jitter'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesScheduleAddedAtFieldEvent {
    field: '$.copy.entries[].schedule.addedAt'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesRemovedScheduleIdFieldEvent {
    field: '$.copy.entries[].removedSchedule.id'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesRemovedScheduleRemovedAtFieldEvent {
    field: '$.copy.entries[].removedSchedule.removedAt'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesMarkIdFieldEvent {
    field: '$.copy.entries[].mark.id'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesMarkFiredThroughFieldEvent {
    field: '$.copy.entries[].mark.firedThrough'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesMarkIsPausedFieldEvent {
    field: '$.copy.entries[].mark.isPaused'
    value: boolean
    index: number
  }

  export interface JournalMessageCopyEntriesMarkSkippedFieldEvent {
    field: '$.copy.entries[].mark.skipped'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesMarkLastJobFieldEvent {
    field: '$.copy.entries[].mark.last.job'
    value: string
    index: number
  }

  export interface JournalMessageCopyEntriesMarkLastDueFieldEvent {
    field: '$.copy.entries[].mark.last.due'
    value: number
    index: number
  }

  export interface JournalMessageCopyEntriesMarkLastStateFieldEvent {
    field: '$.copy.entries[].mark.last.state'
    value: string
    index: number
  }

  export interface JournalMessageHoldersStampEpochFieldEvent {
    field: '$.holders.stamp.epoch'
    value: number
  }

  export interface JournalMessageHoldersStampLeaderFieldEvent {
    field: '$.holders.stamp.leader'
    value: string
  }

  export interface JournalMessageHoldersStampPriorityFieldEvent {
    field: '$.holders.stamp.priority'
    value: number
  }

  export interface JournalMessageHoldersStampVersionFieldEvent {
    field: '$.holders.stamp.version'
    value: number
  }

  export interface JournalMessageHoldersHoldersFieldEvent {
    field: '$.holders.holders[]'
    index: number
    value: string
  }

  export interface JournalMessageHoldersInMemoryFieldEvent {
    field: '$.holders.inMemory[]'
    index: number
    value: string
  }

  export interface JournalMessageHoldersBehindFieldEvent {
    field: '$.holders.behind[]'
    index: number
    value: string
  }

  export interface JournalMessageHoldersFloorEpochFieldEvent {
    field: '$.holders.floor.epoch'
    value: number
  }

  export interface JournalMessageHoldersFloorLeaderFieldEvent {
    field: '$.holders.floor.leader'
    value: string
  }

  export interface JournalMessageHoldersFloorPriorityFieldEvent {
    field: '$.holders.floor.priority'
    value: number
  }

  export interface JournalMessageHoldersFloorVersionFieldEvent {
    field: '$.holders.floor.version'
    value: number
  }

  export interface JournalMessageHoldersOutdatedFieldEvent {
    field: '$.holders.outdated[]'
    index: number
    value: string
  }

  export interface JournalMessageNotedVersionFieldEvent {
    field: '$.noted.version'
    value: number
  }

  export function encode (obj: Partial<JournalMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalMessage>): JournalMessage {
    return decodeMessage(buf, JournalMessage.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalMessage>): Generator<JournalMessageEpochFieldEvent | JournalMessageReadPriorityFieldEvent | JournalMessageHeadsHeadsJobFieldEvent | JournalMessageHeadsHeadsStampEpochFieldEvent | JournalMessageHeadsHeadsStampLeaderFieldEvent | JournalMessageHeadsHeadsStampPriorityFieldEvent | JournalMessageHeadsHeadsStampVersionFieldEvent | JournalMessageHeadsHeadsSubmissionIdFieldEvent | JournalMessageHeadsHeadsEndFieldEvent | JournalMessageHeadsHeadsHasOutcomeFieldEvent | JournalMessageHeadsHeadsNextFieldEvent | JournalMessageHeadsHeadsDurableFieldEvent | JournalMessageHeadsHeadsIsSuspendedFieldEvent | JournalMessageHeadsAgeFieldEvent | JournalMessageHeadsHoldersStampEpochFieldEvent | JournalMessageHeadsHoldersStampLeaderFieldEvent | JournalMessageHeadsHoldersStampPriorityFieldEvent | JournalMessageHeadsHoldersStampVersionFieldEvent | JournalMessageHeadsHoldersHoldersFieldEvent | JournalMessageHeadsHoldersInMemoryFieldEvent | JournalMessageHeadsHoldersBehindFieldEvent | JournalMessageHeadsHoldersFloorEpochFieldEvent | JournalMessageHeadsHoldersFloorLeaderFieldEvent | JournalMessageHeadsHoldersFloorPriorityFieldEvent | JournalMessageHeadsHoldersFloorVersionFieldEvent | JournalMessageHeadsHoldersOutdatedFieldEvent | JournalMessageHeadsIncompleteFieldEvent | JournalMessageHeadsOnDiskFieldEvent | JournalMessageFetchJobFieldEvent | JournalMessageFetchedJobFieldEvent | JournalMessageFetchedEntryHeadJobFieldEvent | JournalMessageFetchedEntryHeadStampEpochFieldEvent | JournalMessageFetchedEntryHeadStampLeaderFieldEvent | JournalMessageFetchedEntryHeadStampPriorityFieldEvent | JournalMessageFetchedEntryHeadStampVersionFieldEvent | JournalMessageFetchedEntryHeadSubmissionIdFieldEvent | JournalMessageFetchedEntryHeadEndFieldEvent | JournalMessageFetchedEntryHeadHasOutcomeFieldEvent | JournalMessageFetchedEntryHeadNextFieldEvent | JournalMessageFetchedEntryHeadDurableFieldEvent | JournalMessageFetchedEntryHeadIsSuspendedFieldEvent | JournalMessageFetchedEntryTaskFieldEvent | JournalMessageFetchedEntrySha256FieldEvent | JournalMessageFetchedEntryInputSha256FieldEvent | JournalMessageFetchedEntrySlotsFieldEvent | JournalMessageFetchedEntrySubmissionTaskFieldEvent | JournalMessageFetchedEntrySubmissionSha256FieldEvent | JournalMessageFetchedEntrySubmissionCodeFieldEvent | JournalMessageFetchedEntrySubmissionInputFieldEvent | JournalMessageFetchedEntrySubmissionInputSha256FieldEvent | JournalMessageFetchedEntrySubmissionRetriesFieldEvent | JournalMessageFetchedEntrySubmissionSpeculateFieldEvent | JournalMessageFetchedEntrySubmissionRequiresFieldEvent | JournalMessageFetchedEntrySubmissionChunkTimeoutFieldEvent | JournalMessageFetchedEntrySubmissionPriorityFieldEvent | JournalMessageFetchedEntrySubmissionDetachFieldEvent | JournalMessageFetchedEntrySubmissionKeepFieldEvent | JournalMessageFetchedEntrySubmissionSeenFieldEvent | JournalMessageFetchedEntrySubmissionPartialsFieldEvent | JournalMessageFetchedEntrySubmissionGotFieldEvent | JournalMessageFetchedEntrySubmissionStreamFieldEvent | JournalMessageFetchedEntrySubmissionScheduledForFieldEvent | JournalMessageFetchedEntrySubmissionDurableFieldEvent | JournalMessageFetchedEntryCompletedResultFieldEvent | JournalMessageFetchedEntryCompletedStatsChunksFieldEvent | JournalMessageFetchedEntryCompletedStatsRetriesFieldEvent | JournalMessageFetchedEntryCompletedStatsPerPeerPeerFieldEvent | JournalMessageFetchedEntryCompletedStatsPerPeerChunksFieldEvent | JournalMessageFetchedEntryCompletedStatsSpeculatedFieldEvent | JournalMessageFetchedEntryCompletedStatsRecomputedFieldEvent | JournalMessageFetchedEntryFailedFailureFunctionFieldEvent | JournalMessageFetchedEntryFailedFailureIndexFieldEvent | JournalMessageFetchedEntryFailedFailureNameFieldEvent | JournalMessageFetchedEntryFailedFailureMessageFieldEvent | JournalMessageFetchedEntryFailedFailureStackFieldEvent | JournalMessageFetchedEntryFailedStatsChunksFieldEvent | JournalMessageFetchedEntryFailedStatsRetriesFieldEvent | JournalMessageFetchedEntryFailedStatsPerPeerPeerFieldEvent | JournalMessageFetchedEntryFailedStatsPerPeerChunksFieldEvent | JournalMessageFetchedEntryFailedStatsSpeculatedFieldEvent | JournalMessageFetchedEntryFailedStatsRecomputedFieldEvent | JournalMessageFetchedEntryCancelledStatsChunksFieldEvent | JournalMessageFetchedEntryCancelledStatsRetriesFieldEvent | JournalMessageFetchedEntryCancelledStatsPerPeerPeerFieldEvent | JournalMessageFetchedEntryCancelledStatsPerPeerChunksFieldEvent | JournalMessageFetchedEntryCancelledStatsSpeculatedFieldEvent | JournalMessageFetchedEntryCancelledStatsRecomputedFieldEvent | JournalMessageFetchedEntryKeepFieldEvent | JournalMessageFetchedEntryCheckpointNextFieldEvent | JournalMessageFetchedEntryCheckpointDigestFieldEvent | JournalMessageFetchedEntryCheckpointPerPeerPeerFieldEvent | JournalMessageFetchedEntryCheckpointPerPeerChunksFieldEvent | JournalMessageFetchedEntryCheckpointAccumulatorFieldEvent | JournalMessageFetchedEntryCheckpointPartialsFirstFieldEvent | JournalMessageFetchedEntryCheckpointPartialsLengthsFieldEvent | JournalMessageFetchedEntryCheckpointPartialsPayloadFieldEvent | JournalMessageFetchedEntryLeadersLeaderFieldEvent | JournalMessageFetchedEntryLeadersEpochFieldEvent | JournalMessageFetchedEntryLockLimitFieldEvent | JournalMessageFetchedEntryLockTokenFieldEvent | JournalMessageFetchedEntryLockHoldersSessionFieldEvent | JournalMessageFetchedEntryLockHoldersClientFieldEvent | JournalMessageFetchedEntryLockHoldersOwnerFieldEvent | JournalMessageFetchedEntryLockHoldersTokenFieldEvent | JournalMessageFetchedEntryLockHoldersTtlFieldEvent | JournalMessageFetchedEntryLockHoldersSinceFieldEvent | JournalMessageFetchedEntryScheduleTermsIdFieldEvent | JournalMessageFetchedEntryScheduleTermsCronFieldEvent | JournalMessageFetchedEntryScheduleTermsTimeZoneFieldEvent | JournalMessageFetchedEntryScheduleTermsAtFieldEvent | JournalMessageFetchedEntryScheduleTermsMissedFieldEvent | JournalMessageFetchedEntryScheduleTermsOverlapFieldEvent | JournalMessageFetchedEntryScheduleTermsCatchUpFieldEvent | JournalMessageFetchedEntryScheduleTermsJitterFieldEvent | JournalMessageFetchedEntryScheduleAddedAtFieldEvent | JournalMessageFetchedEntryRemovedScheduleIdFieldEvent | JournalMessageFetchedEntryRemovedScheduleRemovedAtFieldEvent | JournalMessageFetchedEntryMarkIdFieldEvent | JournalMessageFetchedEntryMarkFiredThroughFieldEvent | JournalMessageFetchedEntryMarkIsPausedFieldEvent | JournalMessageFetchedEntryMarkSkippedFieldEvent | JournalMessageFetchedEntryMarkLastJobFieldEvent | JournalMessageFetchedEntryMarkLastDueFieldEvent | JournalMessageFetchedEntryMarkLastStateFieldEvent | JournalMessagePutEntriesHeadJobFieldEvent | JournalMessagePutEntriesHeadStampEpochFieldEvent | JournalMessagePutEntriesHeadStampLeaderFieldEvent | JournalMessagePutEntriesHeadStampPriorityFieldEvent | JournalMessagePutEntriesHeadStampVersionFieldEvent | JournalMessagePutEntriesHeadSubmissionIdFieldEvent | JournalMessagePutEntriesHeadEndFieldEvent | JournalMessagePutEntriesHeadHasOutcomeFieldEvent | JournalMessagePutEntriesHeadNextFieldEvent | JournalMessagePutEntriesHeadDurableFieldEvent | JournalMessagePutEntriesHeadIsSuspendedFieldEvent | JournalMessagePutEntriesTaskFieldEvent | JournalMessagePutEntriesSha256FieldEvent | JournalMessagePutEntriesInputSha256FieldEvent | JournalMessagePutEntriesSlotsFieldEvent | JournalMessagePutEntriesSubmissionTaskFieldEvent | JournalMessagePutEntriesSubmissionSha256FieldEvent | JournalMessagePutEntriesSubmissionCodeFieldEvent | JournalMessagePutEntriesSubmissionInputFieldEvent | JournalMessagePutEntriesSubmissionInputSha256FieldEvent | JournalMessagePutEntriesSubmissionRetriesFieldEvent | JournalMessagePutEntriesSubmissionSpeculateFieldEvent | JournalMessagePutEntriesSubmissionRequiresFieldEvent | JournalMessagePutEntriesSubmissionChunkTimeoutFieldEvent | JournalMessagePutEntriesSubmissionPriorityFieldEvent | JournalMessagePutEntriesSubmissionDetachFieldEvent | JournalMessagePutEntriesSubmissionKeepFieldEvent | JournalMessagePutEntriesSubmissionSeenFieldEvent | JournalMessagePutEntriesSubmissionPartialsFieldEvent | JournalMessagePutEntriesSubmissionGotFieldEvent | JournalMessagePutEntriesSubmissionStreamFieldEvent | JournalMessagePutEntriesSubmissionScheduledForFieldEvent | JournalMessagePutEntriesSubmissionDurableFieldEvent | JournalMessagePutEntriesCompletedResultFieldEvent | JournalMessagePutEntriesCompletedStatsChunksFieldEvent | JournalMessagePutEntriesCompletedStatsRetriesFieldEvent | JournalMessagePutEntriesCompletedStatsPerPeerPeerFieldEvent | JournalMessagePutEntriesCompletedStatsPerPeerChunksFieldEvent | JournalMessagePutEntriesCompletedStatsSpeculatedFieldEvent | JournalMessagePutEntriesCompletedStatsRecomputedFieldEvent | JournalMessagePutEntriesFailedFailureFunctionFieldEvent | JournalMessagePutEntriesFailedFailureIndexFieldEvent | JournalMessagePutEntriesFailedFailureNameFieldEvent | JournalMessagePutEntriesFailedFailureMessageFieldEvent | JournalMessagePutEntriesFailedFailureStackFieldEvent | JournalMessagePutEntriesFailedStatsChunksFieldEvent | JournalMessagePutEntriesFailedStatsRetriesFieldEvent | JournalMessagePutEntriesFailedStatsPerPeerPeerFieldEvent | JournalMessagePutEntriesFailedStatsPerPeerChunksFieldEvent | JournalMessagePutEntriesFailedStatsSpeculatedFieldEvent | JournalMessagePutEntriesFailedStatsRecomputedFieldEvent | JournalMessagePutEntriesCancelledStatsChunksFieldEvent | JournalMessagePutEntriesCancelledStatsRetriesFieldEvent | JournalMessagePutEntriesCancelledStatsPerPeerPeerFieldEvent | JournalMessagePutEntriesCancelledStatsPerPeerChunksFieldEvent | JournalMessagePutEntriesCancelledStatsSpeculatedFieldEvent | JournalMessagePutEntriesCancelledStatsRecomputedFieldEvent | JournalMessagePutEntriesKeepFieldEvent | JournalMessagePutEntriesCheckpointNextFieldEvent | JournalMessagePutEntriesCheckpointDigestFieldEvent | JournalMessagePutEntriesCheckpointPerPeerPeerFieldEvent | JournalMessagePutEntriesCheckpointPerPeerChunksFieldEvent | JournalMessagePutEntriesCheckpointAccumulatorFieldEvent | JournalMessagePutEntriesCheckpointPartialsFirstFieldEvent | JournalMessagePutEntriesCheckpointPartialsLengthsFieldEvent | JournalMessagePutEntriesCheckpointPartialsPayloadFieldEvent | JournalMessagePutEntriesLeadersLeaderFieldEvent | JournalMessagePutEntriesLeadersEpochFieldEvent | JournalMessagePutEntriesLockLimitFieldEvent | JournalMessagePutEntriesLockTokenFieldEvent | JournalMessagePutEntriesLockHoldersSessionFieldEvent | JournalMessagePutEntriesLockHoldersClientFieldEvent | JournalMessagePutEntriesLockHoldersOwnerFieldEvent | JournalMessagePutEntriesLockHoldersTokenFieldEvent | JournalMessagePutEntriesLockHoldersTtlFieldEvent | JournalMessagePutEntriesLockHoldersSinceFieldEvent | JournalMessagePutEntriesScheduleTermsIdFieldEvent | JournalMessagePutEntriesScheduleTermsCronFieldEvent | JournalMessagePutEntriesScheduleTermsTimeZoneFieldEvent | JournalMessagePutEntriesScheduleTermsAtFieldEvent | JournalMessagePutEntriesScheduleTermsMissedFieldEvent | JournalMessagePutEntriesScheduleTermsOverlapFieldEvent | JournalMessagePutEntriesScheduleTermsCatchUpFieldEvent | JournalMessagePutEntriesScheduleTermsJitterFieldEvent | JournalMessagePutEntriesScheduleAddedAtFieldEvent | JournalMessagePutEntriesRemovedScheduleIdFieldEvent | JournalMessagePutEntriesRemovedScheduleRemovedAtFieldEvent | JournalMessagePutEntriesMarkIdFieldEvent | JournalMessagePutEntriesMarkFiredThroughFieldEvent | JournalMessagePutEntriesMarkIsPausedFieldEvent | JournalMessagePutEntriesMarkSkippedFieldEvent | JournalMessagePutEntriesMarkLastJobFieldEvent | JournalMessagePutEntriesMarkLastDueFieldEvent | JournalMessagePutEntriesMarkLastStateFieldEvent | JournalMessageHeldJobFieldEvent | JournalMessageHeldVersionFieldEvent | JournalMessageHeldOnDiskFieldEvent | JournalMessageForgetJobFieldEvent | JournalMessageForgetStampEpochFieldEvent | JournalMessageForgetStampLeaderFieldEvent | JournalMessageForgetStampPriorityFieldEvent | JournalMessageForgetStampVersionFieldEvent | JournalMessageUpdateHeadJobFieldEvent | JournalMessageUpdateHeadStampEpochFieldEvent | JournalMessageUpdateHeadStampLeaderFieldEvent | JournalMessageUpdateHeadStampPriorityFieldEvent | JournalMessageUpdateHeadStampVersionFieldEvent | JournalMessageUpdateHeadSubmissionIdFieldEvent | JournalMessageUpdateHeadEndFieldEvent | JournalMessageUpdateHeadHasOutcomeFieldEvent | JournalMessageUpdateHeadNextFieldEvent | JournalMessageUpdateHeadDurableFieldEvent | JournalMessageUpdateHeadIsSuspendedFieldEvent | JournalMessageUpdateCheckpointNextFieldEvent | JournalMessageUpdateCheckpointDigestFieldEvent | JournalMessageUpdateCheckpointPerPeerPeerFieldEvent | JournalMessageUpdateCheckpointPerPeerChunksFieldEvent | JournalMessageUpdateCheckpointAccumulatorFieldEvent | JournalMessageUpdateCheckpointPartialsFirstFieldEvent | JournalMessageUpdateCheckpointPartialsLengthsFieldEvent | JournalMessageUpdateCheckpointPartialsPayloadFieldEvent | JournalMessageCopyEntriesHeadJobFieldEvent | JournalMessageCopyEntriesHeadStampEpochFieldEvent | JournalMessageCopyEntriesHeadStampLeaderFieldEvent | JournalMessageCopyEntriesHeadStampPriorityFieldEvent | JournalMessageCopyEntriesHeadStampVersionFieldEvent | JournalMessageCopyEntriesHeadSubmissionIdFieldEvent | JournalMessageCopyEntriesHeadEndFieldEvent | JournalMessageCopyEntriesHeadHasOutcomeFieldEvent | JournalMessageCopyEntriesHeadNextFieldEvent | JournalMessageCopyEntriesHeadDurableFieldEvent | JournalMessageCopyEntriesHeadIsSuspendedFieldEvent | JournalMessageCopyEntriesTaskFieldEvent | JournalMessageCopyEntriesSha256FieldEvent | JournalMessageCopyEntriesInputSha256FieldEvent | JournalMessageCopyEntriesSlotsFieldEvent | JournalMessageCopyEntriesSubmissionTaskFieldEvent | JournalMessageCopyEntriesSubmissionSha256FieldEvent | JournalMessageCopyEntriesSubmissionCodeFieldEvent | JournalMessageCopyEntriesSubmissionInputFieldEvent | JournalMessageCopyEntriesSubmissionInputSha256FieldEvent | JournalMessageCopyEntriesSubmissionRetriesFieldEvent | JournalMessageCopyEntriesSubmissionSpeculateFieldEvent | JournalMessageCopyEntriesSubmissionRequiresFieldEvent | JournalMessageCopyEntriesSubmissionChunkTimeoutFieldEvent | JournalMessageCopyEntriesSubmissionPriorityFieldEvent | JournalMessageCopyEntriesSubmissionDetachFieldEvent | JournalMessageCopyEntriesSubmissionKeepFieldEvent | JournalMessageCopyEntriesSubmissionSeenFieldEvent | JournalMessageCopyEntriesSubmissionPartialsFieldEvent | JournalMessageCopyEntriesSubmissionGotFieldEvent | JournalMessageCopyEntriesSubmissionStreamFieldEvent | JournalMessageCopyEntriesSubmissionScheduledForFieldEvent | JournalMessageCopyEntriesSubmissionDurableFieldEvent | JournalMessageCopyEntriesCompletedResultFieldEvent | JournalMessageCopyEntriesCompletedStatsChunksFieldEvent | JournalMessageCopyEntriesCompletedStatsRetriesFieldEvent | JournalMessageCopyEntriesCompletedStatsPerPeerPeerFieldEvent | JournalMessageCopyEntriesCompletedStatsPerPeerChunksFieldEvent | JournalMessageCopyEntriesCompletedStatsSpeculatedFieldEvent | JournalMessageCopyEntriesCompletedStatsRecomputedFieldEvent | JournalMessageCopyEntriesFailedFailureFunctionFieldEvent | JournalMessageCopyEntriesFailedFailureIndexFieldEvent | JournalMessageCopyEntriesFailedFailureNameFieldEvent | JournalMessageCopyEntriesFailedFailureMessageFieldEvent | JournalMessageCopyEntriesFailedFailureStackFieldEvent | JournalMessageCopyEntriesFailedStatsChunksFieldEvent | JournalMessageCopyEntriesFailedStatsRetriesFieldEvent | JournalMessageCopyEntriesFailedStatsPerPeerPeerFieldEvent | JournalMessageCopyEntriesFailedStatsPerPeerChunksFieldEvent | JournalMessageCopyEntriesFailedStatsSpeculatedFieldEvent | JournalMessageCopyEntriesFailedStatsRecomputedFieldEvent | JournalMessageCopyEntriesCancelledStatsChunksFieldEvent | JournalMessageCopyEntriesCancelledStatsRetriesFieldEvent | JournalMessageCopyEntriesCancelledStatsPerPeerPeerFieldEvent | JournalMessageCopyEntriesCancelledStatsPerPeerChunksFieldEvent | JournalMessageCopyEntriesCancelledStatsSpeculatedFieldEvent | JournalMessageCopyEntriesCancelledStatsRecomputedFieldEvent | JournalMessageCopyEntriesKeepFieldEvent | JournalMessageCopyEntriesCheckpointNextFieldEvent | JournalMessageCopyEntriesCheckpointDigestFieldEvent | JournalMessageCopyEntriesCheckpointPerPeerPeerFieldEvent | JournalMessageCopyEntriesCheckpointPerPeerChunksFieldEvent | JournalMessageCopyEntriesCheckpointAccumulatorFieldEvent | JournalMessageCopyEntriesCheckpointPartialsFirstFieldEvent | JournalMessageCopyEntriesCheckpointPartialsLengthsFieldEvent | JournalMessageCopyEntriesCheckpointPartialsPayloadFieldEvent | JournalMessageCopyEntriesLeadersLeaderFieldEvent | JournalMessageCopyEntriesLeadersEpochFieldEvent | JournalMessageCopyEntriesLockLimitFieldEvent | JournalMessageCopyEntriesLockTokenFieldEvent | JournalMessageCopyEntriesLockHoldersSessionFieldEvent | JournalMessageCopyEntriesLockHoldersClientFieldEvent | JournalMessageCopyEntriesLockHoldersOwnerFieldEvent | JournalMessageCopyEntriesLockHoldersTokenFieldEvent | JournalMessageCopyEntriesLockHoldersTtlFieldEvent | JournalMessageCopyEntriesLockHoldersSinceFieldEvent | JournalMessageCopyEntriesScheduleTermsIdFieldEvent | JournalMessageCopyEntriesScheduleTermsCronFieldEvent | JournalMessageCopyEntriesScheduleTermsTimeZoneFieldEvent | JournalMessageCopyEntriesScheduleTermsAtFieldEvent | JournalMessageCopyEntriesScheduleTermsMissedFieldEvent | JournalMessageCopyEntriesScheduleTermsOverlapFieldEvent | JournalMessageCopyEntriesScheduleTermsCatchUpFieldEvent | JournalMessageCopyEntriesScheduleTermsJitterFieldEvent | JournalMessageCopyEntriesScheduleAddedAtFieldEvent | JournalMessageCopyEntriesRemovedScheduleIdFieldEvent | JournalMessageCopyEntriesRemovedScheduleRemovedAtFieldEvent | JournalMessageCopyEntriesMarkIdFieldEvent | JournalMessageCopyEntriesMarkFiredThroughFieldEvent | JournalMessageCopyEntriesMarkIsPausedFieldEvent | JournalMessageCopyEntriesMarkSkippedFieldEvent | JournalMessageCopyEntriesMarkLastJobFieldEvent | JournalMessageCopyEntriesMarkLastDueFieldEvent | JournalMessageCopyEntriesMarkLastStateFieldEvent | JournalMessageHoldersStampEpochFieldEvent | JournalMessageHoldersStampLeaderFieldEvent | JournalMessageHoldersStampPriorityFieldEvent | JournalMessageHoldersStampVersionFieldEvent | JournalMessageHoldersHoldersFieldEvent | JournalMessageHoldersInMemoryFieldEvent | JournalMessageHoldersBehindFieldEvent | JournalMessageHoldersFloorEpochFieldEvent | JournalMessageHoldersFloorLeaderFieldEvent | JournalMessageHoldersFloorPriorityFieldEvent | JournalMessageHoldersFloorVersionFieldEvent | JournalMessageHoldersOutdatedFieldEvent | JournalMessageNotedVersionFieldEvent> {
    return streamMessage(buf, JournalMessage.codec(), opts)
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
                field: `${prefix}.leader`,
                value: reader.string()
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
            case 4: {
              yield {
                field: `${prefix}.version`,
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

  export interface JournalStampEpochFieldEvent {
    field: '$.epoch'
    value: number
  }

  export interface JournalStampLeaderFieldEvent {
    field: '$.leader'
    value: string
  }

  export interface JournalStampPriorityFieldEvent {
    field: '$.priority'
    value: number
  }

  export interface JournalStampVersionFieldEvent {
    field: '$.version'
    value: number
  }

  export function encode (obj: Partial<JournalStamp>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalStamp.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalStamp>): JournalStamp {
    return decodeMessage(buf, JournalStamp.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalStamp>): Generator<JournalStampEpochFieldEvent | JournalStampLeaderFieldEvent | JournalStampPriorityFieldEvent | JournalStampVersionFieldEvent> {
    return streamMessage(buf, JournalStamp.codec(), opts)
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
              yield * JournalStamp.codec().stream(reader, reader.uint32(), `${prefix}.stamp`, {
                limits: opts.limits?.stamp
              })

              break
            }
            case 3: {
              yield {
                field: `${prefix}.submissionId`,
                value: reader.string()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.end`,
                value: reader.string()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.hasOutcome`,
                value: reader.bool()
              }
              break
            }
            case 6: {
              yield {
                field: `${prefix}.next`,
                value: reader.uint64Number()
              }
              break
            }
            case 7: {
              yield {
                field: `${prefix}.durable`,
                value: reader.uint32()
              }
              break
            }
            case 8: {
              yield {
                field: `${prefix}.isSuspended`,
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

  export interface JournalHeadJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface JournalHeadStampEpochFieldEvent {
    field: '$.stamp.epoch'
    value: number
  }

  export interface JournalHeadStampLeaderFieldEvent {
    field: '$.stamp.leader'
    value: string
  }

  export interface JournalHeadStampPriorityFieldEvent {
    field: '$.stamp.priority'
    value: number
  }

  export interface JournalHeadStampVersionFieldEvent {
    field: '$.stamp.version'
    value: number
  }

  export interface JournalHeadSubmissionIdFieldEvent {
    field: '$.submissionId'
    value: string
  }

  export interface JournalHeadEndFieldEvent {
    field: '$.end'
    value: string
  }

  export interface JournalHeadHasOutcomeFieldEvent {
    field: '$.hasOutcome'
    value: boolean
  }

  export interface JournalHeadNextFieldEvent {
    field: '$.next'
    value: number
  }

  export interface JournalHeadDurableFieldEvent {
    field: '$.durable'
    value: number
  }

  export interface JournalHeadIsSuspendedFieldEvent {
    field: '$.isSuspended'
    value: boolean
  }

  export function encode (obj: Partial<JournalHead>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalHead.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalHead>): JournalHead {
    return decodeMessage(buf, JournalHead.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalHead>): Generator<JournalHeadJobFieldEvent | JournalHeadStampEpochFieldEvent | JournalHeadStampLeaderFieldEvent | JournalHeadStampPriorityFieldEvent | JournalHeadStampVersionFieldEvent | JournalHeadSubmissionIdFieldEvent | JournalHeadEndFieldEvent | JournalHeadHasOutcomeFieldEvent | JournalHeadNextFieldEvent | JournalHeadDurableFieldEvent | JournalHeadIsSuspendedFieldEvent> {
    return streamMessage(buf, JournalHead.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          leaders: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield * JournalHead.codec().stream(reader, reader.uint32(), `${prefix}.head`, {
                limits: opts.limits?.head
              })

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
                field: `${prefix}.sha256`,
                value: reader.bytes()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.inputSha256`,
                value: reader.bytes()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.slots`,
                value: reader.uint32()
              }
              break
            }
            case 6: {
              yield * Submit.codec().stream(reader, reader.uint32(), `${prefix}.submission`, {
                limits: opts.limits?.submission
              })

              break
            }
            case 7: {
              yield * Completed.codec().stream(reader, reader.uint32(), `${prefix}.completed`, {
                limits: opts.limits?.completed
              })

              break
            }
            case 8: {
              yield * Failed.codec().stream(reader, reader.uint32(), `${prefix}.failed`, {
                limits: opts.limits?.failed
              })

              break
            }
            case 9: {
              yield * Cancelled.codec().stream(reader, reader.uint32(), `${prefix}.cancelled`, {
                limits: opts.limits?.cancelled
              })

              break
            }
            case 11: {
              yield {
                field: `${prefix}.keep`,
                value: reader.uint32()
              }
              break
            }
            case 10: {
              yield * JournalCheckpoint.codec().stream(reader, reader.uint32(), `${prefix}.checkpoint`, {
                limits: opts.limits?.checkpoint
              })

              break
            }
            case 12: {
              if (opts.limits?.leaders != null && obj.leaders === opts.limits.leaders) {
                throw new MaxLengthError('Streaming decode error - repeated field "leaders" had too many elements')
              }

              for (const evt of JournalLeader.codec().stream(reader, reader.uint32(), `${prefix}.leaders[]`, {
                limits: opts.limits?.leaders$
              })) {
                yield {
                  ...evt,
                  index: obj.leaders
                }
              }

              obj.leaders++

              break
            }
            case 13: {
              yield * JournalLock.codec().stream(reader, reader.uint32(), `${prefix}.lock`, {
                limits: opts.limits?.lock
              })

              break
            }
            case 14: {
              yield * JournalSchedule.codec().stream(reader, reader.uint32(), `${prefix}.schedule`, {
                limits: opts.limits?.schedule
              })

              break
            }
            case 15: {
              yield * JournalRemovedSchedule.codec().stream(reader, reader.uint32(), `${prefix}.removedSchedule`, {
                limits: opts.limits?.removedSchedule
              })

              break
            }
            case 16: {
              yield * JournalScheduleMark.codec().stream(reader, reader.uint32(), `${prefix}.mark`, {
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
      })
    }

    return _codec
  }

  export interface JournalEntryHeadJobFieldEvent {
    field: '$.head.job'
    value: string
  }

  export interface JournalEntryHeadStampEpochFieldEvent {
    field: '$.head.stamp.epoch'
    value: number
  }

  export interface JournalEntryHeadStampLeaderFieldEvent {
    field: '$.head.stamp.leader'
    value: string
  }

  export interface JournalEntryHeadStampPriorityFieldEvent {
    field: '$.head.stamp.priority'
    value: number
  }

  export interface JournalEntryHeadStampVersionFieldEvent {
    field: '$.head.stamp.version'
    value: number
  }

  export interface JournalEntryHeadSubmissionIdFieldEvent {
    field: '$.head.submissionId'
    value: string
  }

  export interface JournalEntryHeadEndFieldEvent {
    field: '$.head.end'
    value: string
  }

  export interface JournalEntryHeadHasOutcomeFieldEvent {
    field: '$.head.hasOutcome'
    value: boolean
  }

  export interface JournalEntryHeadNextFieldEvent {
    field: '$.head.next'
    value: number
  }

  export interface JournalEntryHeadDurableFieldEvent {
    field: '$.head.durable'
    value: number
  }

  export interface JournalEntryHeadIsSuspendedFieldEvent {
    field: '$.head.isSuspended'
    value: boolean
  }

  export interface JournalEntryTaskFieldEvent {
    field: '$.task'
    value: string
  }

  export interface JournalEntrySha256FieldEvent {
    field: '$.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalEntryInputSha256FieldEvent {
    field: '$.inputSha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalEntrySlotsFieldEvent {
    field: '$.slots'
    value: number
  }

  export interface JournalEntrySubmissionTaskFieldEvent {
    field: '$.submission.task'
    value: string
  }

  export interface JournalEntrySubmissionSha256FieldEvent {
    field: '$.submission.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalEntrySubmissionCodeFieldEvent {
    field: '$.submission.code'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalEntrySubmissionInputFieldEvent {
    field: '$.submission.input'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalEntrySubmissionInputSha256FieldEvent {
    field: '$.submission.inputSha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalEntrySubmissionRetriesFieldEvent {
    field: '$.submission.retries'
    value: number
  }

  export interface JournalEntrySubmissionSpeculateFieldEvent {
    field: '$.submission.speculate'
    value: boolean
  }

  export interface JournalEntrySubmissionRequiresFieldEvent {
    field: '$.submission.requires{}'
    key: string
    value: string
  }

  export interface JournalEntrySubmissionChunkTimeoutFieldEvent {
    field: '$.submission.chunkTimeout'
    value: number
  }

  export interface JournalEntrySubmissionPriorityFieldEvent {
    field: '$.submission.priority'
    value: number
  }

  export interface JournalEntrySubmissionDetachFieldEvent {
    field: '$.submission.detach'
    value: boolean
  }

  export interface JournalEntrySubmissionKeepFieldEvent {
    field: '$.submission.keep'
    value: number
  }

  export interface JournalEntrySubmissionSeenFieldEvent {
    field: '$.submission.seen'
    value: number
  }

  export interface JournalEntrySubmissionPartialsFieldEvent {
    field: '$.submission.partials'
    value: boolean
  }

  export interface JournalEntrySubmissionGotFieldEvent {
    field: '$.submission.got'
    value: number
  }

  export interface JournalEntrySubmissionStreamFieldEvent {
    field: '$.submission.stream'
    value: string
  }

  export interface JournalEntrySubmissionScheduledForFieldEvent {
    field: '$.submission.scheduledFor'
    value: number
  }

  export interface JournalEntrySubmissionDurableFieldEvent {
    field: '$.submission.durable'
    value: number
  }

  export interface JournalEntryCompletedResultFieldEvent {
    field: '$.completed.result'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalEntryCompletedStatsChunksFieldEvent {
    field: '$.completed.stats.chunks'
    value: number
  }

  export interface JournalEntryCompletedStatsRetriesFieldEvent {
    field: '$.completed.stats.retries'
    value: number
  }

  export interface JournalEntryCompletedStatsPerPeerPeerFieldEvent {
    field: '$.completed.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalEntryCompletedStatsPerPeerChunksFieldEvent {
    field: '$.completed.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalEntryCompletedStatsSpeculatedFieldEvent {
    field: '$.completed.stats.speculated'
    value: number
  }

  export interface JournalEntryCompletedStatsRecomputedFieldEvent {
    field: '$.completed.stats.recomputed'
    value: number
  }

  export interface JournalEntryFailedFailureFunctionFieldEvent {
    field: '$.failed.failure.function'
    value: string
  }

  export interface JournalEntryFailedFailureIndexFieldEvent {
    field: '$.failed.failure.index'
    value: number
  }

  export interface JournalEntryFailedFailureNameFieldEvent {
    field: '$.failed.failure.name'
    value: string
  }

  export interface JournalEntryFailedFailureMessageFieldEvent {
    field: '$.failed.failure.message'
    value: string
  }

  export interface JournalEntryFailedFailureStackFieldEvent {
    field: '$.failed.failure.stack'
    value: string
  }

  export interface JournalEntryFailedStatsChunksFieldEvent {
    field: '$.failed.stats.chunks'
    value: number
  }

  export interface JournalEntryFailedStatsRetriesFieldEvent {
    field: '$.failed.stats.retries'
    value: number
  }

  export interface JournalEntryFailedStatsPerPeerPeerFieldEvent {
    field: '$.failed.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalEntryFailedStatsPerPeerChunksFieldEvent {
    field: '$.failed.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalEntryFailedStatsSpeculatedFieldEvent {
    field: '$.failed.stats.speculated'
    value: number
  }

  export interface JournalEntryFailedStatsRecomputedFieldEvent {
    field: '$.failed.stats.recomputed'
    value: number
  }

  export interface JournalEntryCancelledStatsChunksFieldEvent {
    field: '$.cancelled.stats.chunks'
    value: number
  }

  export interface JournalEntryCancelledStatsRetriesFieldEvent {
    field: '$.cancelled.stats.retries'
    value: number
  }

  export interface JournalEntryCancelledStatsPerPeerPeerFieldEvent {
    field: '$.cancelled.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalEntryCancelledStatsPerPeerChunksFieldEvent {
    field: '$.cancelled.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalEntryCancelledStatsSpeculatedFieldEvent {
    field: '$.cancelled.stats.speculated'
    value: number
  }

  export interface JournalEntryCancelledStatsRecomputedFieldEvent {
    field: '$.cancelled.stats.recomputed'
    value: number
  }

  export interface JournalEntryKeepFieldEvent {
    field: '$.keep'
    value: number
  }

  export interface JournalEntryCheckpointNextFieldEvent {
    field: '$.checkpoint.next'
    value: number
  }

  export interface JournalEntryCheckpointDigestFieldEvent {
    field: '$.checkpoint.digest'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalEntryCheckpointPerPeerPeerFieldEvent {
    field: '$.checkpoint.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalEntryCheckpointPerPeerChunksFieldEvent {
    field: '$.checkpoint.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalEntryCheckpointAccumulatorFieldEvent {
    field: '$.checkpoint.accumulator'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalEntryCheckpointPartialsFirstFieldEvent {
    field: '$.checkpoint.partials[].first'
    value: number
    index: number
  }

  export interface JournalEntryCheckpointPartialsLengthsFieldEvent {
    field: '$.checkpoint.partials[].lengths'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalEntryCheckpointPartialsPayloadFieldEvent {
    field: '$.checkpoint.partials[].payload'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalEntryLeadersLeaderFieldEvent {
    field: '$.leaders[].leader'
    value: string
    index: number
  }

  export interface JournalEntryLeadersEpochFieldEvent {
    field: '$.leaders[].epoch'
    value: number
    index: number
  }

  export interface JournalEntryLockLimitFieldEvent {
    field: '$.lock.limit'
    value: number
  }

  export interface JournalEntryLockTokenFieldEvent {
    field: '$.lock.token'
    value: number
  }

  export interface JournalEntryLockHoldersSessionFieldEvent {
    field: '$.lock.holders[].session'
    value: string
    index: number
  }

  export interface JournalEntryLockHoldersClientFieldEvent {
    field: '$.lock.holders[].client'
    value: string
    index: number
  }

  export interface JournalEntryLockHoldersOwnerFieldEvent {
    field: '$.lock.holders[].owner'
    value: string
    index: number
  }

  export interface JournalEntryLockHoldersTokenFieldEvent {
    field: '$.lock.holders[].token'
    value: number
    index: number
  }

  export interface JournalEntryLockHoldersTtlFieldEvent {
    field: '$.lock.holders[].ttl'
    value: number
    index: number
  }

  export interface JournalEntryLockHoldersSinceFieldEvent {
    field: '$.lock.holders[].since'
    value: number
    index: number
  }

  export interface JournalEntryScheduleTermsIdFieldEvent {
    field: '$.schedule.terms.id'
    value: string
  }

  export interface JournalEntryScheduleTermsCronFieldEvent {
    field: '$.schedule.terms.cron'
    value: string
  }

  export interface JournalEntryScheduleTermsTimeZoneFieldEvent {
    field: '$.schedule.terms.timeZone'
    value: string
  }

  export interface JournalEntryScheduleTermsAtFieldEvent {
    field: '$.schedule.terms.at'
    value: number
  }

  export interface JournalEntryScheduleTermsMissedFieldEvent {
    field: '$.schedule.terms.missed'
    value: string
  }

  export interface JournalEntryScheduleTermsOverlapFieldEvent {
    field: '$.schedule.terms.overlap'
    value: string
  }

  export interface JournalEntryScheduleTermsCatchUpFieldEvent {
    field: '$.schedule.terms.catchUp'
    value: number
  }

  export interface JournalEntryScheduleTermsJitterFieldEvent {
    field: '$.schedule.terms.jitter'
    value: number
  }

  export interface JournalEntryScheduleAddedAtFieldEvent {
    field: '$.schedule.addedAt'
    value: number
  }

  export interface JournalEntryRemovedScheduleIdFieldEvent {
    field: '$.removedSchedule.id'
    value: string
  }

  export interface JournalEntryRemovedScheduleRemovedAtFieldEvent {
    field: '$.removedSchedule.removedAt'
    value: number
  }

  export interface JournalEntryMarkIdFieldEvent {
    field: '$.mark.id'
    value: string
  }

  export interface JournalEntryMarkFiredThroughFieldEvent {
    field: '$.mark.firedThrough'
    value: number
  }

  export interface JournalEntryMarkIsPausedFieldEvent {
    field: '$.mark.isPaused'
    value: boolean
  }

  export interface JournalEntryMarkSkippedFieldEvent {
    field: '$.mark.skipped'
    value: number
  }

  export interface JournalEntryMarkLastJobFieldEvent {
    field: '$.mark.last.job'
    value: string
  }

  export interface JournalEntryMarkLastDueFieldEvent {
    field: '$.mark.last.due'
    value: number
  }

  export interface JournalEntryMarkLastStateFieldEvent {
    field: '$.mark.last.state'
    value: string
  }

  export function encode (obj: Partial<JournalEntry>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalEntry.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalEntry>): JournalEntry {
    return decodeMessage(buf, JournalEntry.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalEntry>): Generator<JournalEntryHeadJobFieldEvent | JournalEntryHeadStampEpochFieldEvent | JournalEntryHeadStampLeaderFieldEvent | JournalEntryHeadStampPriorityFieldEvent | JournalEntryHeadStampVersionFieldEvent | JournalEntryHeadSubmissionIdFieldEvent | JournalEntryHeadEndFieldEvent | JournalEntryHeadHasOutcomeFieldEvent | JournalEntryHeadNextFieldEvent | JournalEntryHeadDurableFieldEvent | JournalEntryHeadIsSuspendedFieldEvent | JournalEntryTaskFieldEvent | JournalEntrySha256FieldEvent | JournalEntryInputSha256FieldEvent | JournalEntrySlotsFieldEvent | JournalEntrySubmissionTaskFieldEvent | JournalEntrySubmissionSha256FieldEvent | JournalEntrySubmissionCodeFieldEvent | JournalEntrySubmissionInputFieldEvent | JournalEntrySubmissionInputSha256FieldEvent | JournalEntrySubmissionRetriesFieldEvent | JournalEntrySubmissionSpeculateFieldEvent | JournalEntrySubmissionRequiresFieldEvent | JournalEntrySubmissionChunkTimeoutFieldEvent | JournalEntrySubmissionPriorityFieldEvent | JournalEntrySubmissionDetachFieldEvent | JournalEntrySubmissionKeepFieldEvent | JournalEntrySubmissionSeenFieldEvent | JournalEntrySubmissionPartialsFieldEvent | JournalEntrySubmissionGotFieldEvent | JournalEntrySubmissionStreamFieldEvent | JournalEntrySubmissionScheduledForFieldEvent | JournalEntrySubmissionDurableFieldEvent | JournalEntryCompletedResultFieldEvent | JournalEntryCompletedStatsChunksFieldEvent | JournalEntryCompletedStatsRetriesFieldEvent | JournalEntryCompletedStatsPerPeerPeerFieldEvent | JournalEntryCompletedStatsPerPeerChunksFieldEvent | JournalEntryCompletedStatsSpeculatedFieldEvent | JournalEntryCompletedStatsRecomputedFieldEvent | JournalEntryFailedFailureFunctionFieldEvent | JournalEntryFailedFailureIndexFieldEvent | JournalEntryFailedFailureNameFieldEvent | JournalEntryFailedFailureMessageFieldEvent | JournalEntryFailedFailureStackFieldEvent | JournalEntryFailedStatsChunksFieldEvent | JournalEntryFailedStatsRetriesFieldEvent | JournalEntryFailedStatsPerPeerPeerFieldEvent | JournalEntryFailedStatsPerPeerChunksFieldEvent | JournalEntryFailedStatsSpeculatedFieldEvent | JournalEntryFailedStatsRecomputedFieldEvent | JournalEntryCancelledStatsChunksFieldEvent | JournalEntryCancelledStatsRetriesFieldEvent | JournalEntryCancelledStatsPerPeerPeerFieldEvent | JournalEntryCancelledStatsPerPeerChunksFieldEvent | JournalEntryCancelledStatsSpeculatedFieldEvent | JournalEntryCancelledStatsRecomputedFieldEvent | JournalEntryKeepFieldEvent | JournalEntryCheckpointNextFieldEvent | JournalEntryCheckpointDigestFieldEvent | JournalEntryCheckpointPerPeerPeerFieldEvent | JournalEntryCheckpointPerPeerChunksFieldEvent | JournalEntryCheckpointAccumulatorFieldEvent | JournalEntryCheckpointPartialsFirstFieldEvent | JournalEntryCheckpointPartialsLengthsFieldEvent | JournalEntryCheckpointPartialsPayloadFieldEvent | JournalEntryLeadersLeaderFieldEvent | JournalEntryLeadersEpochFieldEvent | JournalEntryLockLimitFieldEvent | JournalEntryLockTokenFieldEvent | JournalEntryLockHoldersSessionFieldEvent | JournalEntryLockHoldersClientFieldEvent | JournalEntryLockHoldersOwnerFieldEvent | JournalEntryLockHoldersTokenFieldEvent | JournalEntryLockHoldersTtlFieldEvent | JournalEntryLockHoldersSinceFieldEvent | JournalEntryScheduleTermsIdFieldEvent | JournalEntryScheduleTermsCronFieldEvent | JournalEntryScheduleTermsTimeZoneFieldEvent | JournalEntryScheduleTermsAtFieldEvent | JournalEntryScheduleTermsMissedFieldEvent | JournalEntryScheduleTermsOverlapFieldEvent | JournalEntryScheduleTermsCatchUpFieldEvent | JournalEntryScheduleTermsJitterFieldEvent | JournalEntryScheduleAddedAtFieldEvent | JournalEntryRemovedScheduleIdFieldEvent | JournalEntryRemovedScheduleRemovedAtFieldEvent | JournalEntryMarkIdFieldEvent | JournalEntryMarkFiredThroughFieldEvent | JournalEntryMarkIsPausedFieldEvent | JournalEntryMarkSkippedFieldEvent | JournalEntryMarkLastJobFieldEvent | JournalEntryMarkLastDueFieldEvent | JournalEntryMarkLastStateFieldEvent> {
    return streamMessage(buf, JournalEntry.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield * ScheduleTerms.codec().stream(reader, reader.uint32(), `${prefix}.terms`, {
                limits: opts.limits?.terms
              })

              break
            }
            case 2: {
              yield {
                field: `${prefix}.addedAt`,
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

  export interface JournalScheduleTermsIdFieldEvent {
    field: '$.terms.id'
    value: string
  }

  export interface JournalScheduleTermsCronFieldEvent {
    field: '$.terms.cron'
    value: string
  }

  export interface JournalScheduleTermsTimeZoneFieldEvent {
    field: '$.terms.timeZone'
    value: string
  }

  export interface JournalScheduleTermsAtFieldEvent {
    field: '$.terms.at'
    value: number
  }

  export interface JournalScheduleTermsMissedFieldEvent {
    field: '$.terms.missed'
    value: string
  }

  export interface JournalScheduleTermsOverlapFieldEvent {
    field: '$.terms.overlap'
    value: string
  }

  export interface JournalScheduleTermsCatchUpFieldEvent {
    field: '$.terms.catchUp'
    value: number
  }

  export interface JournalScheduleTermsJitterFieldEvent {
    field: '$.terms.jitter'
    value: number
  }

  export interface JournalScheduleAddedAtFieldEvent {
    field: '$.addedAt'
    value: number
  }

  export function encode (obj: Partial<JournalSchedule>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalSchedule.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalSchedule>): JournalSchedule {
    return decodeMessage(buf, JournalSchedule.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalSchedule>): Generator<JournalScheduleTermsIdFieldEvent | JournalScheduleTermsCronFieldEvent | JournalScheduleTermsTimeZoneFieldEvent | JournalScheduleTermsAtFieldEvent | JournalScheduleTermsMissedFieldEvent | JournalScheduleTermsOverlapFieldEvent | JournalScheduleTermsCatchUpFieldEvent | JournalScheduleTermsJitterFieldEvent | JournalScheduleAddedAtFieldEvent> {
    return streamMessage(buf, JournalSchedule.codec(), opts)
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
                field: `${prefix}.cron`,
                value: reader.string()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.timeZone`,
                value: reader.string()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.at`,
                value: reader.uint64Number()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.missed`,
                value: reader.string()
              }
              break
            }
            case 6: {
              yield {
                field: `${prefix}.overlap`,
                value: reader.string()
              }
              break
            }
            case 7: {
              yield {
                field: `${prefix}.catchUp`,
                value: reader.uint32()
              }
              break
            }
            case 8: {
              yield {
                field: `${prefix}.jitter`,
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

  export interface ScheduleTermsIdFieldEvent {
    field: '$.id'
    value: string
  }

  export interface ScheduleTermsCronFieldEvent {
    field: '$.cron'
    value: string
  }

  export interface ScheduleTermsTimeZoneFieldEvent {
    field: '$.timeZone'
    value: string
  }

  export interface ScheduleTermsAtFieldEvent {
    field: '$.at'
    value: number
  }

  export interface ScheduleTermsMissedFieldEvent {
    field: '$.missed'
    value: string
  }

  export interface ScheduleTermsOverlapFieldEvent {
    field: '$.overlap'
    value: string
  }

  export interface ScheduleTermsCatchUpFieldEvent {
    field: '$.catchUp'
    value: number
  }

  export interface ScheduleTermsJitterFieldEvent {
    field: '$.jitter'
    value: number
  }

  export function encode (obj: Partial<ScheduleTerms>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleTerms.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleTerms>): ScheduleTerms {
    return decodeMessage(buf, ScheduleTerms.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleTerms>): Generator<ScheduleTermsIdFieldEvent | ScheduleTermsCronFieldEvent | ScheduleTermsTimeZoneFieldEvent | ScheduleTermsAtFieldEvent | ScheduleTermsMissedFieldEvent | ScheduleTermsOverlapFieldEvent | ScheduleTermsCatchUpFieldEvent | ScheduleTermsJitterFieldEvent> {
    return streamMessage(buf, ScheduleTerms.codec(), opts)
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
                field: `${prefix}.removedAt`,
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

  export interface JournalRemovedScheduleIdFieldEvent {
    field: '$.id'
    value: string
  }

  export interface JournalRemovedScheduleRemovedAtFieldEvent {
    field: '$.removedAt'
    value: number
  }

  export function encode (obj: Partial<JournalRemovedSchedule>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalRemovedSchedule.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalRemovedSchedule>): JournalRemovedSchedule {
    return decodeMessage(buf, JournalRemovedSchedule.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalRemovedSchedule>): Generator<JournalRemovedScheduleIdFieldEvent | JournalRemovedScheduleRemovedAtFieldEvent> {
    return streamMessage(buf, JournalRemovedSchedule.codec(), opts)
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
                field: `${prefix}.firedThrough`,
                value: reader.uint64Number()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.isPaused`,
                value: reader.bool()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.skipped`,
                value: reader.uint64Number()
              }
              break
            }
            case 5: {
              yield * ScheduleRun.codec().stream(reader, reader.uint32(), `${prefix}.last`, {
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
      })
    }

    return _codec
  }

  export interface JournalScheduleMarkIdFieldEvent {
    field: '$.id'
    value: string
  }

  export interface JournalScheduleMarkFiredThroughFieldEvent {
    field: '$.firedThrough'
    value: number
  }

  export interface JournalScheduleMarkIsPausedFieldEvent {
    field: '$.isPaused'
    value: boolean
  }

  export interface JournalScheduleMarkSkippedFieldEvent {
    field: '$.skipped'
    value: number
  }

  export interface JournalScheduleMarkLastJobFieldEvent {
    field: '$.last.job'
    value: string
  }

  export interface JournalScheduleMarkLastDueFieldEvent {
    field: '$.last.due'
    value: number
  }

  export interface JournalScheduleMarkLastStateFieldEvent {
    field: '$.last.state'
    value: string
  }

  export function encode (obj: Partial<JournalScheduleMark>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalScheduleMark.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalScheduleMark>): JournalScheduleMark {
    return decodeMessage(buf, JournalScheduleMark.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalScheduleMark>): Generator<JournalScheduleMarkIdFieldEvent | JournalScheduleMarkFiredThroughFieldEvent | JournalScheduleMarkIsPausedFieldEvent | JournalScheduleMarkSkippedFieldEvent | JournalScheduleMarkLastJobFieldEvent | JournalScheduleMarkLastDueFieldEvent | JournalScheduleMarkLastStateFieldEvent> {
    return streamMessage(buf, JournalScheduleMark.codec(), opts)
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
                field: `${prefix}.due`,
                value: reader.uint64Number()
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

  export interface ScheduleRunJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface ScheduleRunDueFieldEvent {
    field: '$.due'
    value: number
  }

  export interface ScheduleRunStateFieldEvent {
    field: '$.state'
    value: string
  }

  export function encode (obj: Partial<ScheduleRun>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleRun.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleRun>): ScheduleRun {
    return decodeMessage(buf, ScheduleRun.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleRun>): Generator<ScheduleRunJobFieldEvent | ScheduleRunDueFieldEvent | ScheduleRunStateFieldEvent> {
    return streamMessage(buf, ScheduleRun.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          holders: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.limit`,
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
            case 3: {
              if (opts.limits?.holders != null && obj.holders === opts.limits.holders) {
                throw new MaxLengthError('Streaming decode error - repeated field "holders" had too many elements')
              }

              for (const evt of JournalLockHolder.codec().stream(reader, reader.uint32(), `${prefix}.holders[]`, {
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

  export interface JournalLockLimitFieldEvent {
    field: '$.limit'
    value: number
  }

  export interface JournalLockTokenFieldEvent {
    field: '$.token'
    value: number
  }

  export interface JournalLockHoldersSessionFieldEvent {
    field: '$.holders[].session'
    value: string
    index: number
  }

  export interface JournalLockHoldersClientFieldEvent {
    field: '$.holders[].client'
    value: string
    index: number
  }

  export interface JournalLockHoldersOwnerFieldEvent {
    field: '$.holders[].owner'
    value: string
    index: number
  }

  export interface JournalLockHoldersTokenFieldEvent {
    field: '$.holders[].token'
    value: number
    index: number
  }

  export interface JournalLockHoldersTtlFieldEvent {
    field: '$.holders[].ttl'
    value: number
    index: number
  }

  export interface JournalLockHoldersSinceFieldEvent {
    field: '$.holders[].since'
    value: number
    index: number
  }

  export function encode (obj: Partial<JournalLock>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalLock.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalLock>): JournalLock {
    return decodeMessage(buf, JournalLock.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalLock>): Generator<JournalLockLimitFieldEvent | JournalLockTokenFieldEvent | JournalLockHoldersSessionFieldEvent | JournalLockHoldersClientFieldEvent | JournalLockHoldersOwnerFieldEvent | JournalLockHoldersTokenFieldEvent | JournalLockHoldersTtlFieldEvent | JournalLockHoldersSinceFieldEvent> {
    return streamMessage(buf, JournalLock.codec(), opts)
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
                field: `${prefix}.token`,
                value: reader.uint64Number()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.ttl`,
                value: reader.uint32()
              }
              break
            }
            case 6: {
              yield {
                field: `${prefix}.since`,
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

  export interface JournalLockHolderSessionFieldEvent {
    field: '$.session'
    value: string
  }

  export interface JournalLockHolderClientFieldEvent {
    field: '$.client'
    value: string
  }

  export interface JournalLockHolderOwnerFieldEvent {
    field: '$.owner'
    value: string
  }

  export interface JournalLockHolderTokenFieldEvent {
    field: '$.token'
    value: number
  }

  export interface JournalLockHolderTtlFieldEvent {
    field: '$.ttl'
    value: number
  }

  export interface JournalLockHolderSinceFieldEvent {
    field: '$.since'
    value: number
  }

  export function encode (obj: Partial<JournalLockHolder>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalLockHolder.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalLockHolder>): JournalLockHolder {
    return decodeMessage(buf, JournalLockHolder.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalLockHolder>): Generator<JournalLockHolderSessionFieldEvent | JournalLockHolderClientFieldEvent | JournalLockHolderOwnerFieldEvent | JournalLockHolderTokenFieldEvent | JournalLockHolderTtlFieldEvent | JournalLockHolderSinceFieldEvent> {
    return streamMessage(buf, JournalLockHolder.codec(), opts)
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
            case 2: {
              yield {
                field: `${prefix}.epoch`,
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

  export interface JournalLeaderLeaderFieldEvent {
    field: '$.leader'
    value: string
  }

  export interface JournalLeaderEpochFieldEvent {
    field: '$.epoch'
    value: number
  }

  export function encode (obj: Partial<JournalLeader>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalLeader.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalLeader>): JournalLeader {
    return decodeMessage(buf, JournalLeader.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalLeader>): Generator<JournalLeaderLeaderFieldEvent | JournalLeaderEpochFieldEvent> {
    return streamMessage(buf, JournalLeader.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          perPeer: 0,
          partials: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.next`,
                value: reader.uint64Number()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.digest`,
                value: reader.bytes()
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
            case 4: {
              yield {
                field: `${prefix}.accumulator`,
                value: reader.bytes()
              }
              break
            }
            case 5: {
              if (opts.limits?.partials != null && obj.partials === opts.limits.partials) {
                throw new MaxLengthError('Streaming decode error - repeated field "partials" had too many elements')
              }

              for (const evt of JournalPartials.codec().stream(reader, reader.uint32(), `${prefix}.partials[]`, {
                limits: opts.limits?.partials$
              })) {
                yield {
                  ...evt,
                  index: obj.partials
                }
              }

              obj.partials++

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

  export interface JournalCheckpointNextFieldEvent {
    field: '$.next'
    value: number
  }

  export interface JournalCheckpointDigestFieldEvent {
    field: '$.digest'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalCheckpointPerPeerPeerFieldEvent {
    field: '$.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalCheckpointPerPeerChunksFieldEvent {
    field: '$.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalCheckpointAccumulatorFieldEvent {
    field: '$.accumulator'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalCheckpointPartialsFirstFieldEvent {
    field: '$.partials[].first'
    value: number
    index: number
  }

  export interface JournalCheckpointPartialsLengthsFieldEvent {
    field: '$.partials[].lengths'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalCheckpointPartialsPayloadFieldEvent {
    field: '$.partials[].payload'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export function encode (obj: Partial<JournalCheckpoint>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalCheckpoint.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalCheckpoint>): JournalCheckpoint {
    return decodeMessage(buf, JournalCheckpoint.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalCheckpoint>): Generator<JournalCheckpointNextFieldEvent | JournalCheckpointDigestFieldEvent | JournalCheckpointPerPeerPeerFieldEvent | JournalCheckpointPerPeerChunksFieldEvent | JournalCheckpointAccumulatorFieldEvent | JournalCheckpointPartialsFirstFieldEvent | JournalCheckpointPartialsLengthsFieldEvent | JournalCheckpointPartialsPayloadFieldEvent> {
    return streamMessage(buf, JournalCheckpoint.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.first`,
                value: reader.uint64Number()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.lengths`,
                value: reader.bytes()
              }
              break
            }
            case 3: {
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

  export interface JournalPartialsFirstFieldEvent {
    field: '$.first'
    value: number
  }

  export interface JournalPartialsLengthsFieldEvent {
    field: '$.lengths'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalPartialsPayloadFieldEvent {
    field: '$.payload'
    value: Uint8Array<ArrayBuffer>
  }

  export function encode (obj: Partial<JournalPartials>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalPartials.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalPartials>): JournalPartials {
    return decodeMessage(buf, JournalPartials.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalPartials>): Generator<JournalPartialsFirstFieldEvent | JournalPartialsLengthsFieldEvent | JournalPartialsPayloadFieldEvent> {
    return streamMessage(buf, JournalPartials.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield * JournalHead.codec().stream(reader, reader.uint32(), `${prefix}.head`, {
                limits: opts.limits?.head
              })

              break
            }
            case 2: {
              yield * JournalCheckpoint.codec().stream(reader, reader.uint32(), `${prefix}.checkpoint`, {
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
      })
    }

    return _codec
  }

  export interface JournalUpdateHeadJobFieldEvent {
    field: '$.head.job'
    value: string
  }

  export interface JournalUpdateHeadStampEpochFieldEvent {
    field: '$.head.stamp.epoch'
    value: number
  }

  export interface JournalUpdateHeadStampLeaderFieldEvent {
    field: '$.head.stamp.leader'
    value: string
  }

  export interface JournalUpdateHeadStampPriorityFieldEvent {
    field: '$.head.stamp.priority'
    value: number
  }

  export interface JournalUpdateHeadStampVersionFieldEvent {
    field: '$.head.stamp.version'
    value: number
  }

  export interface JournalUpdateHeadSubmissionIdFieldEvent {
    field: '$.head.submissionId'
    value: string
  }

  export interface JournalUpdateHeadEndFieldEvent {
    field: '$.head.end'
    value: string
  }

  export interface JournalUpdateHeadHasOutcomeFieldEvent {
    field: '$.head.hasOutcome'
    value: boolean
  }

  export interface JournalUpdateHeadNextFieldEvent {
    field: '$.head.next'
    value: number
  }

  export interface JournalUpdateHeadDurableFieldEvent {
    field: '$.head.durable'
    value: number
  }

  export interface JournalUpdateHeadIsSuspendedFieldEvent {
    field: '$.head.isSuspended'
    value: boolean
  }

  export interface JournalUpdateCheckpointNextFieldEvent {
    field: '$.checkpoint.next'
    value: number
  }

  export interface JournalUpdateCheckpointDigestFieldEvent {
    field: '$.checkpoint.digest'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalUpdateCheckpointPerPeerPeerFieldEvent {
    field: '$.checkpoint.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalUpdateCheckpointPerPeerChunksFieldEvent {
    field: '$.checkpoint.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalUpdateCheckpointAccumulatorFieldEvent {
    field: '$.checkpoint.accumulator'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalUpdateCheckpointPartialsFirstFieldEvent {
    field: '$.checkpoint.partials[].first'
    value: number
    index: number
  }

  export interface JournalUpdateCheckpointPartialsLengthsFieldEvent {
    field: '$.checkpoint.partials[].lengths'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalUpdateCheckpointPartialsPayloadFieldEvent {
    field: '$.checkpoint.partials[].payload'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export function encode (obj: Partial<JournalUpdate>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalUpdate.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalUpdate>): JournalUpdate {
    return decodeMessage(buf, JournalUpdate.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalUpdate>): Generator<JournalUpdateHeadJobFieldEvent | JournalUpdateHeadStampEpochFieldEvent | JournalUpdateHeadStampLeaderFieldEvent | JournalUpdateHeadStampPriorityFieldEvent | JournalUpdateHeadStampVersionFieldEvent | JournalUpdateHeadSubmissionIdFieldEvent | JournalUpdateHeadEndFieldEvent | JournalUpdateHeadHasOutcomeFieldEvent | JournalUpdateHeadNextFieldEvent | JournalUpdateHeadDurableFieldEvent | JournalUpdateHeadIsSuspendedFieldEvent | JournalUpdateCheckpointNextFieldEvent | JournalUpdateCheckpointDigestFieldEvent | JournalUpdateCheckpointPerPeerPeerFieldEvent | JournalUpdateCheckpointPerPeerChunksFieldEvent | JournalUpdateCheckpointAccumulatorFieldEvent | JournalUpdateCheckpointPartialsFirstFieldEvent | JournalUpdateCheckpointPartialsLengthsFieldEvent | JournalUpdateCheckpointPartialsPayloadFieldEvent> {
    return streamMessage(buf, JournalUpdate.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
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

  export interface JournalReadPriorityFieldEvent {
    field: '$.priority'
    value: number
  }

  export function encode (obj: Partial<JournalRead>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalRead.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalRead>): JournalRead {
    return decodeMessage(buf, JournalRead.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalRead>): Generator<JournalReadPriorityFieldEvent> {
    return streamMessage(buf, JournalRead.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          heads: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.heads != null && obj.heads === opts.limits.heads) {
                throw new MaxLengthError('Streaming decode error - repeated field "heads" had too many elements')
              }

              for (const evt of JournalHead.codec().stream(reader, reader.uint32(), `${prefix}.heads[]`, {
                limits: opts.limits?.heads$
              })) {
                yield {
                  ...evt,
                  index: obj.heads
                }
              }

              obj.heads++

              break
            }
            case 2: {
              yield {
                field: `${prefix}.age`,
                value: reader.uint64Number()
              }
              break
            }
            case 3: {
              yield * JournalHolders.codec().stream(reader, reader.uint32(), `${prefix}.holders`, {
                limits: opts.limits?.holders
              })

              break
            }
            case 4: {
              yield {
                field: `${prefix}.incomplete`,
                value: reader.bool()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.onDisk`,
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

  export interface JournalHeadsHeadsJobFieldEvent {
    field: '$.heads[].job'
    value: string
    index: number
  }

  export interface JournalHeadsHeadsStampEpochFieldEvent {
    field: '$.heads[].stamp.epoch'
    value: number
    index: number
  }

  export interface JournalHeadsHeadsStampLeaderFieldEvent {
    field: '$.heads[].stamp.leader'
    value: string
    index: number
  }

  export interface JournalHeadsHeadsStampPriorityFieldEvent {
    field: '$.heads[].stamp.priority'
    value: number
    index: number
  }

  export interface JournalHeadsHeadsStampVersionFieldEvent {
    field: '$.heads[].stamp.version'
    value: number
    index: number
  }

  export interface JournalHeadsHeadsSubmissionIdFieldEvent {
    field: '$.heads[].submissionId'
    value: string
    index: number
  }

  export interface JournalHeadsHeadsEndFieldEvent {
    field: '$.heads[].end'
    value: string
    index: number
  }

  export interface JournalHeadsHeadsHasOutcomeFieldEvent {
    field: '$.heads[].hasOutcome'
    value: boolean
    index: number
  }

  export interface JournalHeadsHeadsNextFieldEvent {
    field: '$.heads[].next'
    value: number
    index: number
  }

  export interface JournalHeadsHeadsDurableFieldEvent {
    field: '$.heads[].durable'
    value: number
    index: number
  }

  export interface JournalHeadsHeadsIsSuspendedFieldEvent {
    field: '$.heads[].isSuspended'
    value: boolean
    index: number
  }

  export interface JournalHeadsAgeFieldEvent {
    field: '$.age'
    value: number
  }

  export interface JournalHeadsHoldersStampEpochFieldEvent {
    field: '$.holders.stamp.epoch'
    value: number
  }

  export interface JournalHeadsHoldersStampLeaderFieldEvent {
    field: '$.holders.stamp.leader'
    value: string
  }

  export interface JournalHeadsHoldersStampPriorityFieldEvent {
    field: '$.holders.stamp.priority'
    value: number
  }

  export interface JournalHeadsHoldersStampVersionFieldEvent {
    field: '$.holders.stamp.version'
    value: number
  }

  export interface JournalHeadsHoldersHoldersFieldEvent {
    field: '$.holders.holders[]'
    index: number
    value: string
  }

  export interface JournalHeadsHoldersInMemoryFieldEvent {
    field: '$.holders.inMemory[]'
    index: number
    value: string
  }

  export interface JournalHeadsHoldersBehindFieldEvent {
    field: '$.holders.behind[]'
    index: number
    value: string
  }

  export interface JournalHeadsHoldersFloorEpochFieldEvent {
    field: '$.holders.floor.epoch'
    value: number
  }

  export interface JournalHeadsHoldersFloorLeaderFieldEvent {
    field: '$.holders.floor.leader'
    value: string
  }

  export interface JournalHeadsHoldersFloorPriorityFieldEvent {
    field: '$.holders.floor.priority'
    value: number
  }

  export interface JournalHeadsHoldersFloorVersionFieldEvent {
    field: '$.holders.floor.version'
    value: number
  }

  export interface JournalHeadsHoldersOutdatedFieldEvent {
    field: '$.holders.outdated[]'
    index: number
    value: string
  }

  export interface JournalHeadsIncompleteFieldEvent {
    field: '$.incomplete'
    value: boolean
  }

  export interface JournalHeadsOnDiskFieldEvent {
    field: '$.onDisk'
    value: boolean
  }

  export function encode (obj: Partial<JournalHeads>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalHeads.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalHeads>): JournalHeads {
    return decodeMessage(buf, JournalHeads.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalHeads>): Generator<JournalHeadsHeadsJobFieldEvent | JournalHeadsHeadsStampEpochFieldEvent | JournalHeadsHeadsStampLeaderFieldEvent | JournalHeadsHeadsStampPriorityFieldEvent | JournalHeadsHeadsStampVersionFieldEvent | JournalHeadsHeadsSubmissionIdFieldEvent | JournalHeadsHeadsEndFieldEvent | JournalHeadsHeadsHasOutcomeFieldEvent | JournalHeadsHeadsNextFieldEvent | JournalHeadsHeadsDurableFieldEvent | JournalHeadsHeadsIsSuspendedFieldEvent | JournalHeadsAgeFieldEvent | JournalHeadsHoldersStampEpochFieldEvent | JournalHeadsHoldersStampLeaderFieldEvent | JournalHeadsHoldersStampPriorityFieldEvent | JournalHeadsHoldersStampVersionFieldEvent | JournalHeadsHoldersHoldersFieldEvent | JournalHeadsHoldersInMemoryFieldEvent | JournalHeadsHoldersBehindFieldEvent | JournalHeadsHoldersFloorEpochFieldEvent | JournalHeadsHoldersFloorLeaderFieldEvent | JournalHeadsHoldersFloorPriorityFieldEvent | JournalHeadsHoldersFloorVersionFieldEvent | JournalHeadsHoldersOutdatedFieldEvent | JournalHeadsIncompleteFieldEvent | JournalHeadsOnDiskFieldEvent> {
    return streamMessage(buf, JournalHeads.codec(), opts)
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

  export function encode (obj: Partial<JournalWhole>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalWhole.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalWhole>): JournalWhole {
    return decodeMessage(buf, JournalWhole.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalWhole>): Generator<{}> {
    return streamMessage(buf, JournalWhole.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          holders: 0,
          inMemory: 0,
          behind: 0,
          outdated: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield * JournalStamp.codec().stream(reader, reader.uint32(), `${prefix}.stamp`, {
                limits: opts.limits?.stamp
              })

              break
            }
            case 2: {
              if (opts.limits?.holders != null && obj.holders === opts.limits.holders) {
                throw new MaxLengthError('Streaming decode error - repeated field "holders" had too many elements')
              }

              yield {
                field: `${prefix}.holders[]`,
                index: obj.holders,
                value: reader.string()
              }

              obj.holders++

              break
            }
            case 3: {
              if (opts.limits?.inMemory != null && obj.inMemory === opts.limits.inMemory) {
                throw new MaxLengthError('Streaming decode error - repeated field "inMemory" had too many elements')
              }

              yield {
                field: `${prefix}.inMemory[]`,
                index: obj.inMemory,
                value: reader.string()
              }

              obj.inMemory++

              break
            }
            case 4: {
              if (opts.limits?.behind != null && obj.behind === opts.limits.behind) {
                throw new MaxLengthError('Streaming decode error - repeated field "behind" had too many elements')
              }

              yield {
                field: `${prefix}.behind[]`,
                index: obj.behind,
                value: reader.string()
              }

              obj.behind++

              break
            }
            case 5: {
              yield * JournalStamp.codec().stream(reader, reader.uint32(), `${prefix}.floor`, {
                limits: opts.limits?.floor
              })

              break
            }
            case 6: {
              if (opts.limits?.outdated != null && obj.outdated === opts.limits.outdated) {
                throw new MaxLengthError('Streaming decode error - repeated field "outdated" had too many elements')
              }

              yield {
                field: `${prefix}.outdated[]`,
                index: obj.outdated,
                value: reader.string()
              }

              obj.outdated++

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

  export interface JournalHoldersStampEpochFieldEvent {
    field: '$.stamp.epoch'
    value: number
  }

  export interface JournalHoldersStampLeaderFieldEvent {
    field: '$.stamp.leader'
    value: string
  }

  export interface JournalHoldersStampPriorityFieldEvent {
    field: '$.stamp.priority'
    value: number
  }

  export interface JournalHoldersStampVersionFieldEvent {
    field: '$.stamp.version'
    value: number
  }

  export interface JournalHoldersHoldersFieldEvent {
    field: '$.holders[]'
    index: number
    value: string
  }

  export interface JournalHoldersInMemoryFieldEvent {
    field: '$.inMemory[]'
    index: number
    value: string
  }

  export interface JournalHoldersBehindFieldEvent {
    field: '$.behind[]'
    index: number
    value: string
  }

  export interface JournalHoldersFloorEpochFieldEvent {
    field: '$.floor.epoch'
    value: number
  }

  export interface JournalHoldersFloorLeaderFieldEvent {
    field: '$.floor.leader'
    value: string
  }

  export interface JournalHoldersFloorPriorityFieldEvent {
    field: '$.floor.priority'
    value: number
  }

  export interface JournalHoldersFloorVersionFieldEvent {
    field: '$.floor.version'
    value: number
  }

  export interface JournalHoldersOutdatedFieldEvent {
    field: '$.outdated[]'
    index: number
    value: string
  }

  export function encode (obj: Partial<JournalHolders>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalHolders.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalHolders>): JournalHolders {
    return decodeMessage(buf, JournalHolders.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalHolders>): Generator<JournalHoldersStampEpochFieldEvent | JournalHoldersStampLeaderFieldEvent | JournalHoldersStampPriorityFieldEvent | JournalHoldersStampVersionFieldEvent | JournalHoldersHoldersFieldEvent | JournalHoldersInMemoryFieldEvent | JournalHoldersBehindFieldEvent | JournalHoldersFloorEpochFieldEvent | JournalHoldersFloorLeaderFieldEvent | JournalHoldersFloorPriorityFieldEvent | JournalHoldersFloorVersionFieldEvent | JournalHoldersOutdatedFieldEvent> {
    return streamMessage(buf, JournalHolders.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.version`,
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

  export interface JournalNotedVersionFieldEvent {
    field: '$.version'
    value: number
  }

  export function encode (obj: Partial<JournalNoted>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalNoted.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalNoted>): JournalNoted {
    return decodeMessage(buf, JournalNoted.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalNoted>): Generator<JournalNotedVersionFieldEvent> {
    return streamMessage(buf, JournalNoted.codec(), opts)
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

  export interface JournalFetchJobFieldEvent {
    field: '$.job'
    value: string
  }

  export function encode (obj: Partial<JournalFetch>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalFetch.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalFetch>): JournalFetch {
    return decodeMessage(buf, JournalFetch.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalFetch>): Generator<JournalFetchJobFieldEvent> {
    return streamMessage(buf, JournalFetch.codec(), opts)
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
              yield * JournalEntry.codec().stream(reader, reader.uint32(), `${prefix}.entry`, {
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
      })
    }

    return _codec
  }

  export interface JournalFetchedJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface JournalFetchedEntryHeadJobFieldEvent {
    field: '$.entry.head.job'
    value: string
  }

  export interface JournalFetchedEntryHeadStampEpochFieldEvent {
    field: '$.entry.head.stamp.epoch'
    value: number
  }

  export interface JournalFetchedEntryHeadStampLeaderFieldEvent {
    field: '$.entry.head.stamp.leader'
    value: string
  }

  export interface JournalFetchedEntryHeadStampPriorityFieldEvent {
    field: '$.entry.head.stamp.priority'
    value: number
  }

  export interface JournalFetchedEntryHeadStampVersionFieldEvent {
    field: '$.entry.head.stamp.version'
    value: number
  }

  export interface JournalFetchedEntryHeadSubmissionIdFieldEvent {
    field: '$.entry.head.submissionId'
    value: string
  }

  export interface JournalFetchedEntryHeadEndFieldEvent {
    field: '$.entry.head.end'
    value: string
  }

  export interface JournalFetchedEntryHeadHasOutcomeFieldEvent {
    field: '$.entry.head.hasOutcome'
    value: boolean
  }

  export interface JournalFetchedEntryHeadNextFieldEvent {
    field: '$.entry.head.next'
    value: number
  }

  export interface JournalFetchedEntryHeadDurableFieldEvent {
    field: '$.entry.head.durable'
    value: number
  }

  export interface JournalFetchedEntryHeadIsSuspendedFieldEvent {
    field: '$.entry.head.isSuspended'
    value: boolean
  }

  export interface JournalFetchedEntryTaskFieldEvent {
    field: '$.entry.task'
    value: string
  }

  export interface JournalFetchedEntrySha256FieldEvent {
    field: '$.entry.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalFetchedEntryInputSha256FieldEvent {
    field: '$.entry.inputSha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalFetchedEntrySlotsFieldEvent {
    field: '$.entry.slots'
    value: number
  }

  export interface JournalFetchedEntrySubmissionTaskFieldEvent {
    field: '$.entry.submission.task'
    value: string
  }

  export interface JournalFetchedEntrySubmissionSha256FieldEvent {
    field: '$.entry.submission.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalFetchedEntrySubmissionCodeFieldEvent {
    field: '$.entry.submission.code'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalFetchedEntrySubmissionInputFieldEvent {
    field: '$.entry.submission.input'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalFetchedEntrySubmissionInputSha256FieldEvent {
    field: '$.entry.submission.inputSha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalFetchedEntrySubmissionRetriesFieldEvent {
    field: '$.entry.submission.retries'
    value: number
  }

  export interface JournalFetchedEntrySubmissionSpeculateFieldEvent {
    field: '$.entry.submission.speculate'
    value: boolean
  }

  export interface JournalFetchedEntrySubmissionRequiresFieldEvent {
    field: '$.entry.submission.requires{}'
    key: string
    value: string
  }

  export interface JournalFetchedEntrySubmissionChunkTimeoutFieldEvent {
    field: '$.entry.submission.chunkTimeout'
    value: number
  }

  export interface JournalFetchedEntrySubmissionPriorityFieldEvent {
    field: '$.entry.submission.priority'
    value: number
  }

  export interface JournalFetchedEntrySubmissionDetachFieldEvent {
    field: '$.entry.submission.detach'
    value: boolean
  }

  export interface JournalFetchedEntrySubmissionKeepFieldEvent {
    field: '$.entry.submission.keep'
    value: number
  }

  export interface JournalFetchedEntrySubmissionSeenFieldEvent {
    field: '$.entry.submission.seen'
    value: number
  }

  export interface JournalFetchedEntrySubmissionPartialsFieldEvent {
    field: '$.entry.submission.partials'
    value: boolean
  }

  export interface JournalFetchedEntrySubmissionGotFieldEvent {
    field: '$.entry.submission.got'
    value: number
  }

  export interface JournalFetchedEntrySubmissionStreamFieldEvent {
    field: '$.entry.submission.stream'
    value: string
  }

  export interface JournalFetchedEntrySubmissionScheduledForFieldEvent {
    field: '$.entry.submission.scheduledFor'
    value: number
  }

  export interface JournalFetchedEntrySubmissionDurableFieldEvent {
    field: '$.entry.submission.durable'
    value: number
  }

  export interface JournalFetchedEntryCompletedResultFieldEvent {
    field: '$.entry.completed.result'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalFetchedEntryCompletedStatsChunksFieldEvent {
    field: '$.entry.completed.stats.chunks'
    value: number
  }

  export interface JournalFetchedEntryCompletedStatsRetriesFieldEvent {
    field: '$.entry.completed.stats.retries'
    value: number
  }

  export interface JournalFetchedEntryCompletedStatsPerPeerPeerFieldEvent {
    field: '$.entry.completed.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalFetchedEntryCompletedStatsPerPeerChunksFieldEvent {
    field: '$.entry.completed.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalFetchedEntryCompletedStatsSpeculatedFieldEvent {
    field: '$.entry.completed.stats.speculated'
    value: number
  }

  export interface JournalFetchedEntryCompletedStatsRecomputedFieldEvent {
    field: '$.entry.completed.stats.recomputed'
    value: number
  }

  export interface JournalFetchedEntryFailedFailureFunctionFieldEvent {
    field: '$.entry.failed.failure.function'
    value: string
  }

  export interface JournalFetchedEntryFailedFailureIndexFieldEvent {
    field: '$.entry.failed.failure.index'
    value: number
  }

  export interface JournalFetchedEntryFailedFailureNameFieldEvent {
    field: '$.entry.failed.failure.name'
    value: string
  }

  export interface JournalFetchedEntryFailedFailureMessageFieldEvent {
    field: '$.entry.failed.failure.message'
    value: string
  }

  export interface JournalFetchedEntryFailedFailureStackFieldEvent {
    field: '$.entry.failed.failure.stack'
    value: string
  }

  export interface JournalFetchedEntryFailedStatsChunksFieldEvent {
    field: '$.entry.failed.stats.chunks'
    value: number
  }

  export interface JournalFetchedEntryFailedStatsRetriesFieldEvent {
    field: '$.entry.failed.stats.retries'
    value: number
  }

  export interface JournalFetchedEntryFailedStatsPerPeerPeerFieldEvent {
    field: '$.entry.failed.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalFetchedEntryFailedStatsPerPeerChunksFieldEvent {
    field: '$.entry.failed.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalFetchedEntryFailedStatsSpeculatedFieldEvent {
    field: '$.entry.failed.stats.speculated'
    value: number
  }

  export interface JournalFetchedEntryFailedStatsRecomputedFieldEvent {
    field: '$.entry.failed.stats.recomputed'
    value: number
  }

  export interface JournalFetchedEntryCancelledStatsChunksFieldEvent {
    field: '$.entry.cancelled.stats.chunks'
    value: number
  }

  export interface JournalFetchedEntryCancelledStatsRetriesFieldEvent {
    field: '$.entry.cancelled.stats.retries'
    value: number
  }

  export interface JournalFetchedEntryCancelledStatsPerPeerPeerFieldEvent {
    field: '$.entry.cancelled.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalFetchedEntryCancelledStatsPerPeerChunksFieldEvent {
    field: '$.entry.cancelled.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalFetchedEntryCancelledStatsSpeculatedFieldEvent {
    field: '$.entry.cancelled.stats.speculated'
    value: number
  }

  export interface JournalFetchedEntryCancelledStatsRecomputedFieldEvent {
    field: '$.entry.cancelled.stats.recomputed'
    value: number
  }

  export interface JournalFetchedEntryKeepFieldEvent {
    field: '$.entry.keep'
    value: number
  }

  export interface JournalFetchedEntryCheckpointNextFieldEvent {
    field: '$.entry.checkpoint.next'
    value: number
  }

  export interface JournalFetchedEntryCheckpointDigestFieldEvent {
    field: '$.entry.checkpoint.digest'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalFetchedEntryCheckpointPerPeerPeerFieldEvent {
    field: '$.entry.checkpoint.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalFetchedEntryCheckpointPerPeerChunksFieldEvent {
    field: '$.entry.checkpoint.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalFetchedEntryCheckpointAccumulatorFieldEvent {
    field: '$.entry.checkpoint.accumulator'
    value: Uint8Array<ArrayBuffer>
  }

  export interface JournalFetchedEntryCheckpointPartialsFirstFieldEvent {
    field: '$.entry.checkpoint.partials[].first'
    value: number
    index: number
  }

  export interface JournalFetchedEntryCheckpointPartialsLengthsFieldEvent {
    field: '$.entry.checkpoint.partials[].lengths'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalFetchedEntryCheckpointPartialsPayloadFieldEvent {
    field: '$.entry.checkpoint.partials[].payload'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalFetchedEntryLeadersLeaderFieldEvent {
    field: '$.entry.leaders[].leader'
    value: string
    index: number
  }

  export interface JournalFetchedEntryLeadersEpochFieldEvent {
    field: '$.entry.leaders[].epoch'
    value: number
    index: number
  }

  export interface JournalFetchedEntryLockLimitFieldEvent {
    field: '$.entry.lock.limit'
    value: number
  }

  export interface JournalFetchedEntryLockTokenFieldEvent {
    field: '$.entry.lock.token'
    value: number
  }

  export interface JournalFetchedEntryLockHoldersSessionFieldEvent {
    field: '$.entry.lock.holders[].session'
    value: string
    index: number
  }

  export interface JournalFetchedEntryLockHoldersClientFieldEvent {
    field: '$.entry.lock.holders[].client'
    value: string
    index: number
  }

  export interface JournalFetchedEntryLockHoldersOwnerFieldEvent {
    field: '$.entry.lock.holders[].owner'
    value: string
    index: number
  }

  export interface JournalFetchedEntryLockHoldersTokenFieldEvent {
    field: '$.entry.lock.holders[].token'
    value: number
    index: number
  }

  export interface JournalFetchedEntryLockHoldersTtlFieldEvent {
    field: '$.entry.lock.holders[].ttl'
    value: number
    index: number
  }

  export interface JournalFetchedEntryLockHoldersSinceFieldEvent {
    field: '$.entry.lock.holders[].since'
    value: number
    index: number
  }

  export interface JournalFetchedEntryScheduleTermsIdFieldEvent {
    field: '$.entry.schedule.terms.id'
    value: string
  }

  export interface JournalFetchedEntryScheduleTermsCronFieldEvent {
    field: '$.entry.schedule.terms.cron'
    value: string
  }

  export interface JournalFetchedEntryScheduleTermsTimeZoneFieldEvent {
    field: '$.entry.schedule.terms.timeZone'
    value: string
  }

  export interface JournalFetchedEntryScheduleTermsAtFieldEvent {
    field: '$.entry.schedule.terms.at'
    value: number
  }

  export interface JournalFetchedEntryScheduleTermsMissedFieldEvent {
    field: '$.entry.schedule.terms.missed'
    value: string
  }

  export interface JournalFetchedEntryScheduleTermsOverlapFieldEvent {
    field: '$.entry.schedule.terms.overlap'
    value: string
  }

  export interface JournalFetchedEntryScheduleTermsCatchUpFieldEvent {
    field: '$.entry.schedule.terms.catchUp'
    value: number
  }

  export interface JournalFetchedEntryScheduleTermsJitterFieldEvent {
    field: '$.entry.schedule.terms.jitter'
    value: number
  }

  export interface JournalFetchedEntryScheduleAddedAtFieldEvent {
    field: '$.entry.schedule.addedAt'
    value: number
  }

  export interface JournalFetchedEntryRemovedScheduleIdFieldEvent {
    field: '$.entry.removedSchedule.id'
    value: string
  }

  export interface JournalFetchedEntryRemovedScheduleRemovedAtFieldEvent {
    field: '$.entry.removedSchedule.removedAt'
    value: number
  }

  export interface JournalFetchedEntryMarkIdFieldEvent {
    field: '$.entry.mark.id'
    value: string
  }

  export interface JournalFetchedEntryMarkFiredThroughFieldEvent {
    field: '$.entry.mark.firedThrough'
    value: number
  }

  export interface JournalFetchedEntryMarkIsPausedFieldEvent {
    field: '$.entry.mark.isPaused'
    value: boolean
  }

  export interface JournalFetchedEntryMarkSkippedFieldEvent {
    field: '$.entry.mark.skipped'
    value: number
  }

  export interface JournalFetchedEntryMarkLastJobFieldEvent {
    field: '$.entry.mark.last.job'
    value: string
  }

  export interface JournalFetchedEntryMarkLastDueFieldEvent {
    field: '$.entry.mark.last.due'
    value: number
  }

  export interface JournalFetchedEntryMarkLastStateFieldEvent {
    field: '$.entry.mark.last.state'
    value: string
  }

  export function encode (obj: Partial<JournalFetched>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalFetched.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalFetched>): JournalFetched {
    return decodeMessage(buf, JournalFetched.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalFetched>): Generator<JournalFetchedJobFieldEvent | JournalFetchedEntryHeadJobFieldEvent | JournalFetchedEntryHeadStampEpochFieldEvent | JournalFetchedEntryHeadStampLeaderFieldEvent | JournalFetchedEntryHeadStampPriorityFieldEvent | JournalFetchedEntryHeadStampVersionFieldEvent | JournalFetchedEntryHeadSubmissionIdFieldEvent | JournalFetchedEntryHeadEndFieldEvent | JournalFetchedEntryHeadHasOutcomeFieldEvent | JournalFetchedEntryHeadNextFieldEvent | JournalFetchedEntryHeadDurableFieldEvent | JournalFetchedEntryHeadIsSuspendedFieldEvent | JournalFetchedEntryTaskFieldEvent | JournalFetchedEntrySha256FieldEvent | JournalFetchedEntryInputSha256FieldEvent | JournalFetchedEntrySlotsFieldEvent | JournalFetchedEntrySubmissionTaskFieldEvent | JournalFetchedEntrySubmissionSha256FieldEvent | JournalFetchedEntrySubmissionCodeFieldEvent | JournalFetchedEntrySubmissionInputFieldEvent | JournalFetchedEntrySubmissionInputSha256FieldEvent | JournalFetchedEntrySubmissionRetriesFieldEvent | JournalFetchedEntrySubmissionSpeculateFieldEvent | JournalFetchedEntrySubmissionRequiresFieldEvent | JournalFetchedEntrySubmissionChunkTimeoutFieldEvent | JournalFetchedEntrySubmissionPriorityFieldEvent | JournalFetchedEntrySubmissionDetachFieldEvent | JournalFetchedEntrySubmissionKeepFieldEvent | JournalFetchedEntrySubmissionSeenFieldEvent | JournalFetchedEntrySubmissionPartialsFieldEvent | JournalFetchedEntrySubmissionGotFieldEvent | JournalFetchedEntrySubmissionStreamFieldEvent | JournalFetchedEntrySubmissionScheduledForFieldEvent | JournalFetchedEntrySubmissionDurableFieldEvent | JournalFetchedEntryCompletedResultFieldEvent | JournalFetchedEntryCompletedStatsChunksFieldEvent | JournalFetchedEntryCompletedStatsRetriesFieldEvent | JournalFetchedEntryCompletedStatsPerPeerPeerFieldEvent | JournalFetchedEntryCompletedStatsPerPeerChunksFieldEvent | JournalFetchedEntryCompletedStatsSpeculatedFieldEvent | JournalFetchedEntryCompletedStatsRecomputedFieldEvent | JournalFetchedEntryFailedFailureFunctionFieldEvent | JournalFetchedEntryFailedFailureIndexFieldEvent | JournalFetchedEntryFailedFailureNameFieldEvent | JournalFetchedEntryFailedFailureMessageFieldEvent | JournalFetchedEntryFailedFailureStackFieldEvent | JournalFetchedEntryFailedStatsChunksFieldEvent | JournalFetchedEntryFailedStatsRetriesFieldEvent | JournalFetchedEntryFailedStatsPerPeerPeerFieldEvent | JournalFetchedEntryFailedStatsPerPeerChunksFieldEvent | JournalFetchedEntryFailedStatsSpeculatedFieldEvent | JournalFetchedEntryFailedStatsRecomputedFieldEvent | JournalFetchedEntryCancelledStatsChunksFieldEvent | JournalFetchedEntryCancelledStatsRetriesFieldEvent | JournalFetchedEntryCancelledStatsPerPeerPeerFieldEvent | JournalFetchedEntryCancelledStatsPerPeerChunksFieldEvent | JournalFetchedEntryCancelledStatsSpeculatedFieldEvent | JournalFetchedEntryCancelledStatsRecomputedFieldEvent | JournalFetchedEntryKeepFieldEvent | JournalFetchedEntryCheckpointNextFieldEvent | JournalFetchedEntryCheckpointDigestFieldEvent | JournalFetchedEntryCheckpointPerPeerPeerFieldEvent | JournalFetchedEntryCheckpointPerPeerChunksFieldEvent | JournalFetchedEntryCheckpointAccumulatorFieldEvent | JournalFetchedEntryCheckpointPartialsFirstFieldEvent | JournalFetchedEntryCheckpointPartialsLengthsFieldEvent | JournalFetchedEntryCheckpointPartialsPayloadFieldEvent | JournalFetchedEntryLeadersLeaderFieldEvent | JournalFetchedEntryLeadersEpochFieldEvent | JournalFetchedEntryLockLimitFieldEvent | JournalFetchedEntryLockTokenFieldEvent | JournalFetchedEntryLockHoldersSessionFieldEvent | JournalFetchedEntryLockHoldersClientFieldEvent | JournalFetchedEntryLockHoldersOwnerFieldEvent | JournalFetchedEntryLockHoldersTokenFieldEvent | JournalFetchedEntryLockHoldersTtlFieldEvent | JournalFetchedEntryLockHoldersSinceFieldEvent | JournalFetchedEntryScheduleTermsIdFieldEvent | JournalFetchedEntryScheduleTermsCronFieldEvent | JournalFetchedEntryScheduleTermsTimeZoneFieldEvent | JournalFetchedEntryScheduleTermsAtFieldEvent | JournalFetchedEntryScheduleTermsMissedFieldEvent | JournalFetchedEntryScheduleTermsOverlapFieldEvent | JournalFetchedEntryScheduleTermsCatchUpFieldEvent | JournalFetchedEntryScheduleTermsJitterFieldEvent | JournalFetchedEntryScheduleAddedAtFieldEvent | JournalFetchedEntryRemovedScheduleIdFieldEvent | JournalFetchedEntryRemovedScheduleRemovedAtFieldEvent | JournalFetchedEntryMarkIdFieldEvent | JournalFetchedEntryMarkFiredThroughFieldEvent | JournalFetchedEntryMarkIsPausedFieldEvent | JournalFetchedEntryMarkSkippedFieldEvent | JournalFetchedEntryMarkLastJobFieldEvent | JournalFetchedEntryMarkLastDueFieldEvent | JournalFetchedEntryMarkLastStateFieldEvent> {
    return streamMessage(buf, JournalFetched.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          entries: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.entries != null && obj.entries === opts.limits.entries) {
                throw new MaxLengthError('Streaming decode error - repeated field "entries" had too many elements')
              }

              for (const evt of JournalEntry.codec().stream(reader, reader.uint32(), `${prefix}.entries[]`, {
                limits: opts.limits?.entries$
              })) {
                yield {
                  ...evt,
                  index: obj.entries
                }
              }

              obj.entries++

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

  export interface JournalPutEntriesHeadJobFieldEvent {
    field: '$.entries[].head.job'
    value: string
    index: number
  }

  export interface JournalPutEntriesHeadStampEpochFieldEvent {
    field: '$.entries[].head.stamp.epoch'
    value: number
    index: number
  }

  export interface JournalPutEntriesHeadStampLeaderFieldEvent {
    field: '$.entries[].head.stamp.leader'
    value: string
    index: number
  }

  export interface JournalPutEntriesHeadStampPriorityFieldEvent {
    field: '$.entries[].head.stamp.priority'
    value: number
    index: number
  }

  export interface JournalPutEntriesHeadStampVersionFieldEvent {
    field: '$.entries[].head.stamp.version'
    value: number
    index: number
  }

  export interface JournalPutEntriesHeadSubmissionIdFieldEvent {
    field: '$.entries[].head.submissionId'
    value: string
    index: number
  }

  export interface JournalPutEntriesHeadEndFieldEvent {
    field: '$.entries[].head.end'
    value: string
    index: number
  }

  export interface JournalPutEntriesHeadHasOutcomeFieldEvent {
    field: '$.entries[].head.hasOutcome'
    value: boolean
    index: number
  }

  export interface JournalPutEntriesHeadNextFieldEvent {
    field: '$.entries[].head.next'
    value: number
    index: number
  }

  export interface JournalPutEntriesHeadDurableFieldEvent {
    field: '$.entries[].head.durable'
    value: number
    index: number
  }

  export interface JournalPutEntriesHeadIsSuspendedFieldEvent {
    field: '$.entries[].head.isSuspended'
    value: boolean
    index: number
  }

  export interface JournalPutEntriesTaskFieldEvent {
    field: '$.entries[].task'
    value: string
    index: number
  }

  export interface JournalPutEntriesSha256FieldEvent {
    field: '$.entries[].sha256'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalPutEntriesInputSha256FieldEvent {
    field: '$.entries[].inputSha256'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalPutEntriesSlotsFieldEvent {
    field: '$.entries[].slots'
    value: number
    index: number
  }

  export interface JournalPutEntriesSubmissionTaskFieldEvent {
    field: '$.entries[].submission.task'
    value: string
    index: number
  }

  export interface JournalPutEntriesSubmissionSha256FieldEvent {
    field: '$.entries[].submission.sha256'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalPutEntriesSubmissionCodeFieldEvent {
    field: '$.entries[].submission.code'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalPutEntriesSubmissionInputFieldEvent {
    field: '$.entries[].submission.input'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalPutEntriesSubmissionInputSha256FieldEvent {
    field: '$.entries[].submission.inputSha256'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalPutEntriesSubmissionRetriesFieldEvent {
    field: '$.entries[].submission.retries'
    value: number
    index: number
  }

  export interface JournalPutEntriesSubmissionSpeculateFieldEvent {
    field: '$.entries[].submission.speculate'
    value: boolean
    index: number
  }

  export interface JournalPutEntriesSubmissionRequiresFieldEvent {
    field: '$.entries[].submission.requires{}'
    key: string
    value: string
    index: number
  }

  export interface JournalPutEntriesSubmissionChunkTimeoutFieldEvent {
    field: '$.entries[].submission.chunkTimeout'
    value: number
    index: number
  }

  export interface JournalPutEntriesSubmissionPriorityFieldEvent {
    field: '$.entries[].submission.priority'
    value: number
    index: number
  }

  export interface JournalPutEntriesSubmissionDetachFieldEvent {
    field: '$.entries[].submission.detach'
    value: boolean
    index: number
  }

  export interface JournalPutEntriesSubmissionKeepFieldEvent {
    field: '$.entries[].submission.keep'
    value: number
    index: number
  }

  export interface JournalPutEntriesSubmissionSeenFieldEvent {
    field: '$.entries[].submission.seen'
    value: number
    index: number
  }

  export interface JournalPutEntriesSubmissionPartialsFieldEvent {
    field: '$.entries[].submission.partials'
    value: boolean
    index: number
  }

  export interface JournalPutEntriesSubmissionGotFieldEvent {
    field: '$.entries[].submission.got'
    value: number
    index: number
  }

  export interface JournalPutEntriesSubmissionStreamFieldEvent {
    field: '$.entries[].submission.stream'
    value: string
    index: number
  }

  export interface JournalPutEntriesSubmissionScheduledForFieldEvent {
    field: '$.entries[].submission.scheduledFor'
    value: number
    index: number
  }

  export interface JournalPutEntriesSubmissionDurableFieldEvent {
    field: '$.entries[].submission.durable'
    value: number
    index: number
  }

  export interface JournalPutEntriesCompletedResultFieldEvent {
    field: '$.entries[].completed.result'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalPutEntriesCompletedStatsChunksFieldEvent {
    field: '$.entries[].completed.stats.chunks'
    value: number
    index: number
  }

  export interface JournalPutEntriesCompletedStatsRetriesFieldEvent {
    field: '$.entries[].completed.stats.retries'
    value: number
    index: number
  }

  export interface JournalPutEntriesCompletedStatsPerPeerPeerFieldEvent {
    field: '$.entries[].completed.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalPutEntriesCompletedStatsPerPeerChunksFieldEvent {
    field: '$.entries[].completed.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalPutEntriesCompletedStatsSpeculatedFieldEvent {
    field: '$.entries[].completed.stats.speculated'
    value: number
    index: number
  }

  export interface JournalPutEntriesCompletedStatsRecomputedFieldEvent {
    field: '$.entries[].completed.stats.recomputed'
    value: number
    index: number
  }

  export interface JournalPutEntriesFailedFailureFunctionFieldEvent {
    field: '$.entries[].failed.failure.function'
    value: string
    index: number
  }

  export interface JournalPutEntriesFailedFailureIndexFieldEvent {
    field: '$.entries[].failed.failure.index'
    value: number
    index: number
  }

  export interface JournalPutEntriesFailedFailureNameFieldEvent {
    field: '$.entries[].failed.failure.name'
    value: string
    index: number
  }

  export interface JournalPutEntriesFailedFailureMessageFieldEvent {
    field: '$.entries[].failed.failure.message'
    value: string
    index: number
  }

  export interface JournalPutEntriesFailedFailureStackFieldEvent {
    field: '$.entries[].failed.failure.stack'
    value: string
    index: number
  }

  export interface JournalPutEntriesFailedStatsChunksFieldEvent {
    field: '$.entries[].failed.stats.chunks'
    value: number
    index: number
  }

  export interface JournalPutEntriesFailedStatsRetriesFieldEvent {
    field: '$.entries[].failed.stats.retries'
    value: number
    index: number
  }

  export interface JournalPutEntriesFailedStatsPerPeerPeerFieldEvent {
    field: '$.entries[].failed.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalPutEntriesFailedStatsPerPeerChunksFieldEvent {
    field: '$.entries[].failed.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalPutEntriesFailedStatsSpeculatedFieldEvent {
    field: '$.entries[].failed.stats.speculated'
    value: number
    index: number
  }

  export interface JournalPutEntriesFailedStatsRecomputedFieldEvent {
    field: '$.entries[].failed.stats.recomputed'
    value: number
    index: number
  }

  export interface JournalPutEntriesCancelledStatsChunksFieldEvent {
    field: '$.entries[].cancelled.stats.chunks'
    value: number
    index: number
  }

  export interface JournalPutEntriesCancelledStatsRetriesFieldEvent {
    field: '$.entries[].cancelled.stats.retries'
    value: number
    index: number
  }

  export interface JournalPutEntriesCancelledStatsPerPeerPeerFieldEvent {
    field: '$.entries[].cancelled.stats.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalPutEntriesCancelledStatsPerPeerChunksFieldEvent {
    field: '$.entries[].cancelled.stats.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalPutEntriesCancelledStatsSpeculatedFieldEvent {
    field: '$.entries[].cancelled.stats.speculated'
    value: number
    index: number
  }

  export interface JournalPutEntriesCancelledStatsRecomputedFieldEvent {
    field: '$.entries[].cancelled.stats.recomputed'
    value: number
    index: number
  }

  export interface JournalPutEntriesKeepFieldEvent {
    field: '$.entries[].keep'
    value: number
    index: number
  }

  export interface JournalPutEntriesCheckpointNextFieldEvent {
    field: '$.entries[].checkpoint.next'
    value: number
    index: number
  }

  export interface JournalPutEntriesCheckpointDigestFieldEvent {
    field: '$.entries[].checkpoint.digest'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalPutEntriesCheckpointPerPeerPeerFieldEvent {
    field: '$.entries[].checkpoint.perPeer[].peer'
    value: string
    index: number
  }

  export interface JournalPutEntriesCheckpointPerPeerChunksFieldEvent {
    field: '$.entries[].checkpoint.perPeer[].chunks'
    value: number
    index: number
  }

  export interface JournalPutEntriesCheckpointAccumulatorFieldEvent {
    field: '$.entries[].checkpoint.accumulator'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalPutEntriesCheckpointPartialsFirstFieldEvent {
    field: '$.entries[].checkpoint.partials[].first'
    value: number
    index: number
  }

  export interface JournalPutEntriesCheckpointPartialsLengthsFieldEvent {
    field: '$.entries[].checkpoint.partials[].lengths'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalPutEntriesCheckpointPartialsPayloadFieldEvent {
    field: '$.entries[].checkpoint.partials[].payload'
    value: Uint8Array<ArrayBuffer>
    index: number
  }

  export interface JournalPutEntriesLeadersLeaderFieldEvent {
    field: '$.entries[].leaders[].leader'
    value: string
    index: number
  }

  export interface JournalPutEntriesLeadersEpochFieldEvent {
    field: '$.entries[].leaders[].epoch'
    value: number
    index: number
  }

  export interface JournalPutEntriesLockLimitFieldEvent {
    field: '$.entries[].lock.limit'
    value: number
    index: number
  }

  export interface JournalPutEntriesLockTokenFieldEvent {
    field: '$.entries[].lock.token'
    value: number
    index: number
  }

  export interface JournalPutEntriesLockHoldersSessionFieldEvent {
    field: '$.entries[].lock.holders[].session'
    value: string
    index: number
  }

  export interface JournalPutEntriesLockHoldersClientFieldEvent {
    field: '$.entries[].lock.holders[].client'
    value: string
    index: number
  }

  export interface JournalPutEntriesLockHoldersOwnerFieldEvent {
    field: '$.entries[].lock.holders[].owner'
    value: string
    index: number
  }

  export interface JournalPutEntriesLockHoldersTokenFieldEvent {
    field: '$.entries[].lock.holders[].token'
    value: number
    index: number
  }

  export interface JournalPutEntriesLockHoldersTtlFieldEvent {
    field: '$.entries[].lock.holders[].ttl'
    value: number
    index: number
  }

  export interface JournalPutEntriesLockHoldersSinceFieldEvent {
    field: '$.entries[].lock.holders[].since'
    value: number
    index: number
  }

  export interface JournalPutEntriesScheduleTermsIdFieldEvent {
    field: '$.entries[].schedule.terms.id'
    value: string
    index: number
  }

  export interface JournalPutEntriesScheduleTermsCronFieldEvent {
    field: '$.entries[].schedule.terms.cron'
    value: string
    index: number
  }

  export interface JournalPutEntriesScheduleTermsTimeZoneFieldEvent {
    field: '$.entries[].schedule.terms.timeZone'
    value: string
    index: number
  }

  export interface JournalPutEntriesScheduleTermsAtFieldEvent {
    field: '$.entries[].schedule.terms.at'
    value: number
    index: number
  }

  export interface JournalPutEntriesScheduleTermsMissedFieldEvent {
    field: '$.entries[].schedule.terms.missed'
    value: string
    index: number
  }

  export interface JournalPutEntriesScheduleTermsOverlapFieldEvent {
    field: '$.entries[].schedule.terms.overlap'
    value: string
    index: number
  }

  export interface JournalPutEntriesScheduleTermsCatchUpFieldEvent {
    field: '$.entries[].schedule.terms.catchUp'
    value: number
    index: number
  }

  export interface JournalPutEntriesScheduleTermsJitterFieldEvent {
    field: '$.entries[].schedule.terms.jitter'
    value: number
    index: number
  }

  export interface JournalPutEntriesScheduleAddedAtFieldEvent {
    field: '$.entries[].schedule.addedAt'
    value: number
    index: number
  }

  export interface JournalPutEntriesRemovedScheduleIdFieldEvent {
    field: '$.entries[].removedSchedule.id'
    value: string
    index: number
  }

  export interface JournalPutEntriesRemovedScheduleRemovedAtFieldEvent {
    field: '$.entries[].removedSchedule.removedAt'
    value: number
    index: number
  }

  export interface JournalPutEntriesMarkIdFieldEvent {
    field: '$.entries[].mark.id'
    value: string
    index: number
  }

  export interface JournalPutEntriesMarkFiredThroughFieldEvent {
    field: '$.entries[].mark.firedThrough'
    value: number
    index: number
  }

  export interface JournalPutEntriesMarkIsPausedFieldEvent {
    field: '$.entries[].mark.isPaused'
    value: boolean
    index: number
  }

  export interface JournalPutEntriesMarkSkippedFieldEvent {
    field: '$.entries[].mark.skipped'
    value: number
    index: number
  }

  export interface JournalPutEntriesMarkLastJobFieldEvent {
    field: '$.entries[].mark.last.job'
    value: string
    index: number
  }

  export interface JournalPutEntriesMarkLastDueFieldEvent {
    field: '$.entries[].mark.last.due'
    value: number
    index: number
  }

  export interface JournalPutEntriesMarkLastStateFieldEvent {
    field: '$.entries[].mark.last.state'
    value: string
    index: number
  }

  export function encode (obj: Partial<JournalPut>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalPut.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalPut>): JournalPut {
    return decodeMessage(buf, JournalPut.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalPut>): Generator<JournalPutEntriesHeadJobFieldEvent | JournalPutEntriesHeadStampEpochFieldEvent | JournalPutEntriesHeadStampLeaderFieldEvent | JournalPutEntriesHeadStampPriorityFieldEvent | JournalPutEntriesHeadStampVersionFieldEvent | JournalPutEntriesHeadSubmissionIdFieldEvent | JournalPutEntriesHeadEndFieldEvent | JournalPutEntriesHeadHasOutcomeFieldEvent | JournalPutEntriesHeadNextFieldEvent | JournalPutEntriesHeadDurableFieldEvent | JournalPutEntriesHeadIsSuspendedFieldEvent | JournalPutEntriesTaskFieldEvent | JournalPutEntriesSha256FieldEvent | JournalPutEntriesInputSha256FieldEvent | JournalPutEntriesSlotsFieldEvent | JournalPutEntriesSubmissionTaskFieldEvent | JournalPutEntriesSubmissionSha256FieldEvent | JournalPutEntriesSubmissionCodeFieldEvent | JournalPutEntriesSubmissionInputFieldEvent | JournalPutEntriesSubmissionInputSha256FieldEvent | JournalPutEntriesSubmissionRetriesFieldEvent | JournalPutEntriesSubmissionSpeculateFieldEvent | JournalPutEntriesSubmissionRequiresFieldEvent | JournalPutEntriesSubmissionChunkTimeoutFieldEvent | JournalPutEntriesSubmissionPriorityFieldEvent | JournalPutEntriesSubmissionDetachFieldEvent | JournalPutEntriesSubmissionKeepFieldEvent | JournalPutEntriesSubmissionSeenFieldEvent | JournalPutEntriesSubmissionPartialsFieldEvent | JournalPutEntriesSubmissionGotFieldEvent | JournalPutEntriesSubmissionStreamFieldEvent | JournalPutEntriesSubmissionScheduledForFieldEvent | JournalPutEntriesSubmissionDurableFieldEvent | JournalPutEntriesCompletedResultFieldEvent | JournalPutEntriesCompletedStatsChunksFieldEvent | JournalPutEntriesCompletedStatsRetriesFieldEvent | JournalPutEntriesCompletedStatsPerPeerPeerFieldEvent | JournalPutEntriesCompletedStatsPerPeerChunksFieldEvent | JournalPutEntriesCompletedStatsSpeculatedFieldEvent | JournalPutEntriesCompletedStatsRecomputedFieldEvent | JournalPutEntriesFailedFailureFunctionFieldEvent | JournalPutEntriesFailedFailureIndexFieldEvent | JournalPutEntriesFailedFailureNameFieldEvent | JournalPutEntriesFailedFailureMessageFieldEvent | JournalPutEntriesFailedFailureStackFieldEvent | JournalPutEntriesFailedStatsChunksFieldEvent | JournalPutEntriesFailedStatsRetriesFieldEvent | JournalPutEntriesFailedStatsPerPeerPeerFieldEvent | JournalPutEntriesFailedStatsPerPeerChunksFieldEvent | JournalPutEntriesFailedStatsSpeculatedFieldEvent | JournalPutEntriesFailedStatsRecomputedFieldEvent | JournalPutEntriesCancelledStatsChunksFieldEvent | JournalPutEntriesCancelledStatsRetriesFieldEvent | JournalPutEntriesCancelledStatsPerPeerPeerFieldEvent | JournalPutEntriesCancelledStatsPerPeerChunksFieldEvent | JournalPutEntriesCancelledStatsSpeculatedFieldEvent | JournalPutEntriesCancelledStatsRecomputedFieldEvent | JournalPutEntriesKeepFieldEvent | JournalPutEntriesCheckpointNextFieldEvent | JournalPutEntriesCheckpointDigestFieldEvent | JournalPutEntriesCheckpointPerPeerPeerFieldEvent | JournalPutEntriesCheckpointPerPeerChunksFieldEvent | JournalPutEntriesCheckpointAccumulatorFieldEvent | JournalPutEntriesCheckpointPartialsFirstFieldEvent | JournalPutEntriesCheckpointPartialsLengthsFieldEvent | JournalPutEntriesCheckpointPartialsPayloadFieldEvent | JournalPutEntriesLeadersLeaderFieldEvent | JournalPutEntriesLeadersEpochFieldEvent | JournalPutEntriesLockLimitFieldEvent | JournalPutEntriesLockTokenFieldEvent | JournalPutEntriesLockHoldersSessionFieldEvent | JournalPutEntriesLockHoldersClientFieldEvent | JournalPutEntriesLockHoldersOwnerFieldEvent | JournalPutEntriesLockHoldersTokenFieldEvent | JournalPutEntriesLockHoldersTtlFieldEvent | JournalPutEntriesLockHoldersSinceFieldEvent | JournalPutEntriesScheduleTermsIdFieldEvent | JournalPutEntriesScheduleTermsCronFieldEvent | JournalPutEntriesScheduleTermsTimeZoneFieldEvent | JournalPutEntriesScheduleTermsAtFieldEvent | JournalPutEntriesScheduleTermsMissedFieldEvent | JournalPutEntriesScheduleTermsOverlapFieldEvent | JournalPutEntriesScheduleTermsCatchUpFieldEvent | JournalPutEntriesScheduleTermsJitterFieldEvent | JournalPutEntriesScheduleAddedAtFieldEvent | JournalPutEntriesRemovedScheduleIdFieldEvent | JournalPutEntriesRemovedScheduleRemovedAtFieldEvent | JournalPutEntriesMarkIdFieldEvent | JournalPutEntriesMarkFiredThroughFieldEvent | JournalPutEntriesMarkIsPausedFieldEvent | JournalPutEntriesMarkSkippedFieldEvent | JournalPutEntriesMarkLastJobFieldEvent | JournalPutEntriesMarkLastDueFieldEvent | JournalPutEntriesMarkLastStateFieldEvent> {
    return streamMessage(buf, JournalPut.codec(), opts)
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
                field: `${prefix}.version`,
                value: reader.uint64Number()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.onDisk`,
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

  export interface JournalHeldJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface JournalHeldVersionFieldEvent {
    field: '$.version'
    value: number
  }

  export interface JournalHeldOnDiskFieldEvent {
    field: '$.onDisk'
    value: boolean
  }

  export function encode (obj: Partial<JournalHeld>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalHeld.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalHeld>): JournalHeld {
    return decodeMessage(buf, JournalHeld.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalHeld>): Generator<JournalHeldJobFieldEvent | JournalHeldVersionFieldEvent | JournalHeldOnDiskFieldEvent> {
    return streamMessage(buf, JournalHeld.codec(), opts)
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
              yield * JournalStamp.codec().stream(reader, reader.uint32(), `${prefix}.stamp`, {
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
      })
    }

    return _codec
  }

  export interface JournalForgetJobFieldEvent {
    field: '$.job'
    value: string
  }

  export interface JournalForgetStampEpochFieldEvent {
    field: '$.stamp.epoch'
    value: number
  }

  export interface JournalForgetStampLeaderFieldEvent {
    field: '$.stamp.leader'
    value: string
  }

  export interface JournalForgetStampPriorityFieldEvent {
    field: '$.stamp.priority'
    value: number
  }

  export interface JournalForgetStampVersionFieldEvent {
    field: '$.stamp.version'
    value: number
  }

  export function encode (obj: Partial<JournalForget>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalForget.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalForget>): JournalForget {
    return decodeMessage(buf, JournalForget.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalForget>): Generator<JournalForgetJobFieldEvent | JournalForgetStampEpochFieldEvent | JournalForgetStampLeaderFieldEvent | JournalForgetStampPriorityFieldEvent | JournalForgetStampVersionFieldEvent> {
    return streamMessage(buf, JournalForget.codec(), opts)
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

  export function encode (obj: Partial<JournalRefused>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, JournalRefused.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalRefused>): JournalRefused {
    return decodeMessage(buf, JournalRefused.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<JournalRefused>): Generator<{}> {
    return streamMessage(buf, JournalRefused.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.request`,
                value: reader.uint32()
              }
              break
            }
            case 2: {
              yield * ScheduleAdd.codec().stream(reader, reader.uint32(), `${prefix}.add`, {
                limits: opts.limits?.add
              })

              break
            }
            case 3: {
              yield * ScheduleName.codec().stream(reader, reader.uint32(), `${prefix}.remove`, {
                limits: opts.limits?.remove
              })

              break
            }
            case 4: {
              yield * ScheduleName.codec().stream(reader, reader.uint32(), `${prefix}.pause`, {
                limits: opts.limits?.pause
              })

              break
            }
            case 5: {
              yield * ScheduleName.codec().stream(reader, reader.uint32(), `${prefix}.resume`, {
                limits: opts.limits?.resume
              })

              break
            }
            case 6: {
              yield * ScheduleStart.codec().stream(reader, reader.uint32(), `${prefix}.run`, {
                limits: opts.limits?.run
              })

              break
            }
            case 7: {
              yield {
                field: `${prefix}.list`,
                value: reader.string()
              }
              break
            }
            case 8: {
              yield * ScheduleDone.codec().stream(reader, reader.uint32(), `${prefix}.done`, {
                limits: opts.limits?.done
              })

              break
            }
            case 9: {
              yield {
                field: `${prefix}.started`,
                value: reader.string()
              }
              break
            }
            case 10: {
              yield {
                field: `${prefix}.exists`,
                value: reader.bool()
              }
              break
            }
            case 11: {
              yield {
                field: `${prefix}.unknown`,
                value: reader.bool()
              }
              break
            }
            case 12: {
              yield * ScheduleRefused.codec().stream(reader, reader.uint32(), `${prefix}.refused`, {
                limits: opts.limits?.refused
              })

              break
            }
            case 13: {
              yield * ScheduleList.codec().stream(reader, reader.uint32(), `${prefix}.schedules`, {
                limits: opts.limits?.schedules
              })

              break
            }
            case 14: {
              yield {
                field: `${prefix}.notLeader`,
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

  export interface ScheduleMessageRequestFieldEvent {
    field: '$.request'
    value: number
  }

  export interface ScheduleMessageAddNameFieldEvent {
    field: '$.add.name'
    value: string
  }

  export interface ScheduleMessageAddTermsIdFieldEvent {
    field: '$.add.terms.id'
    value: string
  }

  export interface ScheduleMessageAddTermsCronFieldEvent {
    field: '$.add.terms.cron'
    value: string
  }

  export interface ScheduleMessageAddTermsTimeZoneFieldEvent {
    field: '$.add.terms.timeZone'
    value: string
  }

  export interface ScheduleMessageAddTermsAtFieldEvent {
    field: '$.add.terms.at'
    value: number
  }

  export interface ScheduleMessageAddTermsMissedFieldEvent {
    field: '$.add.terms.missed'
    value: string
  }

  export interface ScheduleMessageAddTermsOverlapFieldEvent {
    field: '$.add.terms.overlap'
    value: string
  }

  export interface ScheduleMessageAddTermsCatchUpFieldEvent {
    field: '$.add.terms.catchUp'
    value: number
  }

  export interface ScheduleMessageAddTermsJitterFieldEvent {
    field: '$.add.terms.jitter'
    value: number
  }

  export interface ScheduleMessageAddSubmissionTaskFieldEvent {
    field: '$.add.submission.task'
    value: string
  }

  export interface ScheduleMessageAddSubmissionSha256FieldEvent {
    field: '$.add.submission.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ScheduleMessageAddSubmissionCodeFieldEvent {
    field: '$.add.submission.code'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ScheduleMessageAddSubmissionInputFieldEvent {
    field: '$.add.submission.input'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ScheduleMessageAddSubmissionInputSha256FieldEvent {
    field: '$.add.submission.inputSha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ScheduleMessageAddSubmissionRetriesFieldEvent {
    field: '$.add.submission.retries'
    value: number
  }

  export interface ScheduleMessageAddSubmissionSpeculateFieldEvent {
    field: '$.add.submission.speculate'
    value: boolean
  }

  export interface ScheduleMessageAddSubmissionRequiresFieldEvent {
    field: '$.add.submission.requires{}'
    key: string
    value: string
  }

  export interface ScheduleMessageAddSubmissionChunkTimeoutFieldEvent {
    field: '$.add.submission.chunkTimeout'
    value: number
  }

  export interface ScheduleMessageAddSubmissionPriorityFieldEvent {
    field: '$.add.submission.priority'
    value: number
  }

  export interface ScheduleMessageAddSubmissionDetachFieldEvent {
    field: '$.add.submission.detach'
    value: boolean
  }

  export interface ScheduleMessageAddSubmissionKeepFieldEvent {
    field: '$.add.submission.keep'
    value: number
  }

  export interface ScheduleMessageAddSubmissionSeenFieldEvent {
    field: '$.add.submission.seen'
    value: number
  }

  export interface ScheduleMessageAddSubmissionPartialsFieldEvent {
    field: '$.add.submission.partials'
    value: boolean
  }

  export interface ScheduleMessageAddSubmissionGotFieldEvent {
    field: '$.add.submission.got'
    value: number
  }

  export interface ScheduleMessageAddSubmissionStreamFieldEvent {
    field: '$.add.submission.stream'
    value: string
  }

  export interface ScheduleMessageAddSubmissionScheduledForFieldEvent {
    field: '$.add.submission.scheduledFor'
    value: number
  }

  export interface ScheduleMessageAddSubmissionDurableFieldEvent {
    field: '$.add.submission.durable'
    value: number
  }

  export interface ScheduleMessageRemoveNameFieldEvent {
    field: '$.remove.name'
    value: string
  }

  export interface ScheduleMessagePauseNameFieldEvent {
    field: '$.pause.name'
    value: string
  }

  export interface ScheduleMessageResumeNameFieldEvent {
    field: '$.resume.name'
    value: string
  }

  export interface ScheduleMessageRunNameFieldEvent {
    field: '$.run.name'
    value: string
  }

  export interface ScheduleMessageRunTimeFieldEvent {
    field: '$.run.time'
    value: number
  }

  export interface ScheduleMessageListFieldEvent {
    field: '$.list'
    value: string
  }

  export interface ScheduleMessageDoneStateNameFieldEvent {
    field: '$.done.state.name'
    value: string
  }

  export interface ScheduleMessageDoneStateTermsIdFieldEvent {
    field: '$.done.state.terms.id'
    value: string
  }

  export interface ScheduleMessageDoneStateTermsCronFieldEvent {
    field: '$.done.state.terms.cron'
    value: string
  }

  export interface ScheduleMessageDoneStateTermsTimeZoneFieldEvent {
    field: '$.done.state.terms.timeZone'
    value: string
  }

  export interface ScheduleMessageDoneStateTermsAtFieldEvent {
    field: '$.done.state.terms.at'
    value: number
  }

  export interface ScheduleMessageDoneStateTermsMissedFieldEvent {
    field: '$.done.state.terms.missed'
    value: string
  }

  export interface ScheduleMessageDoneStateTermsOverlapFieldEvent {
    field: '$.done.state.terms.overlap'
    value: string
  }

  export interface ScheduleMessageDoneStateTermsCatchUpFieldEvent {
    field: '$.done.state.terms.catchUp'
    value: number
  }

  export interface ScheduleMessageDoneStateTermsJitterFieldEvent {
    field: '$.done.state.terms.jitter'
    value: number
  }

  export interface ScheduleMessageDoneStateTaskFieldEvent {
    field: '$.done.state.task'
    value: string
  }

  export interface ScheduleMessageDoneStateIsPausedFieldEvent {
    field: '$.done.state.isPaused'
    value: boolean
  }

  export interface ScheduleMessageDoneStateNextFieldEvent {
    field: '$.done.state.next'
    value: number
  }

  export interface ScheduleMessageDoneStateLastJobFieldEvent {
    field: '$.done.state.last.job'
    value: string
  }

  export interface ScheduleMessageDoneStateLastDueFieldEvent {
    field: '$.done.state.last.due'
    value: number
  }

  export interface ScheduleMessageDoneStateLastStateFieldEvent {
    field: '$.done.state.last.state'
    value: string
  }

  export interface ScheduleMessageDoneStateSkippedFieldEvent {
    field: '$.done.state.skipped'
    value: number
  }

  export interface ScheduleMessageDoneStateProblemFieldEvent {
    field: '$.done.state.problem'
    value: string
  }

  export interface ScheduleMessageStartedFieldEvent {
    field: '$.started'
    value: string
  }

  export interface ScheduleMessageExistsFieldEvent {
    field: '$.exists'
    value: boolean
  }

  export interface ScheduleMessageUnknownFieldEvent {
    field: '$.unknown'
    value: boolean
  }

  export interface ScheduleMessageRefusedReasonFieldEvent {
    field: '$.refused.reason'
    value: string
  }

  export interface ScheduleMessageRefusedNotAdmittedFieldEvent {
    field: '$.refused.notAdmitted'
    value: boolean
  }

  export interface ScheduleMessageRefusedNoRoomFieldEvent {
    field: '$.refused.noRoom'
    value: boolean
  }

  export interface ScheduleMessageSchedulesSchedulesNameFieldEvent {
    field: '$.schedules.schedules[].name'
    value: string
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesTermsIdFieldEvent {
    field: '$.schedules.schedules[].terms.id'
    value: string
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesTermsCronFieldEvent {
    field: '$.schedules.schedules[].terms.cron'
    value: string
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesTermsTimeZoneFieldEvent {
    field: '$.schedules.schedules[].terms.timeZone'
    value: string
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesTermsAtFieldEvent {
    field: '$.schedules.schedules[].terms.at'
    value: number
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesTermsMissedFieldEvent {
    field: '$.schedules.schedules[].terms.missed'
    value: string
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesTermsOverlapFieldEvent {
    field: '$.schedules.schedules[].terms.overlap'
    value: string
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesTermsCatchUpFieldEvent {
    field: '$.schedules.schedules[].terms.catchUp'
    value: number
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesTermsJitterFieldEvent {
    field: '$.schedules.schedules[].terms.jitter'
    value: number
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesTaskFieldEvent {
    field: '$.schedules.schedules[].task'
    value: string
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesIsPausedFieldEvent {
    field: '$.schedules.schedules[].isPaused'
    value: boolean
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesNextFieldEvent {
    field: '$.schedules.schedules[].next'
    value: number
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesLastJobFieldEvent {
    field: '$.schedules.schedules[].last.job'
    value: string
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesLastDueFieldEvent {
    field: '$.schedules.schedules[].last.due'
    value: number
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesLastStateFieldEvent {
    field: '$.schedules.schedules[].last.state'
    value: string
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesSkippedFieldEvent {
    field: '$.schedules.schedules[].skipped'
    value: number
    index: number
  }

  export interface ScheduleMessageSchedulesSchedulesProblemFieldEvent {
    field: '$.schedules.schedules[].problem'
    value: string
    index: number
  }

  export interface ScheduleMessageSchedulesMoreFieldEvent {
    field: '$.schedules.more'
    value: boolean
  }

  export interface ScheduleMessageNotLeaderFieldEvent {
    field: '$.notLeader'
    value: boolean
  }

  export function encode (obj: Partial<ScheduleMessage>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleMessage.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleMessage>): ScheduleMessage {
    return decodeMessage(buf, ScheduleMessage.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleMessage>): Generator<ScheduleMessageRequestFieldEvent | ScheduleMessageAddNameFieldEvent | ScheduleMessageAddTermsIdFieldEvent | ScheduleMessageAddTermsCronFieldEvent | ScheduleMessageAddTermsTimeZoneFieldEvent | ScheduleMessageAddTermsAtFieldEvent | ScheduleMessageAddTermsMissedFieldEvent | ScheduleMessageAddTermsOverlapFieldEvent | ScheduleMessageAddTermsCatchUpFieldEvent | ScheduleMessageAddTermsJitterFieldEvent | ScheduleMessageAddSubmissionTaskFieldEvent | ScheduleMessageAddSubmissionSha256FieldEvent | ScheduleMessageAddSubmissionCodeFieldEvent | ScheduleMessageAddSubmissionInputFieldEvent | ScheduleMessageAddSubmissionInputSha256FieldEvent | ScheduleMessageAddSubmissionRetriesFieldEvent | ScheduleMessageAddSubmissionSpeculateFieldEvent | ScheduleMessageAddSubmissionRequiresFieldEvent | ScheduleMessageAddSubmissionChunkTimeoutFieldEvent | ScheduleMessageAddSubmissionPriorityFieldEvent | ScheduleMessageAddSubmissionDetachFieldEvent | ScheduleMessageAddSubmissionKeepFieldEvent | ScheduleMessageAddSubmissionSeenFieldEvent | ScheduleMessageAddSubmissionPartialsFieldEvent | ScheduleMessageAddSubmissionGotFieldEvent | ScheduleMessageAddSubmissionStreamFieldEvent | ScheduleMessageAddSubmissionScheduledForFieldEvent | ScheduleMessageAddSubmissionDurableFieldEvent | ScheduleMessageRemoveNameFieldEvent | ScheduleMessagePauseNameFieldEvent | ScheduleMessageResumeNameFieldEvent | ScheduleMessageRunNameFieldEvent | ScheduleMessageRunTimeFieldEvent | ScheduleMessageListFieldEvent | ScheduleMessageDoneStateNameFieldEvent | ScheduleMessageDoneStateTermsIdFieldEvent | ScheduleMessageDoneStateTermsCronFieldEvent | ScheduleMessageDoneStateTermsTimeZoneFieldEvent | ScheduleMessageDoneStateTermsAtFieldEvent | ScheduleMessageDoneStateTermsMissedFieldEvent | ScheduleMessageDoneStateTermsOverlapFieldEvent | ScheduleMessageDoneStateTermsCatchUpFieldEvent | ScheduleMessageDoneStateTermsJitterFieldEvent | ScheduleMessageDoneStateTaskFieldEvent | ScheduleMessageDoneStateIsPausedFieldEvent | ScheduleMessageDoneStateNextFieldEvent | ScheduleMessageDoneStateLastJobFieldEvent | ScheduleMessageDoneStateLastDueFieldEvent | ScheduleMessageDoneStateLastStateFieldEvent | ScheduleMessageDoneStateSkippedFieldEvent | ScheduleMessageDoneStateProblemFieldEvent | ScheduleMessageStartedFieldEvent | ScheduleMessageExistsFieldEvent | ScheduleMessageUnknownFieldEvent | ScheduleMessageRefusedReasonFieldEvent | ScheduleMessageRefusedNotAdmittedFieldEvent | ScheduleMessageRefusedNoRoomFieldEvent | ScheduleMessageSchedulesSchedulesNameFieldEvent | ScheduleMessageSchedulesSchedulesTermsIdFieldEvent | ScheduleMessageSchedulesSchedulesTermsCronFieldEvent | ScheduleMessageSchedulesSchedulesTermsTimeZoneFieldEvent | ScheduleMessageSchedulesSchedulesTermsAtFieldEvent | ScheduleMessageSchedulesSchedulesTermsMissedFieldEvent | ScheduleMessageSchedulesSchedulesTermsOverlapFieldEvent | ScheduleMessageSchedulesSchedulesTermsCatchUpFieldEvent | ScheduleMessageSchedulesSchedulesTermsJitterFieldEvent | ScheduleMessageSchedulesSchedulesTaskFieldEvent | ScheduleMessageSchedulesSchedulesIsPausedFieldEvent | ScheduleMessageSchedulesSchedulesNextFieldEvent | ScheduleMessageSchedulesSchedulesLastJobFieldEvent | ScheduleMessageSchedulesSchedulesLastDueFieldEvent | ScheduleMessageSchedulesSchedulesLastStateFieldEvent | ScheduleMessageSchedulesSchedulesSkippedFieldEvent | ScheduleMessageSchedulesSchedulesProblemFieldEvent | ScheduleMessageSchedulesMoreFieldEvent | ScheduleMessageNotLeaderFieldEvent> {
    return streamMessage(buf, ScheduleMessage.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
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

  export interface ScheduleNameNameFieldEvent {
    field: '$.name'
    value: string
  }

  export function encode (obj: Partial<ScheduleName>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleName.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleName>): ScheduleName {
    return decodeMessage(buf, ScheduleName.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleName>): Generator<ScheduleNameNameFieldEvent> {
    return streamMessage(buf, ScheduleName.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.name`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield * ScheduleTerms.codec().stream(reader, reader.uint32(), `${prefix}.terms`, {
                limits: opts.limits?.terms
              })

              break
            }
            case 3: {
              yield * Submit.codec().stream(reader, reader.uint32(), `${prefix}.submission`, {
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
      })
    }

    return _codec
  }

  export interface ScheduleAddNameFieldEvent {
    field: '$.name'
    value: string
  }

  export interface ScheduleAddTermsIdFieldEvent {
    field: '$.terms.id'
    value: string
  }

  export interface ScheduleAddTermsCronFieldEvent {
    field: '$.terms.cron'
    value: string
  }

  export interface ScheduleAddTermsTimeZoneFieldEvent {
    field: '$.terms.timeZone'
    value: string
  }

  export interface ScheduleAddTermsAtFieldEvent {
    field: '$.terms.at'
    value: number
  }

  export interface ScheduleAddTermsMissedFieldEvent {
    field: '$.terms.missed'
    value: string
  }

  export interface ScheduleAddTermsOverlapFieldEvent {
    field: '$.terms.overlap'
    value: string
  }

  export interface ScheduleAddTermsCatchUpFieldEvent {
    field: '$.terms.catchUp'
    value: number
  }

  export interface ScheduleAddTermsJitterFieldEvent {
    field: '$.terms.jitter'
    value: number
  }

  export interface ScheduleAddSubmissionTaskFieldEvent {
    field: '$.submission.task'
    value: string
  }

  export interface ScheduleAddSubmissionSha256FieldEvent {
    field: '$.submission.sha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ScheduleAddSubmissionCodeFieldEvent {
    field: '$.submission.code'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ScheduleAddSubmissionInputFieldEvent {
    field: '$.submission.input'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ScheduleAddSubmissionInputSha256FieldEvent {
    field: '$.submission.inputSha256'
    value: Uint8Array<ArrayBuffer>
  }

  export interface ScheduleAddSubmissionRetriesFieldEvent {
    field: '$.submission.retries'
    value: number
  }

  export interface ScheduleAddSubmissionSpeculateFieldEvent {
    field: '$.submission.speculate'
    value: boolean
  }

  export interface ScheduleAddSubmissionRequiresFieldEvent {
    field: '$.submission.requires{}'
    key: string
    value: string
  }

  export interface ScheduleAddSubmissionChunkTimeoutFieldEvent {
    field: '$.submission.chunkTimeout'
    value: number
  }

  export interface ScheduleAddSubmissionPriorityFieldEvent {
    field: '$.submission.priority'
    value: number
  }

  export interface ScheduleAddSubmissionDetachFieldEvent {
    field: '$.submission.detach'
    value: boolean
  }

  export interface ScheduleAddSubmissionKeepFieldEvent {
    field: '$.submission.keep'
    value: number
  }

  export interface ScheduleAddSubmissionSeenFieldEvent {
    field: '$.submission.seen'
    value: number
  }

  export interface ScheduleAddSubmissionPartialsFieldEvent {
    field: '$.submission.partials'
    value: boolean
  }

  export interface ScheduleAddSubmissionGotFieldEvent {
    field: '$.submission.got'
    value: number
  }

  export interface ScheduleAddSubmissionStreamFieldEvent {
    field: '$.submission.stream'
    value: string
  }

  export interface ScheduleAddSubmissionScheduledForFieldEvent {
    field: '$.submission.scheduledFor'
    value: number
  }

  export interface ScheduleAddSubmissionDurableFieldEvent {
    field: '$.submission.durable'
    value: number
  }

  export function encode (obj: Partial<ScheduleAdd>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleAdd.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleAdd>): ScheduleAdd {
    return decodeMessage(buf, ScheduleAdd.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleAdd>): Generator<ScheduleAddNameFieldEvent | ScheduleAddTermsIdFieldEvent | ScheduleAddTermsCronFieldEvent | ScheduleAddTermsTimeZoneFieldEvent | ScheduleAddTermsAtFieldEvent | ScheduleAddTermsMissedFieldEvent | ScheduleAddTermsOverlapFieldEvent | ScheduleAddTermsCatchUpFieldEvent | ScheduleAddTermsJitterFieldEvent | ScheduleAddSubmissionTaskFieldEvent | ScheduleAddSubmissionSha256FieldEvent | ScheduleAddSubmissionCodeFieldEvent | ScheduleAddSubmissionInputFieldEvent | ScheduleAddSubmissionInputSha256FieldEvent | ScheduleAddSubmissionRetriesFieldEvent | ScheduleAddSubmissionSpeculateFieldEvent | ScheduleAddSubmissionRequiresFieldEvent | ScheduleAddSubmissionChunkTimeoutFieldEvent | ScheduleAddSubmissionPriorityFieldEvent | ScheduleAddSubmissionDetachFieldEvent | ScheduleAddSubmissionKeepFieldEvent | ScheduleAddSubmissionSeenFieldEvent | ScheduleAddSubmissionPartialsFieldEvent | ScheduleAddSubmissionGotFieldEvent | ScheduleAddSubmissionStreamFieldEvent | ScheduleAddSubmissionScheduledForFieldEvent | ScheduleAddSubmissionDurableFieldEvent> {
    return streamMessage(buf, ScheduleAdd.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.name`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield {
                field: `${prefix}.time`,
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

  export interface ScheduleStartNameFieldEvent {
    field: '$.name'
    value: string
  }

  export interface ScheduleStartTimeFieldEvent {
    field: '$.time'
    value: number
  }

  export function encode (obj: Partial<ScheduleStart>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleStart.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleStart>): ScheduleStart {
    return decodeMessage(buf, ScheduleStart.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleStart>): Generator<ScheduleStartNameFieldEvent | ScheduleStartTimeFieldEvent> {
    return streamMessage(buf, ScheduleStart.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield * ScheduleState.codec().stream(reader, reader.uint32(), `${prefix}.state`, {
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
      })
    }

    return _codec
  }

  export interface ScheduleDoneStateNameFieldEvent {
    field: '$.state.name'
    value: string
  }

  export interface ScheduleDoneStateTermsIdFieldEvent {
    field: '$.state.terms.id'
    value: string
  }

  export interface ScheduleDoneStateTermsCronFieldEvent {
    field: '$.state.terms.cron'
    value: string
  }

  export interface ScheduleDoneStateTermsTimeZoneFieldEvent {
    field: '$.state.terms.timeZone'
    value: string
  }

  export interface ScheduleDoneStateTermsAtFieldEvent {
    field: '$.state.terms.at'
    value: number
  }

  export interface ScheduleDoneStateTermsMissedFieldEvent {
    field: '$.state.terms.missed'
    value: string
  }

  export interface ScheduleDoneStateTermsOverlapFieldEvent {
    field: '$.state.terms.overlap'
    value: string
  }

  export interface ScheduleDoneStateTermsCatchUpFieldEvent {
    field: '$.state.terms.catchUp'
    value: number
  }

  export interface ScheduleDoneStateTermsJitterFieldEvent {
    field: '$.state.terms.jitter'
    value: number
  }

  export interface ScheduleDoneStateTaskFieldEvent {
    field: '$.state.task'
    value: string
  }

  export interface ScheduleDoneStateIsPausedFieldEvent {
    field: '$.state.isPaused'
    value: boolean
  }

  export interface ScheduleDoneStateNextFieldEvent {
    field: '$.state.next'
    value: number
  }

  export interface ScheduleDoneStateLastJobFieldEvent {
    field: '$.state.last.job'
    value: string
  }

  export interface ScheduleDoneStateLastDueFieldEvent {
    field: '$.state.last.due'
    value: number
  }

  export interface ScheduleDoneStateLastStateFieldEvent {
    field: '$.state.last.state'
    value: string
  }

  export interface ScheduleDoneStateSkippedFieldEvent {
    field: '$.state.skipped'
    value: number
  }

  export interface ScheduleDoneStateProblemFieldEvent {
    field: '$.state.problem'
    value: string
  }

  export function encode (obj: Partial<ScheduleDone>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleDone.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleDone>): ScheduleDone {
    return decodeMessage(buf, ScheduleDone.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleDone>): Generator<ScheduleDoneStateNameFieldEvent | ScheduleDoneStateTermsIdFieldEvent | ScheduleDoneStateTermsCronFieldEvent | ScheduleDoneStateTermsTimeZoneFieldEvent | ScheduleDoneStateTermsAtFieldEvent | ScheduleDoneStateTermsMissedFieldEvent | ScheduleDoneStateTermsOverlapFieldEvent | ScheduleDoneStateTermsCatchUpFieldEvent | ScheduleDoneStateTermsJitterFieldEvent | ScheduleDoneStateTaskFieldEvent | ScheduleDoneStateIsPausedFieldEvent | ScheduleDoneStateNextFieldEvent | ScheduleDoneStateLastJobFieldEvent | ScheduleDoneStateLastDueFieldEvent | ScheduleDoneStateLastStateFieldEvent | ScheduleDoneStateSkippedFieldEvent | ScheduleDoneStateProblemFieldEvent> {
    return streamMessage(buf, ScheduleDone.codec(), opts)
  }
}

export interface ScheduleRefused {
  reason: string
  notAdmitted: boolean
  noRoom: boolean
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

        if (opts.lengthDelimited !== false) {
          w.ldelim()
        }
      }, (reader, length, opts = {}) => {
        const obj: any = {
          reason: '',
          notAdmitted: false,
          noRoom: false
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
            case 2: {
              yield {
                field: `${prefix}.notAdmitted`,
                value: reader.bool()
              }
              break
            }
            case 3: {
              yield {
                field: `${prefix}.noRoom`,
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

  export interface ScheduleRefusedReasonFieldEvent {
    field: '$.reason'
    value: string
  }

  export interface ScheduleRefusedNotAdmittedFieldEvent {
    field: '$.notAdmitted'
    value: boolean
  }

  export interface ScheduleRefusedNoRoomFieldEvent {
    field: '$.noRoom'
    value: boolean
  }

  export function encode (obj: Partial<ScheduleRefused>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleRefused.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleRefused>): ScheduleRefused {
    return decodeMessage(buf, ScheduleRefused.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleRefused>): Generator<ScheduleRefusedReasonFieldEvent | ScheduleRefusedNotAdmittedFieldEvent | ScheduleRefusedNoRoomFieldEvent> {
    return streamMessage(buf, ScheduleRefused.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const obj = {
          schedules: 0
        }

        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.schedules != null && obj.schedules === opts.limits.schedules) {
                throw new MaxLengthError('Streaming decode error - repeated field "schedules" had too many elements')
              }

              for (const evt of ScheduleState.codec().stream(reader, reader.uint32(), `${prefix}.schedules[]`, {
                limits: opts.limits?.schedules$
              })) {
                yield {
                  ...evt,
                  index: obj.schedules
                }
              }

              obj.schedules++

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

  export interface ScheduleListSchedulesNameFieldEvent {
    field: '$.schedules[].name'
    value: string
    index: number
  }

  export interface ScheduleListSchedulesTermsIdFieldEvent {
    field: '$.schedules[].terms.id'
    value: string
    index: number
  }

  export interface ScheduleListSchedulesTermsCronFieldEvent {
    field: '$.schedules[].terms.cron'
    value: string
    index: number
  }

  export interface ScheduleListSchedulesTermsTimeZoneFieldEvent {
    field: '$.schedules[].terms.timeZone'
    value: string
    index: number
  }

  export interface ScheduleListSchedulesTermsAtFieldEvent {
    field: '$.schedules[].terms.at'
    value: number
    index: number
  }

  export interface ScheduleListSchedulesTermsMissedFieldEvent {
    field: '$.schedules[].terms.missed'
    value: string
    index: number
  }

  export interface ScheduleListSchedulesTermsOverlapFieldEvent {
    field: '$.schedules[].terms.overlap'
    value: string
    index: number
  }

  export interface ScheduleListSchedulesTermsCatchUpFieldEvent {
    field: '$.schedules[].terms.catchUp'
    value: number
    index: number
  }

  export interface ScheduleListSchedulesTermsJitterFieldEvent {
    field: '$.schedules[].terms.jitter'
    value: number
    index: number
  }

  export interface ScheduleListSchedulesTaskFieldEvent {
    field: '$.schedules[].task'
    value: string
    index: number
  }

  export interface ScheduleListSchedulesIsPausedFieldEvent {
    field: '$.schedules[].isPaused'
    value: boolean
    index: number
  }

  export interface ScheduleListSchedulesNextFieldEvent {
    field: '$.schedules[].next'
    value: number
    index: number
  }

  export interface ScheduleListSchedulesLastJobFieldEvent {
    field: '$.schedules[].last.job'
    value: string
    index: number
  }

  export interface ScheduleListSchedulesLastDueFieldEvent {
    field: '$.schedules[].last.due'
    value: number
    index: number
  }

  export interface ScheduleListSchedulesLastStateFieldEvent {
    field: '$.schedules[].last.state'
    value: string
    index: number
  }

  export interface ScheduleListSchedulesSkippedFieldEvent {
    field: '$.schedules[].skipped'
    value: number
    index: number
  }

  export interface ScheduleListSchedulesProblemFieldEvent {
    field: '$.schedules[].problem'
    value: string
    index: number
  }

  export interface ScheduleListMoreFieldEvent {
    field: '$.more'
    value: boolean
  }

  export function encode (obj: Partial<ScheduleList>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleList.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleList>): ScheduleList {
    return decodeMessage(buf, ScheduleList.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleList>): Generator<ScheduleListSchedulesNameFieldEvent | ScheduleListSchedulesTermsIdFieldEvent | ScheduleListSchedulesTermsCronFieldEvent | ScheduleListSchedulesTermsTimeZoneFieldEvent | ScheduleListSchedulesTermsAtFieldEvent | ScheduleListSchedulesTermsMissedFieldEvent | ScheduleListSchedulesTermsOverlapFieldEvent | ScheduleListSchedulesTermsCatchUpFieldEvent | ScheduleListSchedulesTermsJitterFieldEvent | ScheduleListSchedulesTaskFieldEvent | ScheduleListSchedulesIsPausedFieldEvent | ScheduleListSchedulesNextFieldEvent | ScheduleListSchedulesLastJobFieldEvent | ScheduleListSchedulesLastDueFieldEvent | ScheduleListSchedulesLastStateFieldEvent | ScheduleListSchedulesSkippedFieldEvent | ScheduleListSchedulesProblemFieldEvent | ScheduleListMoreFieldEvent> {
    return streamMessage(buf, ScheduleList.codec(), opts)
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
      }, function * (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length

        while (reader.pos < end) {
          const tag = reader.uint32()

          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.name`,
                value: reader.string()
              }
              break
            }
            case 2: {
              yield * ScheduleTerms.codec().stream(reader, reader.uint32(), `${prefix}.terms`, {
                limits: opts.limits?.terms
              })

              break
            }
            case 3: {
              yield {
                field: `${prefix}.task`,
                value: reader.string()
              }
              break
            }
            case 4: {
              yield {
                field: `${prefix}.isPaused`,
                value: reader.bool()
              }
              break
            }
            case 5: {
              yield {
                field: `${prefix}.next`,
                value: reader.uint64Number()
              }
              break
            }
            case 6: {
              yield * ScheduleRun.codec().stream(reader, reader.uint32(), `${prefix}.last`, {
                limits: opts.limits?.last
              })

              break
            }
            case 7: {
              yield {
                field: `${prefix}.skipped`,
                value: reader.uint64Number()
              }
              break
            }
            case 8: {
              yield {
                field: `${prefix}.problem`,
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

  export interface ScheduleStateNameFieldEvent {
    field: '$.name'
    value: string
  }

  export interface ScheduleStateTermsIdFieldEvent {
    field: '$.terms.id'
    value: string
  }

  export interface ScheduleStateTermsCronFieldEvent {
    field: '$.terms.cron'
    value: string
  }

  export interface ScheduleStateTermsTimeZoneFieldEvent {
    field: '$.terms.timeZone'
    value: string
  }

  export interface ScheduleStateTermsAtFieldEvent {
    field: '$.terms.at'
    value: number
  }

  export interface ScheduleStateTermsMissedFieldEvent {
    field: '$.terms.missed'
    value: string
  }

  export interface ScheduleStateTermsOverlapFieldEvent {
    field: '$.terms.overlap'
    value: string
  }

  export interface ScheduleStateTermsCatchUpFieldEvent {
    field: '$.terms.catchUp'
    value: number
  }

  export interface ScheduleStateTermsJitterFieldEvent {
    field: '$.terms.jitter'
    value: number
  }

  export interface ScheduleStateTaskFieldEvent {
    field: '$.task'
    value: string
  }

  export interface ScheduleStateIsPausedFieldEvent {
    field: '$.isPaused'
    value: boolean
  }

  export interface ScheduleStateNextFieldEvent {
    field: '$.next'
    value: number
  }

  export interface ScheduleStateLastJobFieldEvent {
    field: '$.last.job'
    value: string
  }

  export interface ScheduleStateLastDueFieldEvent {
    field: '$.last.due'
    value: number
  }

  export interface ScheduleStateLastStateFieldEvent {
    field: '$.last.state'
    value: string
  }

  export interface ScheduleStateSkippedFieldEvent {
    field: '$.skipped'
    value: number
  }

  export interface ScheduleStateProblemFieldEvent {
    field: '$.problem'
    value: string
  }

  export function encode (obj: Partial<ScheduleState>): Uint8Array<ArrayBuffer> {
    return encodeMessage(obj, ScheduleState.codec())
  }

  export function decode (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleState>): ScheduleState {
    return decodeMessage(buf, ScheduleState.codec(), opts)
  }

  export function stream (buf: Uint8Array | Uint8ArrayList, opts?: DecodeOptions<ScheduleState>): Generator<ScheduleStateNameFieldEvent | ScheduleStateTermsIdFieldEvent | ScheduleStateTermsCronFieldEvent | ScheduleStateTermsTimeZoneFieldEvent | ScheduleStateTermsAtFieldEvent | ScheduleStateTermsMissedFieldEvent | ScheduleStateTermsOverlapFieldEvent | ScheduleStateTermsCatchUpFieldEvent | ScheduleStateTermsJitterFieldEvent | ScheduleStateTaskFieldEvent | ScheduleStateIsPausedFieldEvent | ScheduleStateNextFieldEvent | ScheduleStateLastJobFieldEvent | ScheduleStateLastDueFieldEvent | ScheduleStateLastStateFieldEvent | ScheduleStateSkippedFieldEvent | ScheduleStateProblemFieldEvent> {
    return streamMessage(buf, ScheduleState.codec(), opts)
  }
}
