/** The exit codes of the command line (a contract: scripts rely on them). */
import {
  ElectionStoreError,
  InvalidOptionError,
  NoClusterError,
  NotAdmittedError,
  NotCloneableError,
  TaskLoadError
} from '../common/errors.ts'

export const exitCodes = {
  done: 0,
  /** The job or the command failed. */
  failed: 1,
  usage: 2,
  /** The command found no cluster or no leader within `--wait`. */
  noCluster: 3,
  notAdmitted: 4,
  /** `lead` or `lock` itself failed, not the command that it runs. */
  supervisorFailed: 125,
  commandNotRun: 126,
  commandNotFound: 127,
  /** SIGINT or SIGTERM ended the command. */
  interrupted: 130
} as const

/** Each exit code with its meaning, for the help and the man page. */
export const exitMeanings: readonly (readonly [number, string])[] = [
  [exitCodes.done, 'done'],
  [exitCodes.failed, 'the job or the command failed'],
  [exitCodes.usage, 'bad usage'],
  [exitCodes.noCluster, 'no cluster or no leader found in time (--wait)'],
  [exitCodes.notAdmitted, 'not admitted: the key, or an allow list'],
  [exitCodes.supervisorFailed, 'lead or lock itself failed; else it exits as its command does'],
  [exitCodes.commandNotRun, 'lead, lock: the command cannot be run'],
  [exitCodes.commandNotFound, 'lead, lock: there is no such command'],
  [exitCodes.interrupted, 'interrupted']
]

export function exitCodeOf(error: unknown): number {
  if (error instanceof InvalidOptionError || error instanceof TaskLoadError || error instanceof NotCloneableError) {
    return exitCodes.usage
  }
  if (error instanceof NoClusterError || error instanceof ElectionStoreError) return exitCodes.noCluster
  if (error instanceof NotAdmittedError) return exitCodes.notAdmitted
  return exitCodes.failed
}
