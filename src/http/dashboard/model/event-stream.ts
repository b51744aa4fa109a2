/**
 * Parses server-sent events from text that arrives in pieces
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
 */

export interface StreamEvent {
  event: string
  data: string
}

/** Parses one piece of text at a time, and keeps an incomplete event for the next piece. Ignores comments, ids and reconnection times. */
export class EventParser {
  #rest = ''
  #event = ''
  #data: string[] = []

  push(text: string): StreamEvent[] {
    const lines = (this.#rest + text).split(/\r\n|\n/)
    this.#rest = lines.pop() ?? ''
    return lines.flatMap(line => this.#line(line))
  }

  #line(line: string): StreamEvent[] {
    if (line === '') {
      const ended = { event: this.#event === '' ? 'message' : this.#event, data: this.#data.join('\n') }
      const isEvent = this.#data.length > 0
      this.#event = ''
      this.#data = []
      return isEvent ? [ended] : []
    }
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'event') this.#event = value
    else if (name === 'data') this.#data.push(value)
    return []
  }
}
