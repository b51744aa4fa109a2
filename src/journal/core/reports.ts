import type { PeerIdString } from '../../network/types.ts'
import type { JournalEffect } from './events.ts'

type Report = Extract<JournalEffect<never>, { type: 'unread' | 'incomplete' | 'under-replicated' }>

/** Reports for whom the leader waits, each time that this changes. */
export class Reports {
  readonly #emit: (report: Report) => void
  readonly #last = new Map<Report['type'], string>()

  constructor(emit: (report: Report) => void) {
    this.#emit = emit
  }

  unread(holders: readonly PeerIdString[]): void {
    if (this.#isNew('unread', holders)) this.#emit({ type: 'unread', holders })
  }

  incomplete(voters: readonly PeerIdString[]): void {
    if (this.#isNew('incomplete', voters)) this.#emit({ type: 'incomplete', voters })
  }

  underReplicated(missing: readonly PeerIdString[]): void {
    if (this.#isNew('under-replicated', missing)) this.#emit({ type: 'under-replicated', missing })
  }

  #isNew(type: Report['type'], ids: readonly PeerIdString[]): boolean {
    const before = this.#last.get(type) ?? ''
    this.#last.set(type, ids.join())
    return before !== ids.join()
  }
}
