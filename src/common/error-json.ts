import { JobFailedError, NotDurableError } from './errors.ts'

/** Returns an error as JSON, for `run --json` and the HTTP API. */
export function errorJson(error: unknown): object {
  if (error instanceof JobFailedError) {
    const { name, message, index = null, taskStack } = error
    return { name, message, function: error.function, index, stack: taskStack }
  }
  if (error instanceof NotDurableError) {
    const { name, message, disks, durable } = error
    return { name, message, disks, durable }
  }
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) }
}
