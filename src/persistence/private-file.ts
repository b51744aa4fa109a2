import { open } from 'node:fs/promises'

/**
 * Writes a new file that only the user can read. Resolves when the file is on disk. Rejects if the file exists already.
 */
export async function writePrivate(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
