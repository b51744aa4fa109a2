import type { CodeKeeper } from '../shared/runner.ts'

export interface CodeRequestsInit {
  codeStore: CodeKeeper
  /** Requests a bundle from the leader. */
  request(sha256: string): void
  /** Called when a requested bundle is stored, or could not be stored. If it could not be stored, {@link onFailed} is called first. */
  onKept(): void
  onFailed(sha256: string, error: unknown): void
}

/** The bundles that a worker lacks. The worker requests each bundle at most one time in a leadership. */
export class CodeRequests {
  readonly #init: CodeRequestsInit
  readonly #requested = new Set<string>()

  constructor(init: CodeRequestsInit) {
    this.#init = init
  }

  has(sha256: string): boolean {
    return this.#init.codeStore.has(sha256)
  }

  /** Returns whether the worker has the bundle. Requests the bundle if the worker lacks it. */
  isReady(sha256: string): boolean {
    if (this.has(sha256)) return true
    if (!this.#requested.has(sha256)) {
      this.#requested.add(sha256)
      this.#init.request(sha256)
    }
    return false
  }

  keep(sha256: string, code: Uint8Array): void {
    if (!this.#requested.has(sha256)) return
    const { codeStore, onKept, onFailed } = this.#init
    codeStore
      .put(sha256, code)
      .catch((error: unknown) => onFailed(sha256, error))
      .finally(() => {
        this.#requested.delete(sha256)
        onKept()
      })
  }

  /** Allows another request for the bundle. A leader answers only for jobs that it has, so the next job with this code must request the bundle again. */
  forget(sha256: string): void {
    this.#requested.delete(sha256)
  }

  leaderGone(): void {
    this.#requested.clear()
  }
}
