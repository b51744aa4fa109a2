/**
 * The thread of durable-file.ts. It replaces a file with blocking calls. Asynchronous calls would use the thread pool
 * of libuv, which the threads of tasks share and may occupy for seconds. This module is CommonJS, because an ES module
 * loads by asynchronous calls.
 */
import fs = require('node:fs')
import path = require('node:path')
import threads = require('node:worker_threads')

const { parentPort, workerData } = threads

const file = workerData as string
const draft = `${file}.tmp`

parentPort!.on('message', (text: string) => {
  try {
    fs.writeFileSync(draft, text, { mode: 0o600, flush: true })
    fs.renameSync(draft, file)
    syncFolder(path.dirname(file))
    parentPort!.postMessage(undefined)
  } catch (error) {
    // Removes the partial draft, because it occupies space on a disk that may be full.
    removeIfPossible(draft)
    parentPort!.postMessage(error)
  }
})

function removeIfPossible(draft: string): void {
  try {
    fs.rmSync(draft, { force: true })
  } catch {
    // The next draft replaces this draft.
  }
}

/** Makes a rename durable by a sync of the folder, which contains the names of its files. */
function syncFolder(folder: string): void {
  // Windows cannot sync a folder.
  if (process.platform === 'win32') return
  const opened = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(opened)
  } finally {
    fs.closeSync(opened)
  }
}
