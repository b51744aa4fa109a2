/** Formats log entries for people. */
import { MEMBER_TONES } from '../../views/states.ts'
import { count, duration, shortId, timeOfDay } from '../../views/words.ts'
import { paint, printable } from '../terminal/output.ts'

/** An entry of the log. docs/logging.md describes the fields. */
interface Entry {
  level: string
  time: string
  msg?: string
  event?: string
  error?: { message?: string }
  [field: string]: unknown
}

const LABELS: Record<string, string> = {
  error: paint('bad', 'error:'),
  warn: paint('caution', 'warning:'),
  info: 'info:',
  debug: 'debug:'
}

export class PrettyLines {
  readonly #isStamped: boolean
  /** This peer's PeerId; undefined before the log entry `ready`. */
  #self: string | undefined

  /** @param isStamped - whether each line begins with the time of day */
  constructor(isStamped: boolean) {
    this.#isStamped = isStamped
  }

  /** Formats one JSON entry as one or more lines. */
  line(json: string): string {
    const entry = JSON.parse(json) as Entry
    if (entry.event === 'ready') this.#self = String(entry.peerId)
    const text = entry.event === 'ready' ? ready(entry) : oneLine(this.#event(entry) ?? plain(entry))
    const time = paint('dim', timeOfDay(Date.parse(entry.time)))
    return printable(this.#isStamped ? `${time} ${text}` : text)
  }

  /** Returns the text for an event of the cluster. Returns undefined for other entries. */
  #event(entry: Entry): string | undefined {
    switch (entry.event) {
      case 'member':
        return member(entry)
      case 'leader':
        return this.#leader(entry)
      case 'job':
        return job(entry)
      case 'leaving':
        return 'this peer leaves'
      default:
        return undefined
    }
  }

  #leader({ peerId, epoch, ms, reason }: Entry): string {
    if (peerId === null) return reason === undefined ? 'there is no leader' : `there is no leader (${reason})`
    const who = paint('bold', peerId === this.#self ? 'this peer leads' : `${shortId(String(peerId))} leads`)
    return `${who} (epoch ${epoch})${typeof ms === 'number' && ms > 0 ? ` after ${duration(ms)}` : ''}`
  }
}

/** Puts foreign text, such as the error message of a task, on one line, so that the text cannot imitate a log entry. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]\s*/g, ' ')
}

function ready({ peerId, cluster, slots, pid, addresses }: Entry): string {
  const id = String(peerId)
  const room = typeof slots === 'number' ? `, ${count(slots, 'slot')}` : ''
  const first = `peer ${paint('bold', id)} (${shortId(id)}) of cluster ${cluster}${room}, process ${pid}`
  const rest = Array.isArray(addresses) ? addresses.map(address => `         ${address}`) : []
  return [first, ...rest].join('\n')
}

function job({ jobId, state, task, chunks, ms, error }: Entry): string {
  const parts = [
    typeof task === 'string' ? task : undefined,
    typeof chunks === 'number' ? count(chunks, 'chunk') : undefined,
    typeof ms === 'number' ? duration(ms) : undefined
  ].filter(part => part !== undefined)
  const details = parts.length === 0 ? '' : ` (${parts.join(', ')})`
  return `job ${jobId} ${state}${details}${error?.message === undefined ? '' : `: ${error.message}`}`
}

function plain({ level, time: _, msg = '', event: _event, error, ...rest }: Entry): string {
  const details = Object.entries(rest).map(
    ([key, detail]) => `${key}=${typeof detail === 'string' ? detail : JSON.stringify(detail)}`
  )
  if (error?.message !== undefined) details.push(`(${error.message})`)
  return [LABELS[level] ?? `${level}:`, msg, ...details].join(' ')
}

function member({ peerId, state }: Entry): string {
  const tone = MEMBER_TONES[state as keyof typeof MEMBER_TONES] ?? 'gone'
  return `member ${shortId(String(peerId))} is ${paint(tone, String(state))}`
}
