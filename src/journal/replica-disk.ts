/** Keeps the replica of a peer in the log of its data folder. */
import { InvalidMessageError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { arePending, filled } from '../lib/pending-bytes.ts'
import type { Stored } from '../persistence/log/content-log.ts'
import type { DurableLog } from '../persistence/log/durable-log.ts'
import { UnreadableContentError } from '../persistence/log/later-contents.ts'
import type { Lane } from '../persistence/log/log-thread.ts'
import type { Entry, Writer } from './core/entry.ts'
import type { HolderList } from './core/holder-list.ts'
import { JournalReplica, type ReplicaKeeper } from './core/replica.ts'
import { bytesOfRecord, contentsOf, type JournalRecord } from './record.ts'
import { decodeStored, encodeStored } from './stored-entry.ts'
import type { WhenSynced } from './sync-copies.ts'

/** The prefix of the keys of entries, which no other key has. */
const ENTRY = 'entry/'
/** The key of the newest leader that has read the replica. */
const READER = 'reader'
/** The key of the newest list of the peers that hold the journal. */
const HOLDERS = 'holders'

export class ReplicaDisk implements ReplicaKeeper<JournalRecord> {
  readonly replica = new JournalReplica<JournalRecord>(undefined, bytesOfRecord, this)
  readonly #log: DurableLog
  /** The callers that wait for a lane of the disk, which have not been told that it fails. */
  readonly #waiting = new Map<() => void, readonly Lane[]>()

  private constructor(log: DurableLog) {
    this.#log = log
    log.onFailure((failing, failure) => {
      if (failure === undefined) return
      for (const [tell, lanes] of this.#waiting) if (lanes.includes(failing)) tell()
    })
  }

  /**
   * Reads the replica of an earlier process. Entries that are damaged are left out and removed, and told to the logger.
   *
   * @param isOther - takes the values that are no part of the replica
   */
  static async open(
    log: DurableLog,
    logger: Logger,
    isOther: (key: string, stored: Stored) => boolean = () => false
  ): Promise<ReplicaDisk> {
    const disk = new ReplicaDisk(log)
    await disk.#read(logger, isOther)
    return disk
  }

  async #read(logger: Logger, isOther: (key: string, stored: Stored) => boolean): Promise<void> {
    const entries: Entry<JournalRecord>[] = []
    let reader: Writer | undefined
    let list: HolderList | undefined
    const broken: string[] = []
    for await (const values of this.#log.values(ENTRY, (bytes, error) => this.#onUnreadable(bytes, error, logger))) {
      for (const [key, stored] of values) {
        try {
          if (key === READER) reader = parsed(stored.value) as Writer
          else if (key === HOLDERS) list = parsed(stored.value) as HolderList
          else if (!isOther(key, stored)) entries.push(await withOutcome(decodeStored(stored)))
        } catch (error) {
          if (!isOfDamage(error)) throw error
          broken.push(key)
        }
      }
    }
    const { damage } = this.#log
    const damaged = broken.length + damage.damaged
    if (broken.length > 0) {
      this.#log.setLost('entries', true)
      this.#log.write(broken.map(key => ({ key, value: undefined })))
    }
    // Old damage stays in its file for long after the lost was found again.
    if (this.#log.hasLost('entries'))
      logger.error(
        { damaged, isCut: damage.isCut },
        'the data folder is damaged: jobs that are lost come back from other peers that hold them, and a voter counts again when it has them'
      )
    this.replica.restore({ entries, reader, list, isIncomplete: this.#log.hasLost('entries') })
    this.#log.onLost = keys => this.#onLost(keys, logger)
  }

  /** Drops the jobs that the disk has lost, and writes those again that are in memory as a whole. */
  #onLost(keys: readonly string[], logger: Logger): void {
    const { reader, known } = this.replica
    if (keys.includes(READER) && reader !== undefined) this.obey(reader)
    if (keys.includes(HOLDERS) && known.list !== undefined) this.note(known.list)
    const entries = this.replica.entries().filter(({ job }) => keys.includes(ENTRY + job))
    if (entries.length === 0) return
    const jobs = entries.map(({ job }) => job)
    logger.error(
      { jobs },
      'jobs in the data folder are damaged: what is in memory is written again, and the others come back from other peers that hold them'
    )
    const lost = entries.filter(({ record }) => arePending(...contentsOf(record).submission))
    const whole = entries.filter(entry => !lost.includes(entry))
    this.#log.rewrite(whole.map(entry => ({ key: ENTRY + entry.job, ...encodeStored(entry) })))
    this.replica.lose(lost)
  }

  /** Drops the jobs whose code or input is damaged. What the disk does not read now is read later. */
  #onUnreadable(bytes: Uint8Array, error: UnreadableContentError, logger: Logger): void {
    const entries = this.replica.entries().filter(({ record }) => contentsOf(record).submission.includes(bytes))
    if (entries.length === 0) return
    const jobs = entries.map(({ job }) => job)
    if (error.isDamaged) {
      logger.error(
        { jobs, error },
        'jobs in the data folder are damaged: they come back from other peers that hold them'
      )
      this.replica.lose(entries)
    } else
      logger.error({ jobs, error }, 'jobs wait for the disk of the data folder: repair it, or let another peer lead')
  }

  mark(isIncomplete: boolean): void {
    this.#log.setLost('entries', isIncomplete)
  }

  put(entry: Entry<JournalRecord>): void {
    this.#log.write([{ key: ENTRY + entry.job, ...encodeStored(entry) }])
  }

  remove(job: string): void {
    this.#log.write([{ key: ENTRY + job, value: undefined }])
  }

  obey(reader: Writer): void {
    this.#log.write([{ key: READER, value: new TextEncoder().encode(JSON.stringify(reader)) }])
  }

  note(list: HolderList): void {
    this.#log.write([{ key: HOLDERS, value: new TextEncoder().encode(JSON.stringify(list)) }])
  }

  /**
   * Calls back when all that was given before is on disk; with `jobs`, all of these jobs, and who else has them. While the disk takes no writes, calls
   * back at once that it is not: this peer keeps the replica in its memory, as peers without a disk do, and no job waits for the disk. When the disk
   * has taken it after all, calls back again.
   */
  readonly whenSynced: WhenSynced = (done, jobs) => {
    const keys = jobs && [READER, HOLDERS, ...jobs.map(job => ENTRY + job)]
    const lanes = this.#log.lanesOf(keys)
    const tell = (): void => {
      if (this.#waiting.delete(tell)) done(false)
    }
    this.#waiting.set(tell, lanes)
    if (this.#log.isClosed || lanes.some(lane => this.#log.failure(lane) !== undefined)) tell()
    this.#log.afterWrites(() => {
      this.#waiting.delete(tell)
      if (!this.#log.isClosed) done(true)
    }, keys)
  }
}

/** Fills what an entry has beside its code and input, which are filled when the job begins or goes to another peer. */
async function withOutcome(entry: Entry<JournalRecord>): Promise<Entry<JournalRecord>> {
  await filled(...contentsOf(entry.record).rest)
  return entry
}

/** Whether a value could be read, but is damaged. Otherwise the disk fails, or the log was closed. */
function isOfDamage(error: unknown): boolean {
  if (error instanceof UnreadableContentError) return error.isDamaged
  return error instanceof InvalidMessageError || error instanceof SyntaxError
}

function parsed(value: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(value))
}
