/** Writes a job's result to a file or to stdout. */
import { constants } from 'node:fs'
import { access, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { InvalidOptionError, P2pWorkerError } from '../../common/errors.ts'
import { rawBytes, toJson } from '../../tasks/values/tagged-json.ts'
import { count } from '../../views/words.ts'
import { print, say } from '../terminal/output.ts'

/** Checks, before the job starts, that the result of the job can be written to the file. */
export async function checkOutput(file: string | undefined): Promise<void> {
  if (file === undefined) return
  try {
    const existing = await stat(file).catch(() => undefined)
    if (existing?.isDirectory()) throw new Error(`${file} is a folder`)
    await access(existing === undefined ? dirname(resolve(file)) : file, constants.W_OK)
  } catch (cause) {
    throw new InvalidOptionError(`option '--output': ${(cause as Error).message}`, { cause })
  }
}

/**
 * @throws P2pWorkerError when the file cannot be written (the caller then prints the result to stdout);
 * JsonTooLargeError
 */
export async function writeResult(file: string, value: unknown): Promise<void> {
  const content = rawBytes(value) ?? `${toJson(value, 2)}\n`
  try {
    await writeFile(file, content)
  } catch (cause) {
    const message = `the result could not be written to ${file}, so it is on stdout: ${(cause as Error).message}`
    throw new P2pWorkerError(message, { cause })
  }
}

export async function printResult(value: unknown): Promise<void> {
  const bytes = rawBytes(value)
  if (bytes === undefined) return print(toJson(value, 2))
  if (!process.stdout.isTTY) return print(bytes)
  say(`The result is ${count(bytes.length, 'byte')}, which a terminal can't show: use --output FILE, or a pipe.`)
}
