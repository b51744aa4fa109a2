import pDefer, { type DeferredPromise } from 'p-defer'
import { StoppedError } from '../../common/errors.ts'
import type { LogReply } from './log-thread.ts'

/** What an earlier process has stored cannot be read. */
export class UnreadableContentError extends Error {
  override readonly name = 'UnreadableContentError'
  /** Whether it is lost. Otherwise the disk may be able to read it later. */
  readonly isDamaged: boolean
  /** The code of the error of the disk. */
  readonly code: string | undefined

  constructor(cause: Error | undefined, code?: string) {
    super(
      cause === undefined
        ? 'a content in the data folder is damaged, or was removed'
        : `the disk of the data folder cannot be read (${cause.message})`,
      { cause }
    )
    this.isDamaged = cause === undefined
    this.code = code
  }
}

type Loaded = Extract<LogReply, { type: 'loaded' }>

/** The contents of an earlier process that stay on disk until they are needed. */
export class LaterContents {
  readonly #load: (id: number) => void
  readonly #loading = new Map<number, DeferredPromise<Loaded>>()
  readonly #unreadable = new Set<number>()
  /** Called before a {@link fill} rejects with this for the first time. */
  onUnreadable: (bytes: Uint8Array, error: UnreadableContentError) => void = () => {}

  /** @param load - asks for a content, which {@link onLoaded} takes */
  constructor(load: (id: number) => void) {
    this.#load = load
  }

  /** @throws UnreadableContentError if the content cannot be read; StoppedError if the log is closed */
  readonly fill = async (id: number, bytes: Uint8Array): Promise<void> => {
    const loading = pDefer<Loaded>()
    this.#loading.set(id, loading)
    this.#load(id)
    const { bytes: found, error, code } = await loading.promise
    if (found !== undefined) {
      bytes.set(found)
      return
    }
    const unreadable = new UnreadableContentError(error, code)
    const isKnown = this.#unreadable.has(id) && !unreadable.isDamaged
    this.#unreadable.add(id)
    if (!isKnown) this.onUnreadable(bytes, unreadable)
    throw unreadable
  }

  onLoaded(reply: Loaded): void {
    this.#loading.get(reply.id)?.resolve(reply)
    this.#loading.delete(reply.id)
  }

  /** Ends the reads under way. */
  end(): void {
    for (const { reject } of this.#loading.values()) reject(new StoppedError('the log is closed'))
    this.#loading.clear()
  }
}
