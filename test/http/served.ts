/** Runs a peer with its HTTP API in this process, and sends requests that a browser would not allow. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { expect, vi } from 'vitest'
import type { JoinOptions } from '../../src/api/options-types.ts'
import { join } from '../../src/api/peer.ts'
import type { Peer } from '../../src/api/types.ts'
import { PeerMetrics } from '../../src/http/metrics.ts'
import { type HttpServer, type ServeOptions, serveHttp } from '../../src/http/server.ts'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: the peer may answer any JSON
  json: any
}

export interface Asked {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** The token that the request sends. */
  token?: string
}

export async function ask(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body, token }: Asked = {}
): Promise<Answer> {
  const bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
  return await new Promise((resolve, reject) => {
    const sent = request(url, { method, path, headers: { ...json, ...bearer, ...headers }, agent: false }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', data => {
        text += data
      })
      response.on('error', reject)
      response.on('end', () => {
        const isJson = response.headers['content-type']?.startsWith('application/json') === true && text !== ''
        const { statusCode = 0, headers: answered } = response
        resolve({ status: statusCode, headers: answered, text, json: isJson ? JSON.parse(text) : undefined })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** A task that sums the squares of numbers. */
export const SUM = `
import { defineTask } from 'p2p-worker'
export default defineTask({
  name: 'sum',
  split: (input: { numbers: number[] }) => input.numbers,
  run: (n: number) => n * n,
  initial: 0,
  reduce: (sum: number, square: number) => sum + square
})
`
/** A task that runs until it is cancelled. */
export const ENDLESS = `
export default { name: 'endless', split: () => [0], run: () => new Promise(() => {}) }
`
export const BYTES = `
export default { split: () => [1, 2, 3], run: (n: number) => n, finish: (all: number[]) => Uint8Array.from(all) }
`
export const FAILS = `
export default { split: () => [1], run: () => { throw new RangeError('too far') } }
`

export class Served {
  readonly peer: Peer
  readonly http: HttpServer
  readonly metrics: PeerMetrics
  readonly folder: string

  private constructor(peer: Peer, http: HttpServer, metrics: PeerMetrics, folder: string) {
    this.peer = peer
    this.http = http
    this.metrics = metrics
    this.folder = folder
  }

  static async start(options: Partial<JoinOptions> = {}, serve: ServeOptions = {}): Promise<Served> {
    const metrics = new PeerMetrics()
    const folder = await mkdtemp(joinPath(tmpdir(), 'p2p-worker-test-'))
    const peer = await join({
      cluster: `http-${process.pid}`,
      insecure: true,
      listen: ['/ip4/127.0.0.1/tcp/0'],
      mdns: false,
      slots: 1,
      profile: 'local',
      ...options
    })
    try {
      return new Served(peer, await serveHttp(peer, { port: 0, metrics, ...serve }), metrics, folder)
    } catch (error) {
      await peer.leave()
      throw error
    }
  }

  ask(path: string, asked: Asked = {}): Promise<Answer> {
    return ask(this.http.url, path, asked)
  }

  /** Sends a request with the token. */
  own(path: string, asked: Asked = {}): Promise<Answer> {
    return this.ask(path, { token: this.http.token, ...asked })
  }

  submit(body: object): Promise<Answer> {
    return this.own('/api/jobs', { method: 'POST', body: JSON.stringify(body) })
  }

  async leads(): Promise<void> {
    await vi.waitFor(() => expect(this.peer.leader?.id).toBe(this.peer.id), { timeout: 60_000 })
  }

  async file(name: string, text: string): Promise<string> {
    const path = joinPath(this.folder, name)
    await writeFile(path, text)
    return path
  }

  async stop(): Promise<void> {
    await this.peer.leave()
    await this.http.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}
