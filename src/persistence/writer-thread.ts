/**
 * The thread of durable-file.ts. It replaces a file with blocking calls: libuv's pool, which asynchronous calls use, is
 * shared with the threads of tasks, and may be busy for seconds.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

const file = workerData as string
const draft = `${file}.tmp`

parentPort!.on('message', (text: string) => {
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    renameSync(draft, file)
    syncFolder(dirname(file))
    parentPort!.postMessage(undefined)
  } catch (error) {
    // A partial draft would take up the missing room.
    removeIfPossible(draft)
    parentPort!.postMessage(error)
  }
})

function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The next draft replaces this one.
  }
}

/** Makes a rename durable: it is on disk when its folder is. */
function syncFolder(folder: string): void {
  // Windows cannot sync a folder.
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
