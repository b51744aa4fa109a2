/** Receives spans by OTLP over HTTP, as a collector does. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  /** The times of the span, in ms since the epoch. */
  start: number
  end: number
  /** The status of the span; the code 2 means an error. */
  status: { code: number; message?: string }
  attributes: Record<string, unknown>
  resource: Record<string, unknown>
}

interface Value {
  stringValue?: string
  intValue?: number | string
  doubleValue?: number
  boolValue?: boolean
}

interface Attribute {
  key: string
  value: Value
}

interface Request {
  resourceSpans: Array<{
    resource: { attributes: Attribute[] }
    scopeSpans: Array<{ spans: WireSpan[] }>
  }>
}

interface WireSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code: number; message?: string }
  attributes: Attribute[]
}

export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = []
  /** The paths of all requests. */
  readonly paths = new Set<string>()
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      this.paths.add(request.url ?? '')
      const parts: Buffer[] = []
      request.on('data', (data: Buffer) => parts.push(data))
      request.on('end', () => {
        this.#take(JSON.parse(Buffer.concat(parts).toString()) as Request)
        response.setHeader('content-type', 'application/json').end('{}')
      })
    })
  }

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver()
    await new Promise<void>(resolve => receiver.#server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  named(name: string): ReceivedSpan[] {
    return this.spans.filter(span => span.name === name)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }

  #take({ resourceSpans }: Request): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        const { name, kind, traceId, spanId, parentSpanId, status } = span
        this.spans.push({
          name,
          kind,
          traceId,
          spanId,
          parentSpanId: parentSpanId || undefined,
          start: Number(span.startTimeUnixNano) / 1e6,
          end: Number(span.endTimeUnixNano) / 1e6,
          status,
          attributes: plain(span.attributes),
          resource: plain(resource.attributes)
        })
      }
    }
  }
}

function plain(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue)
    ])
  )
}
