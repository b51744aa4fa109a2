import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it, vi } from 'vitest'
import { EventStream, encodeEvent } from '../../src/http/event-stream.ts'

it('an event stream drops a reader that reads nothing, instead of buffering its events', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  const closed = vi.fn()
  const stream = new EventStream(response, closed)
  const event = encodeEvent(1, 'status', JSON.stringify('x'.repeat(2 ** 20)))
  let sent = 0
  await vi.waitFor(
    () => {
      stream.send(event)
      sent += 1
      expect(closed).toHaveBeenCalled()
    },
    { timeout: 60_000, interval: 1 }
  )
  // Only the buffers of the kernel hold events, and the backlog up to its limit.
  expect(sent).toBeLessThan(40)
  expect(closed).toHaveBeenCalledTimes(1)
  socket.destroy()
  server.close()
  await once(server, 'close')
})

it('an event stream sends an event of any size to a reader without a backlog', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const large = 'x'.repeat(12 * 2 ** 20)
  server.once('request', (_, response: ServerResponse) => {
    const stream = new EventStream(response, () => {})
    stream.send(encodeEvent(1, 'chunks', large))
    stream.end()
  })
  const { port } = server.address() as AddressInfo
  const text = await (await fetch(`http://127.0.0.1:${port}`)).text()
  expect(text.endsWith(`data: ${large}\n\n`)).toBe(true)
  server.close()
  await once(server, 'close')
})
