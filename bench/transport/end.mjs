// One end of a link over one transport, in a process of its own (links.ts).
//     end.mjs KIND listen           answers messages whose last byte is SMALL, and reads the others
//     end.mjs KIND dial ADDRESS     opens a link, and sends `bulk` and makes round `trips` when the parent asks
//     end.mjs KIND links ADDRESS    opens links and closes them when the parent asks
// Each end sends the CPU time of its process, in µs, when the parent asks for `cpu`.
import { once } from 'node:events'
import { transports } from './transports.mjs'

/** The bytes of a message that is answered, and those of the bulk. */
const [SMALL, LARGE] = [1, 2]
const PIECE = 2 ** 20
const [kind, role, address] = process.argv.slice(2)
const transport = await transports[kind]()
/** @type {Record<string, unknown>} */
const asked = {
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return user + system
  }
}

if (role === 'listen') {
  // A stream of bytes may join the end of the bulk to the message behind it.
  asked.address = await transport.listen(send => data => {
    if (data.at(-1) === SMALL) return send(data[0] === SMALL ? data : data.subarray(-1))
  })
} else if (role === 'dial') {
  const { send, answered } = await tripOver(onData => transport.dial(address, onData))
  asked.bulk = async bytes => {
    const piece = new Uint8Array(PIECE).fill(LARGE)
    for (let sent = 0; sent < bytes; sent += PIECE) await send(piece)
    await answered(1)
  }
  asked.trips = async count => {
    for (let i = 0; i < count; i++) await answered(100)
  }
} else {
  asked.links = async count => {
    const links = await transport.links(address)
    for (let i = 0; i < count; i++) {
      let close = async () => {}
      const { answered } = await tripOver(async onData => {
        const link = await links.open(onData)
        close = link.close
        return link.send
      })
      await answered(100)
      await close()
    }
  }
}

/** Opens a link. `answered` sends a small message of this size, and resolves when it has come back. */
async function tripOver(open) {
  let onData = () => {}
  const send = await open(data => onData(data))
  const answered = size =>
    new Promise((resolve, reject) => {
      let missing = size
      onData = data => {
        missing -= data.byteLength
        if (missing === 0) resolve()
      }
      Promise.resolve(send(new Uint8Array(size).fill(SMALL))).catch(reject)
    })
  return { send, answered }
}

process.on('message', async ({ what, count }) => {
  const answer = asked[what]
  process.send({ answer: typeof answer === 'function' ? await answer(count) : answer })
})
process.send({ ready: true })
await once(process, 'disconnect')
process.exit()
