import { JobFailedError, P2pWorkerError } from '../common/errors.ts'
import { withoutSecrets } from './keys/secrets.ts'
import { printable } from './terminal/output.ts'

/** Describes a job's failure: the message, the job, the function with its chunk, and the stack of the user's error. */
function describeFailure(error: JobFailedError): string {
  const { function: name, index, taskStack } = error
  const where = index === undefined ? name : `${name}, chunk ${index}`
  const lines = [error.message, `  job ${error.jobId}, in ${where}`]
  if (taskStack !== '') lines.push(...taskStack.split('\n').map(line => `  ${line}`))
  return printable(lines.join('\n'))
}

/**
 * Returns the text that the command line prints for an error. For a P2pWorkerError, the text is only the message. Any
 * other error is a bug, so the text contains the stack.
 */
export function describeError(error: unknown): string {
  if (error instanceof JobFailedError) return describeFailure(error)
  if (error instanceof P2pWorkerError) return printable(withoutSecrets(error.message))
  if (error instanceof Error) return withoutSecrets(error.stack ?? error.message)
  return String(error)
}
