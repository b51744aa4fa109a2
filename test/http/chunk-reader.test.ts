import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChunkPieces } from '../../src/http/chunk-pieces.ts'
import { ChunkReader } from '../../src/http/chunk-reader.ts'
import { encodeEvent } from '../../src/http/event-stream.ts'
import { ChunkRecord } from '../../src/jobs/shared/chunk-record.ts'

const CHUNKS = 2 ** 19

interface Told {
  event: string
  data: { reset: boolean; first: number; end: number; peers: string[]; runs: number[] }
}

/** Returns a record whose neighbouring chunks all differ, so that each chunk is a run of its own. As JSON, the record has several megabytes. */
function fragmented(): ChunkRecord {
  const record = new ChunkRecord()
  record.add(CHUNKS)
  const codes = [record.doneBy('a'), record.givenTo('b')]
  for (let index = 0; index < CHUNKS; index++) record.set(index, codes[index % 2]!)
  return record
}

/** Returns the record that a reader builds from these events. */
function knows(told: Told[]): ChunkRecord {
  const [first, ...rest] = told
  const record = ChunkRecord.from(first!.data)
  for (const { data } of rest) record.apply(data)
  return record
}

describe('a reader of chunks', () => {
  let server: Server
  let socket: Socket
  let response: ServerResponse
  let text: string
  const closed = vi.fn()

  beforeEach(async () => {
    closed.mockClear()
    server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    text = ''
    socket.setEncoding('utf8').on('data', data => {
      text += data
    })
    socket.pause()
    socket.write('GET / HTTP/1.0\r\nHost: localhost\r\n\r\n')
    response = ((await once(server, 'request')) as [unknown, ServerResponse])[1]
  })

  afterEach(async () => {
    socket.destroy()
    server.close()
    await once(server, 'close')
  })

  const told = (): Told[] =>
    [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, event, data]) => ({
      event: event!,
      data: JSON.parse(data!)
    }))
  const chunks = (): Told[] => told().filter(({ event }) => event === 'chunks')
  const piecesOf = (record: ChunkRecord): ChunkPieces => {
    let id = 0
    return new ChunkPieces('job', record.since(0), () => ++id)
  }

  it('a chunk reader receives a large map in pieces, and then the changes of chunks and the end of the job', async () => {
    const record = fragmented()
    const pieces = piecesOf(record)
    const { version } = record.since(0)
    const reader = new ChunkReader(response, closed)
    reader.show(pieces)
    // While the socket is paused, chunks change both in sent and in unsent pieces.
    for (let index = 0; index < CHUNKS; index += 1_000) record.set(index, record.doneBy('c'))
    record.add(10)
    pieces.apply(record.since(version))
    reader.show(pieces)
    reader.finish(encodeEvent(99, 'ended', '{}'))
    // The server buffers only a few pieces for the reader.
    expect(response.writableLength).toBeLessThan(2 ** 20)
    socket.resume()
    await once(socket, 'end')
    expect(told().at(-1)!.event).toBe('ended')
    expect(chunks().length).toBeGreaterThan(100)
    expect(chunks().map(({ data }) => data.reset)).toEqual(chunks().map((_, at) => at === 0))
    expect(Math.max(...text.split('\n').map(line => line.length))).toBeLessThan(150_000)
    expect(knows(chunks()).since(0).runs).toEqual(record.since(0).runs)
    expect(chunks().at(-1)!.data.end).toBe(CHUNKS + 10)
    expect(closed).toHaveBeenCalledTimes(1)
  })

  it('a chunk reader starts over when another record replaces a partly sent record', async () => {
    const reader = new ChunkReader(response, closed)
    reader.show(piecesOf(fragmented()))
    const other = new ChunkRecord(100)
    reader.show(piecesOf(other))
    reader.finish(encodeEvent(99, 'ended', '{}'))
    socket.resume()
    await once(socket, 'end')
    expect(chunks().filter(({ data }) => data.reset)).toHaveLength(2)
    expect(knows([chunks().findLast(({ data }) => data.reset)!]).since(0).runs).toEqual(other.since(0).runs)
  })

  it('a chunk reader receives no event while no chunk changes', async () => {
    const pieces = piecesOf(new ChunkRecord(100))
    const reader = new ChunkReader(response, closed)
    for (let i = 0; i < 3; i++) reader.show(pieces)
    reader.end()
    socket.resume()
    await once(socket, 'end')
    expect(chunks()).toHaveLength(1)
  })

  it('a chunk reader that reads data stays connected, and a chunk reader that reads nothing between two heartbeats is dropped', async () => {
    const record = fragmented()
    const pieces = piecesOf(record)
    const reader = new ChunkReader(response, closed)
    reader.show(pieces)
    reader.beat()
    // The reader reads some data.
    const before = response.socket!.bytesWritten
    socket.resume()
    await vi.waitFor(() => expect(response.socket!.bytesWritten).toBeGreaterThan(before + 2 ** 20), { timeout: 60_000 })
    socket.pause()
    reader.beat()
    expect(response.destroyed).toBe(false)
    // The test changes chunks until the buffers of the operating system are full.
    let { version } = record.since(0)
    await vi.waitFor(
      () => {
        for (let index = 0; index < CHUNKS; index++) record.set(index, record.doneBy(index % 2 === 0 ? 'c' : 'd'))
        const changes = record.since(version)
        version = changes.version
        pieces.apply(changes)
        reader.show(pieces)
        expect(response.writableNeedDrain).toBe(true)
      },
      { timeout: 60_000, interval: 200 }
    )
    reader.beat()
    reader.beat()
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1), { timeout: 60_000 })
  })

  it('chunk readers that need the same piece of the same record version share this piece', () => {
    const record = fragmented()
    const pieces = piecesOf(record)
    const first = pieces.piece(0, 0, true)
    expect(pieces.piece(0, 0, true)).toBe(first)
    expect(first.event()).toBe(first.event())
    const { version } = record.since(0)
    record.set(0, record.doneBy('c'))
    pieces.apply(record.since(version))
    expect(pieces.piece(0, 0, true)).not.toBe(first)
  })
})
