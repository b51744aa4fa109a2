/** Reads a stream of server-sent events. */
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { vi } from 'vitest'

export interface Sent {
  id: number
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: the peer may send any JSON
  data: any
}

export class Reader {
  readonly events: Sent[] = []
  /** The raw text of the stream. */
  text = ''
  status: number | undefined
  headers: IncomingMessage['headers'] = {}
  /** Whether the server has ended the stream. */
  ended = false
  readonly #request: ClientRequest
  #rest = ''

  constructor(url: string, headers: Record<string, string> = {}, path = '/api/events', body?: string) {
    const method = body === undefined ? 'GET' : 'POST'
    this.#request = request(`${url}${path}`, { method, headers, agent: false }, response => {
      this.status = response.statusCode
      this.headers = response.headers
      response.setEncoding('utf8')
      response.on('data', (text: string) => this.#read(text))
      response.on('close', () => {
        this.ended = true
      })
      response.on('error', () => {})
    })
    this.#request.on('error', () => {
      this.ended = true
    })
    this.#request.end(body)
  }

  of(event: string): unknown[] {
    return this.events.filter(sent => sent.event === event).map(({ data }) => data)
  }

  /** The states of a job, in the order of the events. */
  states(jobId: string): string[] {
    return this.events
      .filter(({ event, data }) => event === 'job' && data.jobId === jobId)
      .map(({ data }) => data.state)
  }

  async until(check: () => void): Promise<void> {
    await vi.waitFor(check, { timeout: 60_000, interval: 20 })
  }

  close(): void {
    this.#request.destroy()
  }

  #read(text: string): void {
    this.text += text
    const parts = (this.#rest + text).split('\n\n')
    this.#rest = parts.pop() ?? ''
    for (const part of parts) {
      const fields = Object.fromEntries(
        part.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
      )
      if (fields.event === undefined) continue
      this.events.push({ id: Number(fields.id), event: fields.event, data: JSON.parse(fields.data ?? '') })
    }
  }
}
