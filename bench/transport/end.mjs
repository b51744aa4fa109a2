// One end of a link over one transport, in a process of its own (links.ts).
//     end.mjs KIND listen           counts the bulk of each link, answers its last byte, and echoes small messages
//     end.mjs KIND dial ADDRESS     opens a link, and sends `bulk` and makes round `trips` when the parent asks
//     end.mjs KIND links ADDRESS    opens and closes links when the parent asks
// Each end sends the CPU time of its process, in µs, when the parent asks for `cpu`.
import { once } from 'node:events'
import { BULK, PIECE } from './amounts.mjs'
import { transports } from './transports.mjs'

/** The first byte of what is echoed, and all bytes of the bulk. */
const [SMALL, LARGE] = [1, 2]
const [kind, role, address] = process.argv.slice(2)
const transport = await transports[kind]()
/** @type {Record<string, (count: number) => unknown>} */
const asked = {
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return user + system
  }
}

if (role === 'listen') {
  asked.address = await transport.listen(send => {
    let counted = 0
    return data => {
      if (data[0] === SMALL) return send(data)
      counted += data.byteLength
      if (counted === BULK) return send(Uint8Array.of(SMALL))
    }
  })
} else if (role === 'dial') {
  let onData = () => {}
  const send = await transport.dial(address, data => onData(data))
  /** @param {number} expected bytes */
  const answered = expected =>
    new Promise(resolve => {
      onData = data => {
        expected -= data.byteLength
        if (expected <= 0) resolve(undefined)
      }
    })
  asked.bulk = async () => {
    const piece = new Uint8Array(PIECE).fill(LARGE)
    const end = answered(1)
    for (let sent = 0; sent < BULK; sent += PIECE) await send(piece)
    await end
  }
  asked.trips = async count => {
    const message = new Uint8Array(100).fill(SMALL)
    for (let i = 0; i < count; i++) {
      const answer = answered(message.byteLength)
      await send(message)
      await answer
    }
  }
} else {
  asked.links = count => transport.links(address, count)
}

process.on('message', async ({ what, count }) => {
  const answer = asked[what]
  process.send({ answer: typeof answer === 'function' ? await answer(count) : answer })
})
process.send({ ready: true })
await once(process, 'disconnect')
process.exit()
