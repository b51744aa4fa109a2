import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../persistence/temporary-folder.ts'

/** Writes the source to a temporary file, because the compiler reads files. */
export async function withFile<T>(source: string, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await makeTemporaryFolder(tmpdir(), 'http-')
  try {
    const path = join(folder.path, 'task.ts')
    await writeFile(path, source, { mode: 0o600 })
    return await use(path)
  } finally {
    await rm(folder.path, { recursive: true, force: true })
    await folder.release()
  }
}
