import { open } from 'node:fs/promises'

/** Writes a new file for the user's eyes only; resolves when it is on disk. Fails where there is one of that name. */
export async function writePrivate(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
