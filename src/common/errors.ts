/**
 * The typed errors of p2p-worker. Each has a stable `name` to match on (never match message texts), a message that says
 * what happened, to whom, and what to do next, and keeps its `cause`.
 *
 * @packageDocumentation
 */

/** The base of every error that p2p-worker throws on purpose. */
export class P2pWorkerError extends Error {
  /** The name of the class: match on this, never on the message. */
  override name = 'P2pWorkerError'
}

/** An option or argument is malformed or out of range. The command line ends with exit code 2. */
export class InvalidOptionError extends P2pWorkerError {
  override name = 'InvalidOptionError'
}

/** An option needs npm packages that are not installed: the message has the command that installs them. Exit code 2. */
export class MissingPackageError extends InvalidOptionError {
  override name = 'MissingPackageError'
}

/** A task file is missing, does not compile, or lacks a function it needs. The command line ends with exit code 2. */
export class TaskLoadError extends P2pWorkerError {
  override name = 'TaskLoadError'
}

/** No cluster, or no leader, was found in time. The command line ends with exit code 3. */
export class NoClusterError extends P2pWorkerError {
  override name = 'NoClusterError'
}

/**
 * A cluster answered, but did not admit this process, or did not permit the request: the keys differ, or an allow list
 * forbids it. The command line ends with exit code 4.
 */
export class NotAdmittedError extends P2pWorkerError {
  override name = 'NotAdmittedError'
}

/** A value contains something that structured clone cannot copy (a function, a symbol, …). */
export class NotCloneableError extends P2pWorkerError {
  override name = 'NotCloneableError'
  /** The path to the part that cannot be cloned, e.g. `partial.rows[3].callback`. */
  readonly path: string

  constructor(message: string, path: string, options?: ErrorOptions) {
    super(message, options)
    this.path = path
  }
}

/** The functions of a task, as an error names them. */
export type TaskFunction =
  | 'split'
  | 'start'
  | 'run'
  | 'combine'
  | 'initial'
  | 'reduce'
  | 'next'
  | 'until'
  | 'finish'
  | 'load'

/** The job failed: the user's code threw, its thread was terminated, or a chunk could not be sent. */
export class JobFailedError extends P2pWorkerError {
  override name = 'JobFailedError'
  /** The job that failed. */
  readonly jobId: string
  /** The function of the task that failed. */
  readonly function: TaskFunction
  /** The index of the chunk; `undefined` if the failure is not in a chunk. */
  readonly index: number | undefined
  /** The stack of the user's error, with positions in the user's source files; empty if there is none. */
  readonly taskStack: string

  constructor(
    message: string,
    detail: { jobId: string; function: TaskFunction; index?: number | undefined; taskStack?: string },
    options?: ErrorOptions
  ) {
    super(message, options)
    this.jobId = detail.jobId
    this.function = detail.function
    this.index = detail.index
    this.taskStack = detail.taskStack ?? ''
  }
}

/** The job was cancelled, by `job.cancel()`, by an AbortSignal, or because its client went away. */
export class JobCancelledError extends P2pWorkerError {
  override name = 'JobCancelledError'
}

/**
 * There is no job with this id to attach to, or the job has ended and its outcome is not kept any more. Submitting the
 * same job again under its id does not run it a second time, and also rejects with this error.
 */
export class NoSuchJobError extends P2pWorkerError {
  override name = 'NoSuchJobError'
  /** The id of the requested job. */
  readonly jobId: string
  /** How the job ended; `undefined` if the cluster does not know the job, or has forgotten it. */
  readonly end: 'completed' | 'failed' | 'cancelled' | undefined

  constructor(jobId: string, end: 'completed' | 'failed' | 'cancelled' | undefined, options?: ErrorOptions) {
    const what =
      end === undefined
        ? `the cluster knows no job ${jobId}: look for its id with \`p2p-worker jobs\`, or submit it again`
        : `job ${jobId} ${end === 'cancelled' ? 'was' : 'has'} ${end}, and its outcome is not kept any more: submit it under another id to run it again, and keep the outcome for longer (--keep)`
    super(what, options)
    this.jobId = jobId
    this.end = end
  }
}

/**
 * The leader runs a version of p2p-worker that does not know this request: update that peer, or let a newer peer lead.
 */
export class UnsupportedByLeaderError extends P2pWorkerError {
  override name = 'UnsupportedByLeaderError'
}

/** A channel to another peer ended. `cause` has the reason. */
export class ChannelClosedError extends P2pWorkerError {
  override name = 'ChannelClosedError'
}

/** A message is larger than the limit of its protocol, or a payload than a peer's `maxPayloadMb`. */
export class MessageTooLargeError extends P2pWorkerError {
  override name = 'MessageTooLargeError'
}

/** A value has more characters, or more levels of nesting, than are printed as JSON. */
export class JsonTooLargeError extends P2pWorkerError {
  override name = 'JsonTooLargeError'
}

/** Received bytes are not a valid message. The stream that carried them is closed. */
export class InvalidMessageError extends P2pWorkerError {
  override name = 'InvalidMessageError'
}

/** Work that only the leader does must stop, because this peer leads no more. The reason of the work's signal. */
export class LeadershipLostError extends P2pWorkerError {
  override name = 'LeadershipLostError'
}

/** The peer or client was stopped during the call. */
export class StoppedError extends P2pWorkerError {
  override name = 'StoppedError'
}
