import { PartialsDisk } from '../../../src/jobs/worker/partials-disk.ts'
import type { LogChange } from '../../../src/persistence/log/batch.ts'
import type { Stored } from '../../../src/persistence/log/content-log.ts'

/** A log on a disk that takes writes at once, or later, or fails. */
export class FakeLog {
  readonly values = new Map<string, Stored>()
  readonly writes: (readonly LogChange[])[] = []
  isFailing = false
  /** The time that a write takes, in ms. */
  delay = 0

  failure(): Error | undefined {
    return this.isFailing ? new Error('no space left on device') : undefined
  }

  write(changes: readonly LogChange[], done: () => void = () => {}): void {
    this.writes.push(changes)
    const end = (): void => {
      for (const { key, value, contents = [] } of changes) {
        if (value === undefined) this.values.delete(key)
        else this.values.set(key, { value, contents })
      }
      done()
    }
    if (this.delay > 0) setTimeout(end, this.delay)
    else end()
  }

  /** Returns the disk of a worker that starts with what earlier workers have left. */
  reopen(): PartialsDisk {
    const disk = new PartialsDisk(this)
    for (const [key, stored] of this.values) disk.read(key, stored)
    return disk
  }
}
