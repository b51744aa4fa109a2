import { readFile } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { InvalidOptionError } from '../../common/errors.ts'

/** Parses content as JSON; content that is not JSON stays bytes. */
export function parseContent(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content))
  } catch {
    return new Uint8Array(content)
  }
}

/**
 * Reads the input from `--input` or `--input-file`. Resolves with undefined if neither option is set. Rejects when the
 * signal aborts.
 */
export async function readInput(
  flags: { input?: { value: unknown }; inputFile?: string },
  signal: AbortSignal
): Promise<unknown> {
  const { input, inputFile } = flags
  if (input !== undefined && inputFile !== undefined) {
    throw new InvalidOptionError('--input and --input-file contradict each other: give one of them')
  }
  if (inputFile === undefined) return input?.value
  try {
    const fromStdin = inputFile === '-'
    return parseContent(
      fromStdin ? await buffer(addAbortSignal(signal, process.stdin)) : await readFile(inputFile, { signal })
    )
  } catch (cause) {
    signal.throwIfAborted()
    throw new InvalidOptionError(`option '--input-file': ${(cause as Error).message}`, { cause })
  }
}
