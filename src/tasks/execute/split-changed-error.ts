import { P2pWorkerError } from '../../common/errors.ts'

const RULE = 'it must give the same chunks whenever it is called, whatever the time, the machine and random numbers say'

/** `split` is not deterministic: a second call of `split` yielded other chunks, so the partials of the first chunks are not valid any more. */
export class SplitChangedError extends P2pWorkerError {
  override name = 'SplitChangedError'

  static fewer(chunks: number, before: number): SplitChangedError {
    return new SplitChangedError(`split gave ${chunks} chunks where it had given at least ${before} before: ${RULE}`)
  }

  static others(chunks: number): SplitChangedError {
    return new SplitChangedError(
      `the first ${chunks} chunks that split gave are not those that it gave before: ${RULE}`
    )
  }
}
