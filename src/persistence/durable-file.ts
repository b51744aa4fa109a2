import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { builtFile } from '../common/built-file.ts'
import { StoppedError } from '../common/errors.ts'

/**
 * A file that a separate thread replaces as a whole. A write blocks neither the main thread nor the threads of tasks,
 * and waits for none of these threads. After a crash, even of the machine, the file has the old or the new content.
 */
export class DurableFile {
  readonly #path: string
  #thread: Worker | undefined
  #isWriting = false
  #closed = false

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Resolves when the content is on disk. A caller must wait for a call before it makes the next call.
   *
   * @throws StoppedError after `close`: the folder may belong to another process by then
   */
  async replace(content: string): Promise<void> {
    if (this.#closed) throw new StoppedError('the file is closed')
    const thread = this.#start()
    // A running write keeps the process alive, but an idle thread does not.
    thread.ref()
    this.#isWriting = true
    const ended = new AbortController()
    const { signal } = ended
    try {
      const exit = once(thread, 'exit', { signal }).then(() => [new Error('the thread that writes has ended')])
      const answer = once(thread, 'message', { signal })
      thread.postMessage(content)
      const [error] = (await Promise.race([answer, exit])) as [Error | undefined]
      if (error !== undefined) throw error
    } finally {
      this.#isWriting = false
      ended.abort()
      thread.unref()
    }
  }

  /** Ends the thread. A thread whose write hangs ends when the operating system returns from the write. */
  async close(): Promise<void> {
    this.#closed = true
    const ended = this.#thread?.terminate()
    if (!this.#isWriting) await ended
  }

  #start(): Worker {
    if (this.#thread !== undefined) return this.#thread
    const thread = new Worker(builtFile('persistence/writer-thread.cjs'), {
      workerData: this.#path,
      execArgv: [],
      env: {}
    })
    // A running write fails with the error. The next write starts another thread.
    thread.on('error', () => {})
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
    })
    this.#thread = thread
    return thread
  }
}
