import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bareEnvironment, type Running, start } from '../process.ts'

const LOOPBACK = ['join', '--no-mdns', '--listen', '/ip4/127.0.0.1/tcp/0', '--profile', 'local']
const LIMIT_MS = 40_000

describe('join', () => {
  let home: string
  const running: Running[] = []

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  })

  afterEach(async () => {
    for (const { child } of running) child.kill('SIGKILL')
    await Promise.all(running.splice(0).map(({ finished }) => finished))
    await rm(home, { recursive: true, force: true })
  })

  function peer(args: string[], more: NodeJS.ProcessEnv = {}, endInput = true): Running {
    const started = start([...LOOPBACK, ...args], bareEnvironment(home, more), endInput)
    running.push(started)
    return started
  }

  /** Reads the first event on stdout. */
  async function ready({ child }: Running): Promise<unknown> {
    const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
    return JSON.parse(line)
  }

  it('the first event of join is `ready`, and join leaves with exit code 0 on SIGTERM', {
    timeout: LIMIT_MS
  }, async () => {
    const started = peer(['--json', '--cluster', 'lab', '--insecure'])
    expect(await ready(started)).toEqual({
      event: 'ready',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      peerId: expect.stringMatching(/^12D3KooW/),
      cluster: 'lab',
      addresses: [expect.stringMatching(/^\/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\/12D3KooW/)],
      http: null,
      httpTokenFile: null
    })
    started.child.kill('SIGTERM')
    const { code, stdout, stderr } = await started.finished
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('event')
    expect(stderr).toContain('WARNING: --insecure')
    expect(code).toBe(0)
  })

  it('join creates a missing key, prints the file of the key and the command to invite others, and reuses the key at the next start', {
    timeout: LIMIT_MS
  }, async () => {
    const first = peer(['--json'])
    await ready(first)
    first.child.kill('SIGINT')
    const { code, stderr } = await first.finished
    const file = join(home, 'keys', 'default.key')
    const saved = (await readFile(file, 'utf8')).trim()
    expect(stderr).toContain(`A new key for cluster default is saved in ${file}. \`p2p-worker invite\` prints a token`)
    // Stderr may be a log, so it must not show the token.
    expect(stderr).not.toMatch(/p2pw1_/)
    expect(stderr).not.toContain(saved)
    expect(code).toBe(0)

    const second = peer(['--json'])
    await ready(second)
    second.child.kill('SIGINT')
    expect((await second.finished).stderr).toBe('')
  })

  it('join leaves when the pipe from its parent process closes', { timeout: LIMIT_MS }, async () => {
    const started = peer(['--json', '--insecure'], { P2P_WORKER_PARENT_PIPE: '1' }, false)
    await ready(started)
    started.child.stdin!.end()
    expect((await started.finished).code).toBe(0)
  })

  it('join stays when its stdin ends, if the parent did not ask join to watch stdin', {
    timeout: LIMIT_MS
  }, async () => {
    const started = peer(['--insecure', '--json'])
    const lines = createInterface({ input: started.child.stdout! })[Symbol.asyncIterator]()
    await lines.next()
    // The leader event comes a second after the start, when stdin has ended long ago.
    expect((await lines.next()).value).toContain('leader')
    expect(started.child.exitCode).toBeNull()
  })
})
