/** Measures a stream that echoes large items, compared with a bare relay over the same hops. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { withRelay } from './relay.ts'
import { withTrio } from './trio.ts'

const ITEM_BYTES = 4 * 2 ** 20
/** The number of warm-up items. */
const WARM = 16

export interface Bulk {
  mebibytes: number
  /** The times in ms, one for each run. */
  map: number[]
  relay: number[]
  /** The peak resident memory of the client, the leader and the workers, in MB. */
  peaks: number[]
  right: boolean
}

export async function bulk(items: number, runs: number, tell: (run: number, found: Bulk) => void): Promise<Bulk> {
  const content = new Uint8Array(ITEM_BYTES)
  for (let at = 0; at < ITEM_BYTES; at += 65_536) crypto.getRandomValues(content.subarray(at, at + 65_536))
  const expected = digestOf(stamped(content, items))
  const found: Bulk = { mebibytes: (items * ITEM_BYTES) / 2 ** 20, map: [], relay: [], peaks: [], right: true }
  for (let run = 1; run <= runs; run++) {
    await withTrio(async (client, cluster) => {
      const echo = async (count: number): Promise<string> => {
        const hash = createHash('sha256')
        for await (const item of client.map(stamped(content, count), (bytes: Uint8Array) => bytes)) hash.update(item)
        return hash.digest('hex')
      }
      await echo(WARM)
      const began = performance.now()
      found.right &&= (await echo(items)) === expected
      found.map.push(performance.now() - began)
      const pids = [process.pid, ...cluster.peers.map(({ child }) => child.pid!)]
      for (const [i, pid] of pids.entries()) found.peaks[i] = Math.max(found.peaks[i] ?? 0, await mostResident(pid))
    })
    await withRelay(async send => {
      await send(stamped(content, WARM), () => {})
      const hash = createHash('sha256')
      const began = performance.now()
      await send(stamped(content, items), item => hash.update(item))
      found.relay.push(performance.now() - began)
      found.right &&= hash.digest('hex') === expected
    })
    tell(run, found)
  }
  return found
}

/** Yields items that differ in their first four bytes. */
function* stamped(content: Uint8Array, count: number): Generator<Uint8Array> {
  for (let i = 0; i < count; i++) {
    const item = content.slice()
    new DataView(item.buffer).setUint32(0, i)
    yield item
  }
}

function digestOf(items: Iterable<Uint8Array>): string {
  const hash = createHash('sha256')
  for (const item of items) hash.update(item)
  return hash.digest('hex')
}

async function mostResident(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number(/^VmHWM:\s+(\d+) kB/m.exec(status)![1]) * 1_024) / 1e6
}
