/** The changes of the offset of a time zone from UTC, such as the begin and the end of summer time. */

const DAY_MS = 24 * 60 * 60_000
/** The steps in which a change is searched, in ms. The two changes around Ramadan in Morocco are four weeks apart. */
const STEP_MS = 14 * DAY_MS
/** How far ahead a change is searched, in ms. */
const AHEAD_MS = 400 * DAY_MS

/** A time in which the offset does not change. */
export interface Span {
  /** In ms since the Unix epoch. The offset changes at `from`, and at `until`, or no change is known there. */
  from: number
  until: number
  /** How far the clocks of the zone are ahead of UTC, in ms, and how far they were just before `from`. */
  offset: number
  before: number
}

export class TimeZone {
  readonly #format: Intl.DateTimeFormat
  #span: Span | undefined

  /** @throws RangeError when there is no time zone of this name */
  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  }

  /** Returns the span that contains a time. */
  spanAt(time: number): Span {
    const last = this.#span
    if (last !== undefined && last.from <= time && time < last.until) return last
    const from = last !== undefined && time === last.until ? time : this.#begin(time)
    const offset = this.#offsetAt(from)
    this.#span = { from, until: this.#end(from, offset), offset, before: this.#offsetAt(from - 1) }
    return this.#span
  }

  #begin(time: number): number {
    const offset = this.#offsetAt(time)
    for (let at = time; at > time - AHEAD_MS; at -= STEP_MS) {
      if (this.#offsetAt(at - STEP_MS) !== offset) return this.#change(at - STEP_MS, at)
    }
    return time - AHEAD_MS
  }

  #end(time: number, offset: number): number {
    for (let at = time; at < time + AHEAD_MS; at += STEP_MS) {
      if (this.#offsetAt(at + STEP_MS) !== offset) return this.#change(at, at + STEP_MS)
    }
    return time + AHEAD_MS
  }

  /** Returns when the offset that holds at `high` begins. The offset at `low` is another one. */
  #change(low: number, high: number): number {
    const offset = this.#offsetAt(high)
    let [before, after] = [low, high]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (this.#offsetAt(middle) === offset) after = middle
      else before = middle
    }
    return after
  }

  /** Offsets with seconds, which ended long ago, are cut to minutes. */
  #offsetAt(time: number): number {
    const text = this.#format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(text) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  }
}
