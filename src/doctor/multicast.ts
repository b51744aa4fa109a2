/** Checks that this machine can send to, and receive from, the multicast group of mDNS (RFC 6762 §3). */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

const GROUP = '224.0.0.251'
const PORT = 5353
/** The number of mDNS queries, and the time to wait for each query, in ms. */
const TRIES = 3
const TRY_MS = 300

/**
 * Sends the multicast group a query for a name that does not exist, and waits until the same query arrives here. The
 * check does not show whether the network forwards the query to other machines.
 *
 * @returns undefined when the query arrived, otherwise the reason
 * @throws the signal's reason
 */
export async function multicastProblem(signal: AbortSignal): Promise<string | undefined> {
  const interfaces = Object.values(networkInterfaces()).map(
    addresses => (addresses ?? []).filter(({ family }) => family === 'IPv4')[0]
  )
  const joined = interfaces.flatMap(found => found ?? [])
  if (joined.length === 0) return 'this machine has no IPv4 address'
  // If this machine has an external interface, the routing table chooses the interface.
  const from = joined.some(({ internal }) => !internal) ? '0.0.0.0' : '127.0.0.1'
  const question = query(`${randomBytes(8).toString('hex')}.p2p-worker-doctor.local`)
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  let heard = false
  socket.on('message', message => {
    heard ||= message.equals(question)
  })
  try {
    socket.bind(PORT)
    await once(socket, 'listening', { signal })
    socket.on('error', () => {})
    for (const { address } of joined) socket.addMembership(GROUP, address)
    socket.setMulticastInterface(from)
    for (let i = 0; i < TRIES && !heard; i++) {
      await new Promise<void>((resolve, reject) =>
        socket.send(question, PORT, GROUP, error => (error === null ? resolve() : reject(error)))
      )
      await delay(TRY_MS, undefined, { signal })
    }
    return heard ? undefined : `what was sent to the group ${GROUP} was not heard, not even here`
  } catch (error) {
    signal.throwIfAborted()
    return (error as Error).message
  } finally {
    socket.close()
  }
}

/** Returns an mDNS query for a pointer record (RFC 1035 §4.1). */
function query(name: string): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
  const labels = name.split('.').map(label => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  const [PTR, IN] = [12, 1]
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, PTR, 0, IN])])
}
