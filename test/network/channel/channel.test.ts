import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { ChannelClosedError, InvalidMessageError, MessageTooLargeError } from '../../../src/common/errors.ts'
import type { Logger } from '../../../src/common/logger.ts'
import { LEAST_ACK } from '../../../src/network/channel/inbox.ts'
import { CHANNEL_WINDOW } from '../../../src/network/channel/outbox.ts'
import { generateClusterKey, parseClusterKey } from '../../../src/network/cluster-key.ts'
import type { Channel, Network, ProtocolSpec } from '../../../src/network/types.ts'
import { bytesCodec, deferred, pair, start, textCodec, until } from '../support.ts'

const MiB = 1024 * 1024
const text: ProtocolSpec<string> = { name: 'text', codec: textCodec, maxMessageBytes: 100_000 }
const bulk: ProtocolSpec<Uint8Array> = { name: 'bulk', codec: bytesCodec, maxMessageBytes: 128 * MiB }
const ignore = { onMessage: () => {} }

/** Registers the text protocol on `network` and collects the messages that arrive. */
function collect(network: Network) {
  const messages: string[] = []
  const protocol = network.register(text, {
    onMessage: message => {
      messages.push(message)
    }
  })
  return { messages, protocol }
}

test('a channel logs an exception of its handler as an error, and logs misbehaviour of the other side only as a detail', async () => {
  const errors: [object, string][] = []
  const details: unknown[] = []
  const logger: Logger = {
    debug: data => details.push((data as { error?: unknown }).error),
    info() {},
    warn() {},
    error: (data, message) => errors.push([data, message])
  }
  const [a, b] = await pair({ logger })
  const bug = new TypeError('undefined is not a function')
  const throwing = async (error: Error, name: string): Promise<void> => {
    b.register({ ...text, name }, { onMessage: () => Promise.reject(error) })
    const channel = await a.register({ ...text, name }, ignore).channel(b.self)
    await channel.send('one')
    await until(() => channel.closed.aborted)
  }
  await throwing(bug, 'buggy')
  expect(errors).toEqual([[{ peerId: a.self, protocol: 'buggy', error: bug }, expect.stringContaining('a bug')]])
  const expected = [
    new InvalidMessageError('it is none'),
    new ChannelClosedError('closed'),
    new DOMException('', 'AbortError')
  ]
  for (const [n, error] of expected.entries()) {
    await throwing(error, `expected-${n}`)
    await until(() => details.includes(error))
  }
  expect(errors).toHaveLength(1)
})

test('small and large messages that are sent without awaiting each send arrive in order', async () => {
  const [a, b] = await pair()
  const { messages } = collect(b)
  const protocol = a.register(text, ignore)
  const sent = Array.from({ length: 2_000 }, (_, i) => `${i}:${'x'.repeat(i % 100 === 0 ? 70_000 : i % 50)}`)
  const channel = await protocol.channel(b.self)
  await Promise.all(sent.map(message => channel.send(message)))
  await until(() => messages.length === sent.length)
  expect(messages).toEqual(sent)
})

test('a channel announces that it decodes a large message, keeps the order of messages, and closes at an invalid message', async () => {
  const [a, b] = await pair()
  const slow = deferred<void>()
  const said: string[] = []
  const decodeInTurns = (bytes: Uint8Array): Promise<string> | undefined => {
    const message = textCodec.decode(bytes)
    if (message === 'wrong') return Promise.reject(new RangeError('wrong'))
    return message === 'large' ? slow.promise.then(() => message) : undefined
  }
  b.register(
    { ...text, codec: { ...textCodec, decodeInTurns } },
    {
      onMessage: message => void said.push(message),
      onDecoding: () => {
        said.push('decoding')
        return () => said.push('decoded')
      }
    }
  )
  const channel = await a.register(text, ignore).channel(b.self)
  for (const message of ['first', 'large', 'behind']) await channel.send(message)
  await until(() => said.length === 2)
  expect(said).toEqual(['first', 'decoding'])
  slow.resolve()
  await until(() => said.length === 5)
  expect(said).toEqual(['first', 'decoding', 'decoded', 'large', 'behind'])
  await channel.send('wrong')
  await until(() => channel.closed.aborted)
  expect(b.refusals.counts().message).toBe(1)
})

test('two peers use one channel in both directions, whichever peer opened the channel', async () => {
  const [a, b] = await pair()
  const opened: string[] = []
  const replies = deferred<string>()
  b.register(text, {
    onOpen: channel => opened.push(channel.direction),
    onMessage: (message, channel) => channel.send(`echo ${message}`)
  })
  const protocol = a.register(text, { onMessage: replies.resolve })
  const channels = await Promise.all([protocol.channel(b.self), protocol.channel(b.self), protocol.channel(b.self)])
  expect(new Set(channels).size).toBe(1)
  await channels[0]?.send('hello')
  expect(await replies.promise).toBe('echo hello')
  expect(channels[0]?.remote).toBe(b.self)
  expect(opened).toEqual(['inbound'])
  expect(protocol.channels()).toHaveLength(1)
})

test('no message is lost when both peers open a channel at the same moment', async () => {
  const [a, b] = await pair()
  const atA = collect(a)
  const atB = collect(b)
  await Promise.all(
    Array.from({ length: 200 }, (_, i) => [
      atA.protocol.send(b.self, `a${i}`),
      atB.protocol.send(a.self, `b${i}`)
    ]).flat()
  )
  await until(() => atA.messages.length === 200 && atB.messages.length === 200)
  expect(atB.messages).toEqual(Array.from({ length: 200 }, (_, i) => `a${i}`))
  expect(atA.messages).toEqual(Array.from({ length: 200 }, (_, i) => `b${i}`))
})

test('messages of 16 MiB sent in both directions at the same time arrive complete over pnet and TLS', async () => {
  const [a, b] = await pair({ key: parseClusterKey(generateClusterKey()) })
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const atA = deferred<string>()
  const atB = deferred<string>()
  const fromA = a.register(bulk, { onMessage: message => atA.resolve(digest(message)) })
  b.register(bulk, { onMessage: message => atB.resolve(digest(message)) })
  const [x, y] = [randomBytes(16 * MiB), randomBytes(16 * MiB)]
  const channel = await fromA.channel(b.self)
  const back = b.register({ ...bulk, name: 'back' }, ignore)
  a.register({ ...bulk, name: 'back' }, { onMessage: message => atA.resolve(digest(message)) })
  await Promise.all([channel.send(x), back.send(a.self, y)])
  expect(await atB.promise).toBe(digest(x))
  expect(await atA.promise).toBe(digest(y))
  await until(() => channel.pendingBytes < LEAST_ACK)
})

test('a slow reader slows the sender down, and neither side buffers more than a bounded number of bytes', async () => {
  const [a, b] = await pair()
  const gate = deferred<void>()
  let handled = 0
  b.register(bulk, {
    onMessage: async message => {
      handled += message.byteLength
      await gate.promise
    }
  })
  const protocol = a.register(bulk, ignore)
  const channel = await protocol.channel(b.self)
  const message = new Uint8Array(MiB / 4)
  let accepted = 0
  const sending = (async () => {
    for (let i = 0; i < 256; i++) {
      await channel.send(message)
      accepted += message.byteLength
    }
  })()
  await until(() => handled > 0)
  await until(() => accepted >= CHANNEL_WINDOW - message.byteLength)
  // These round trips use the same connection. When the round trips end, all bulk data that the window allowed has been transferred.
  let answers = 0
  b.register(text, { onMessage: (probe, back) => back.send(probe) })
  const probes = a.register(text, {
    onMessage: () => {
      answers++
    }
  })
  for (let i = 1; i <= 50; i++) {
    await probes.send(b.self, 'probe')
    await until(() => answers === i)
  }
  expect(handled).toBe(message.byteLength)
  expect(accepted).toBeLessThanOrEqual(5 * MiB)
  expect(channel.pendingBytes).toBeLessThanOrEqual(5 * MiB)
  gate.resolve()
  await sending
  await until(() => handled === 64 * MiB)
  await until(() => channel.pendingBytes < LEAST_ACK)
})

test('the handlers of both sides may await sends on the channel that they handle, without a deadlock', async () => {
  const [a, b] = await pair()
  let returned = 0
  b.register(bulk, { onMessage: (message, channel) => channel.send(message) })
  const protocol = a.register(bulk, {
    onMessage: message => {
      returned += message.byteLength
    }
  })
  const channel = await protocol.channel(b.self)
  for (let i = 0; i < 32; i++) void channel.send(new Uint8Array(MiB))
  await until(() => returned === 32 * MiB)
})

test('a small message does not wait behind a bulk transfer on the same connection', async () => {
  const [a, b] = await pair({ key: parseClusterKey(generateClusterKey()) })
  b.register(bulk, ignore)
  b.register(text, { onMessage: (message, channel) => channel.send(message) })
  let pong = deferred<void>()
  const probes = a.register(text, { onMessage: () => pong.resolve() })
  const transfers = a.register(bulk, ignore)
  await probes.channel(b.self)
  const channel = await transfers.channel(b.self)
  let sending = true
  const transfer = channel.send(new Uint8Array(48 * MiB)).then(() => {
    sending = false
  })
  const delays: number[] = []
  while (sending) {
    pong = deferred()
    const sentAt = performance.now()
    await probes.send(b.self, 'probe')
    await pong.promise
    delays.push(performance.now() - sentAt)
  }
  await transfer
  delays.sort((x, y) => x - y)
  expect(delays.length).toBeGreaterThan(3)
  // Both ends run in this process, so one event loop encrypts and decrypts every byte. The bound is therefore generous.
  expect(delays[Math.floor(delays.length / 2)]).toBeLessThan(150)
})

test('a sender refuses to send a message above the size limit, and the channel stays open', async () => {
  const [a, b] = await pair()
  const { messages } = collect(b)
  const channel = await a.register(text, ignore).channel(b.self)
  await expect(channel.send('x'.repeat(100_001))).rejects.toBeInstanceOf(MessageTooLargeError)
  await channel.send('x'.repeat(100_000))
  await until(() => messages.length === 1)
})

test('the receiver closes a channel with a typed error when a message exceeds the receiver’s size limit', async () => {
  const [a, b] = await pair()
  const ended = deferred<Error>()
  b.register({ ...text, maxMessageBytes: 1_000 }, { ...ignore, onClose: (_channel, reason) => ended.resolve(reason) })
  const channel = await a.register(text, ignore).channel(b.self)
  await channel.send('x'.repeat(50_000))
  const reason = await ended.promise
  expect(reason).toBeInstanceOf(ChannelClosedError)
  expect(reason.cause).toBeInstanceOf(InvalidMessageError)
  await until(() => channel.closed.aborted)
  expect(channel.closed.reason).toBeInstanceOf(ChannelClosedError)
  await expect(channel.send('more')).rejects.toBeInstanceOf(ChannelClosedError)
})

test('a message that does not decode closes the channel of the message, and other channels between the same peers still work', async () => {
  const [a, b] = await pair()
  const raw = a.register({ ...bulk, name: 'text' }, ignore)
  const other = a.register({ ...text, name: 'other' }, ignore)
  const { messages } = collect(b)
  let received = 0
  b.register(
    { ...text, name: 'other' },
    {
      onMessage: () => {
        received++
      }
    }
  )
  const kept = await other.channel(b.self)
  const channel = await raw.channel(b.self)
  await channel.send(Uint8Array.of(0xff, 0xfe))
  await until(() => channel.closed.aborted)
  expect(messages).toEqual([])
  await kept.send('still here')
  await until(() => received === 1)
  await raw.send(b.self, new TextEncoder().encode('again'))
  await until(() => messages.length === 1)
})

test('a waiting send rejects with the reason of its signal, and the messages before and after the aborted message arrive', async () => {
  const [a, b] = await pair()
  const gate = deferred<void>()
  const sizes: number[] = []
  b.register(bulk, {
    onMessage: async message => {
      sizes.push(message.byteLength)
      await gate.promise
    }
  })
  const channel = await a.register(bulk, ignore).channel(b.self)
  const abort = new AbortController()
  const before = [channel.send(new Uint8Array(2 * MiB)), channel.send(new Uint8Array(2 * MiB))]
  const cut = Promise.all([
    expect(channel.send(new Uint8Array(16 * MiB), { signal: abort.signal })).rejects.toThrow('enough'),
    expect(channel.send(new Uint8Array(7), { signal: abort.signal })).rejects.toThrow('enough')
  ])
  const after = channel.send(new Uint8Array(3))
  await until(() => sizes.length === 1)
  abort.abort(new Error('enough'))
  await cut
  gate.resolve()
  await Promise.all([...before, after])
  await until(() => sizes.length === 3)
  expect(sizes).toEqual([2 * MiB, 2 * MiB, 3])
  await expect(channel.send(new Uint8Array(1), { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no')
})

test('`close` first sends all queued messages and calls `onClose` exactly one time, and the next send opens a new channel', async () => {
  const [a, b] = await pair()
  const { messages } = collect(b)
  const closed: Channel<string>[] = []
  const protocol = a.register(text, { ...ignore, onClose: channel => closed.push(channel) })
  const channel = await protocol.channel(b.self)
  const sends = Array.from({ length: 50 }, (_, i) => channel.send(`${i} ${'x'.repeat(50_000)}`))
  await channel.close()
  await Promise.all(sends)
  await until(() => messages.length === 50)
  expect(closed).toEqual([channel])
  expect(channel.closed.aborted).toBe(true)
  await protocol.send(b.self, 'more')
  await until(() => messages.length === 51)
})

test('a channel ends and rejects its waiting sends when the other side stops', async () => {
  const [a, b] = await pair()
  b.register(bulk, { onMessage: () => new Promise<void>(() => {}) })
  const channel = await a.register(bulk, ignore).channel(b.self)
  const waiting = expect(
    channel.send(new Uint8Array(16 * MiB)).then(() => channel.send(new Uint8Array(16 * MiB)))
  ).rejects.toBeInstanceOf(ChannelClosedError)
  await b.stop()
  await waiting
  await until(() => channel.closed.aborted)
  expect(channel.pendingBytes).toBe(0)
})

test('opening a channel to a peer without a known address rejects with an error that names the missing address', async () => {
  const a = await start()
  const protocol = a.register(text, ignore)
  const unknown = '12D3KooWGC6TvWhfagifX6DZM3MMCq3Nb6EJYgY5wsvJdVbCJzXp'
  await expect(protocol.channel(unknown)).rejects.toThrow(/no address of it is known/)
  await expect(protocol.channel(unknown)).rejects.toBeInstanceOf(ChannelClosedError)
})
