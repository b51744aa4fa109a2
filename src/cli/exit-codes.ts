/** The exit codes of the command line (a contract: scripts rely on them). */
import { InvalidOptionError, NoClusterError, NotAdmittedError, NotCloneableError, TaskLoadError } from '../errors.ts'

export const exitCodes = {
  done: 0,
  /** The job or the command failed. */
  failed: 1,
  usage: 2,
  /** No cluster or no leader within `--wait`. */
  noCluster: 3,
  notAdmitted: 4,
  /** `lead` itself failed, not its command. */
  leadFailed: 125,
  commandNotRun: 126,
  commandNotFound: 127,
  /** By SIGINT or SIGTERM. */
  interrupted: 130
} as const

export function exitCodeOf(error: unknown): number {
  if (error instanceof InvalidOptionError || error instanceof TaskLoadError || error instanceof NotCloneableError) {
    return exitCodes.usage
  }
  if (error instanceof NoClusterError) return exitCodes.noCluster
  if (error instanceof NotAdmittedError) return exitCodes.notAdmitted
  return exitCodes.failed
}
