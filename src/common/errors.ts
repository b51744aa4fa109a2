/**
 * The typed errors of p2p-worker. Each error has a stable `name` to match on (never match message texts), a message that says
 * what happened, to whom, and what to do next, and the `cause` if another error caused it.
 *
 * @packageDocumentation
 */

/** The base class of every error that p2p-worker throws on purpose. */
export class P2pWorkerError extends Error {
  /** The name of the class. Match on this name, never on the message. */
  override name = 'P2pWorkerError'
}

/** An option or argument is malformed or out of range. The command line ends with exit code 2. */
export class InvalidOptionError extends P2pWorkerError {
  override name = 'InvalidOptionError'
}

/** An option needs npm packages that are not installed. The message contains the command that installs them. Exit code 2. */
export class MissingPackageError extends InvalidOptionError {
  override name = 'MissingPackageError'
}

/** A task file is missing, does not compile, or lacks a required function. The command line ends with exit code 2. */
export class TaskLoadError extends P2pWorkerError {
  override name = 'TaskLoadError'
}

/** No cluster was found in time, or the cluster had no leader in time. The command line ends with exit code 3. */
export class NoClusterError extends P2pWorkerError {
  override name = 'NoClusterError'
}

/**
 * A cluster answered, but did not admit this process or did not permit the request: the keys differ, or an allow list
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

/** The function of a task, as an error names it. */
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

/** The job failed: the user's code threw an error, the thread of the user's code was terminated, or a chunk could not be sent. */
export class JobFailedError extends P2pWorkerError {
  override name = 'JobFailedError'
  /** The job that failed. */
  readonly jobId: string
  /** The function of the task that failed. */
  readonly function: TaskFunction
  /** The index of the failed chunk, or `undefined` if the job did not fail in a chunk. */
  readonly index: number | undefined
  /** The stack of the user's error, with positions in the user's source files. It is empty if there is no stack. */
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

/** The job was cancelled by `job.cancel()`, by an AbortSignal, or because the client of the job disconnected. */
export class JobCancelledError extends P2pWorkerError {
  override name = 'JobCancelledError'
}

/**
 * There is no job with this id to attach to, or the job has ended and the cluster no longer keeps the outcome. Submitting the
 * job again under the same id does not run the job a second time, and also rejects with this error.
 */
export class NoSuchJobError extends P2pWorkerError {
  override name = 'NoSuchJobError'
  /** The id of the requested job. */
  readonly jobId: string
  /** How the job ended, or `undefined` if the cluster does not know the job or has forgotten the job. */
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
 * The job to wait for is suspended: it may have ended already, but its end was forgotten, or is lost. It does not run until a
 * user resumes or cancels it ({@link JobHandleOptions.suspended}). Submitting it again under the same id resumes it.
 */
export class JobSuspendedError extends P2pWorkerError {
  override name = 'JobSuspendedError'
  /** The id of the suspended job. */
  readonly jobId: string

  constructor(jobId: string, options?: ErrorOptions) {
    super(
      `job ${jobId} is suspended, because it may have ended already: look for its result, and then run \`p2p-worker resume ${jobId}\` or \`p2p-worker cancel ${jobId}\` (in code: \`job(id, { suspended: 'resume' })\` or \`'cancel'\`)`,
      options
    )
    this.jobId = jobId
  }
}

/** Another job or schedule has the id of a new job. The command line ends with exit code 2. */
export class IdTakenError extends InvalidOptionError {
  override name = 'IdTakenError'
  /** The id. */
  readonly jobId: string

  constructor(jobId: string, options?: ErrorOptions) {
    super(`another job or schedule has the id ${jobId}: choose another one`, options)
    this.jobId = jobId
  }
}

/** Another schedule has this name. The command line ends with exit code 2. */
export class ScheduleExistsError extends InvalidOptionError {
  override name = 'ScheduleExistsError'
  /** The name. */
  readonly schedule: string

  constructor(schedule: string, options?: ErrorOptions) {
    super(
      `there is a schedule ${schedule} already: choose another name, or remove it first (\`p2p-worker schedule remove ${schedule}\`)`,
      options
    )
    this.schedule = schedule
  }
}

/** The cluster has no schedule with this name. */
export class NoSuchScheduleError extends P2pWorkerError {
  override name = 'NoSuchScheduleError'
  /** The name of the requested schedule. */
  readonly schedule: string

  constructor(schedule: string, options?: ErrorOptions) {
    super(`the cluster has no schedule ${schedule}: \`p2p-worker schedule list\` shows their names`, options)
    this.schedule = schedule
  }
}

/**
 * The leader runs a version of p2p-worker that does not know this request. Update the leader, or let a peer with a newer version lead.
 */
export class UnsupportedByLeaderError extends P2pWorkerError {
  override name = 'UnsupportedByLeaderError'
}

/**
 * The leader takes no new job: its data folder has reached its `journalMb`, or the disk of the folder is full or takes no writes. Jobs under way go
 * on.
 */
export class NoRoomError extends P2pWorkerError {
  override name = 'NoRoomError'
}

/**
 * Fewer disks than the job or the schedule asks for (`durable`) can hold it. It was not accepted, and does not run. The command line ends with exit
 * code 1.
 */
export class NotDurableError extends P2pWorkerError {
  override name = 'NotDurableError'
  /** The number of disks that can hold it: those of peers with a data folder that takes writes. */
  readonly disks: number
  /** The number of disks that it asks for. */
  readonly durable: number

  constructor(message: string, detail: { disks: number; durable: number }, options?: ErrorOptions) {
    super(message, options)
    this.disks = detail.disks
    this.durable = detail.durable
  }
}

/** A channel to another peer ended. `cause` is the reason. */
export class ChannelClosedError extends P2pWorkerError {
  override name = 'ChannelClosedError'
}

/** A message is larger than the limit of its protocol, or a payload is larger than a peer's `maxPayloadMb`. */
export class MessageTooLargeError extends P2pWorkerError {
  override name = 'MessageTooLargeError'
}

/** A value has too many characters or too many levels of nesting to be printed as JSON. */
export class JsonTooLargeError extends P2pWorkerError {
  override name = 'JsonTooLargeError'
}

/** Received bytes are not a valid message. The stream that carried them is closed. */
export class InvalidMessageError extends P2pWorkerError {
  override name = 'InvalidMessageError'
}

/**
 * The store of the election does not answer, refuses this process, or holds something unexpected. The command line ends with exit
 * code 3.
 */
export class ElectionStoreError extends P2pWorkerError {
  override name = 'ElectionStoreError'
}

/** Work of the leader must stop, because this peer is no longer the leader. This error is the reason of the work's signal. */
export class LeadershipLostError extends P2pWorkerError {
  override name = 'LeadershipLostError'
}

/** A session no longer holds its lock. This error is the reason of `lock.signal`. */
export class LockLostError extends P2pWorkerError {
  override name = 'LockLostError'
}

/** A lock was not granted within `wait`. */
export class LockTimeoutError extends P2pWorkerError {
  override name = 'LockTimeoutError'
}

/** The peer or client was stopped during the call. */
export class StoppedError extends P2pWorkerError {
  override name = 'StoppedError'
}
