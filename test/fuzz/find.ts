/** A find of the fuzzer: an effect that no frame may have. */
export class Find extends Error {
  override name = 'Find'
}

/** Formats an error with its stack. */
export function told(error: unknown): string {
  return error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error)
}
