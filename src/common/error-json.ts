import { JobFailedError } from './errors.ts'

/** An error as JSON: what `run --json` prints and the HTTP API answers. */
export function errorJson(error: unknown): object {
  if (error instanceof JobFailedError) {
    const { name, message, index = null, taskStack } = error
    return { name, message, function: error.function, index, stack: taskStack }
  }
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) }
}
