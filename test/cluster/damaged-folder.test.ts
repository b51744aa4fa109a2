import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PeerProcess, ProcessCluster } from './processes.ts'

/** A job that ends only when its file exists. */
const WAITS = `
import { existsSync } from 'node:fs'
export default {
  *split({ n, file }) { for (let i = 0; i < n; i++) yield { i, file } },
  async run({ i, file }) {
    while (!existsSync(file)) await new Promise(resolve => setTimeout(resolve, 20))
    return i
  },
  initial: 0,
  reduce: (sum, i) => sum + i
}`
const PEERS = [1, 2, 3]
const DAMAGED = 1
/** A place in the header of the first frame of a segment. */
const IN_FIRST_HEADER = 36

describe('a peer whose data folder is damaged', () => {
  let cluster: ProcessCluster
  let whole: string

  beforeAll(async () => {
    whole = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
    cluster = await ProcessCluster.create()
  })

  afterAll(async () => {
    await cluster.stop()
    await rm(whole, { recursive: true, force: true })
  })

  const folderOf = (n: number): string => join(cluster.home, `data ${n}`)
  const start = (n: number): PeerProcess => cluster.join(['--data-dir', folderOf(n)])
  const killAll = (): Promise<unknown> => Promise.all(cluster.live.map(peer => peer.end('SIGKILL')))

  /** Copies all but the sockets of the lock. */
  const copy = (from: string, to: string): Promise<void> =>
    cp(from, to, { recursive: true, filter: path => !basename(path).startsWith('lock.') })

  it('a peer starts with a clear message or says what to do, whichever file is damaged, and loses no job that others hold', async () => {
    const file = join(cluster.home, 'go')
    const task = join(cluster.home, 'waits.ts')
    await writeFile(task, WAITS)
    for (const n of PEERS) await start(n).ready()
    await cluster.settled()
    const ids: string[] = []
    for (const n of [10, 20]) {
      const input = JSON.stringify({ n, file, padding: 'x'.repeat(5_000) })
      const { stdout } = await cluster.run(['run', task, '--input', input, '--detach'])
      ids.push(stdout.trim())
    }
    await killAll()
    for (const n of PEERS) await copy(folderOf(n), join(whole, String(n)))
    const logs = (await readdir(join(folderOf(DAMAGED), 'log'))).map(name => join('log', name))
    const flip = async (path: string): Promise<void> => {
      const bytes = await readFile(path)
      bytes[Math.min(bytes.byteLength >> 1, IN_FIRST_HEADER)]! ^= 1
      await writeFile(path, bytes)
    }
    const cut = async (path: string): Promise<void> => truncate(path, (await readFile(path)).byteLength >> 1)
    for (const name of ['identity.key', ...logs]) {
      for (const damage of [flip, cut]) {
        for (const n of PEERS) {
          await rm(folderOf(n), { recursive: true })
          await copy(join(whole, String(n)), folderOf(n))
        }
        await damage(join(folderOf(DAMAGED), name))
        const peer = start(DAMAGED)
        const code = await Promise.race([peer.ready().then(() => 0), peer.exited.then(exit => exit.code)])
        const expected = code === 0 ? 'the data folder is damaged' : 'holds no identity: put it back from a copy'
        // The note of how far the log has come is not needed while the log is whole.
        if (name !== join('log', 'reached'))
          expect({ name, damage, code, said: peer.stderr }).toMatchObject({ said: expect.stringContaining(expected) })
        for (const n of PEERS.filter(n => n !== DAMAGED)) await start(n).ready()
        await cluster.settled()
        const { stdout } = await cluster.run(['jobs', '--json'])
        for (const id of ids) expect(stdout).toContain(id)
        await killAll()
      }
    }
    for (const n of PEERS) await start(n).ready()
    await writeFile(file, '')
    expect(await cluster.run(['result', ids[0]!])).toMatchObject({ code: 0, stdout: '45\n' })
    expect(await cluster.run(['result', ids[1]!])).toMatchObject({ code: 0, stdout: '190\n' })
  })
})
