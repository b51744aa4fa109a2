import type { CoordinatorMessage } from './core/messages.ts'

type PersistEffect = { type: 'persist'; coordinator: CoordinatorMessage }

export interface PersistFirstInit<Effect> {
  /** Writes a leadership, and calls `done` when the write has succeeded or failed. */
  write: (coordinator: CoordinatorMessage, done: () => void) => void
  /** Performs an effect that is not a write. */
  perform: (effect: Exclude<Effect, PersistEffect>) => void
}

/** Effects on this peer's lease. They never wait: a `release` after a wait could end a lease that the election has sought in the meantime. */
const LOCAL: readonly string[] = ['seek', 'release']

/**
 * Performs effects in their order. Effects after a `persist` effect wait until its write has ended, so that no other peer
 * learns of a leadership that this peer could forget (compare etcd/raft, `doc.go`: HardState is stored before messages are
 * sent). The write does not block the main thread. Effects on this peer's lease do not wait.
 */
export class PersistFirst<Effect extends { type: string }> {
  readonly #init: PersistFirstInit<Effect>
  #waiting: Effect[] = []
  #isWriting = false
  /** The newest leadership whose write has ended. Other peers may learn of this leadership. */
  written: CoordinatorMessage | undefined

  constructor(init: PersistFirstInit<Effect>, written: CoordinatorMessage | undefined) {
    this.#init = init
    this.written = written
  }

  add(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (LOCAL.includes(effect.type)) this.#init.perform(effect as Exclude<Effect, PersistEffect>)
      else this.#waiting.push(effect)
    }
    this.#run()
  }

  #run(): void {
    while (!this.#isWriting) {
      const effect = this.#waiting.shift()
      if (effect === undefined) return
      if (isPersist(effect)) this.#write(effect.coordinator)
      else this.#init.perform(effect as Exclude<Effect, PersistEffect>)
    }
  }

  #write(coordinator: CoordinatorMessage): void {
    this.#isWriting = true
    this.#init.write(coordinator, () => {
      this.#isWriting = false
      this.written = coordinator
      this.#run()
    })
  }
}

function isPersist(effect: { type: string }): effect is PersistEffect {
  return effect.type === 'persist'
}
