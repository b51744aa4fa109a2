/**
 * The thread of durable-file.ts. It replaces a file with blocking calls: libuv's pool, which asynchronous calls use, is
 * shared with the threads of tasks, and may be busy for seconds. It is CommonJS, because a module loads by asynchronous calls.
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
    // A partial draft would take up the missing room.
    removeIfPossible(draft)
    parentPort!.postMessage(error)
  }
})

function removeIfPossible(draft: string): void {
  try {
    fs.rmSync(draft, { force: true })
  } catch {
    // The next draft replaces this one.
  }
}

/** Makes a rename durable: it is on disk when its folder is. */
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
