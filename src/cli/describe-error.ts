import { JobFailedError, P2pWorkerError } from '../common/errors.ts'
import { withoutSecrets } from './keys/secrets.ts'
import { printable } from './terminal/output.ts'

/** What failed, where, and the user's own stack. */
function describeFailure(error: JobFailedError): string {
  const { function: name, index, taskStack } = error
  const where = index === undefined ? name : `${name}, chunk ${index}`
  const lines = [error.message, `  job ${error.jobId}, in ${where}`]
  if (taskStack !== '') lines.push(...taskStack.split('\n').map(line => `  ${line}`))
  return printable(lines.join('\n'))
}

/** What is printed about an error: what was thrown on purpose explains itself, anything else is a bug and shows its stack. */
export function describeError(error: unknown): string {
  if (error instanceof JobFailedError) return describeFailure(error)
  if (error instanceof P2pWorkerError) return printable(withoutSecrets(error.message))
  if (error instanceof Error) return withoutSecrets(error.stack ?? error.message)
  return String(error)
}
