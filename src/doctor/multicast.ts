/** Whether this machine can send to, and hear, the group that mDNS uses (RFC 6762 §3). */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { networkInterfaces } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

const GROUP = '224.0.0.251'
const PORT = 5353
/** How often the question is asked, and how long each is waited for, in ms. */
const TRIES = 3
const TRY_MS = 300

/** Whether this machine hears what it sends to the group, by any of its addresses. Undefined: it does; else why not. */
export async function multicastProblem(signal: AbortSignal): Promise<string | undefined> {
  const addresses = Object.values(networkInterfaces())
    .flatMap(each => each ?? [])
    .filter(({ family }) => family === 'IPv4')
  let problem = 'it has no IPv4 address'
  for (const { address } of addresses) {
    const found = await problemOf(address, signal)
    if (found === undefined) return undefined
    problem = found
  }
  return problem
}

/** Asks the group, from this address, for a name that nobody has, and listens for the question. */
async function problemOf(address: string, signal: AbortSignal): Promise<string | undefined> {
  const question = query(`${randomBytes(8).toString('hex')}.p2p-worker-doctor.local`)
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  try {
    const heard = new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.on('message', message => {
        if (message.equals(question)) resolve()
      })
    })
    heard.catch(() => {})
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.bind(PORT, () => resolve())
    })
    socket.addMembership(GROUP, address)
    socket.setMulticastInterface(address)
    for (let i = 0; i < TRIES; i++) {
      await new Promise<void>((resolve, reject) =>
        socket.send(question, PORT, GROUP, error => (error === null ? resolve() : reject(error)))
      )
      const late = delay(TRY_MS, true, { signal })
      if ((await Promise.race([heard, late])) !== true) return undefined
    }
    return `what ${address} sent to the group ${GROUP} was not heard, not even here`
  } catch (error) {
    signal.throwIfAborted()
    return (error as Error).message
  } finally {
    socket.close()
  }
}

/** A question for a pointer record (RFC 1035 §4.1). */
function query(name: string): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
  const labels = name.split('.').map(label => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  const [PTR, IN] = [12, 1]
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, PTR, 0, IN])])
}
