import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { httpAddress } from '../../src/cli/peers/http.ts'
import { type PeerEvent, type PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import { Reader } from './events.ts'
import { ask } from './served.ts'

interface ReadyEvent extends PeerEvent {
  http: string | null
  httpTokenFile: string | null
}

function ready(peer: PeerProcess): ReadyEvent {
  return peer.events.find(({ event }) => event === 'ready') as ReadyEvent
}

describe('--http', () => {
  it.each([
    ['8080', { port: 8080 }],
    ['0', { port: 0 }],
    ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
    ['[::1]:80', { host: '::1', port: 80 }],
    ['my-host.lan:65535', { host: 'my-host.lan', port: 65_535 }]
  ])('--http accepts %s', (text, address) => {
    expect(httpAddress(text)).toEqual(address)
  })

  it.each(['', ':', ':80', '65536', '-1', 'x', '::1:80', '[::1]', '[x]:80', '1.2.3.4', 'a:b:80', 'http://x:80', '80/'])(
    '--http refuses the address %j',
    text => {
      expect(() => httpAddress(text)).toThrow(/port from 0/)
    }
  )
})

describe('join --http', () => {
  let cluster: ProcessCluster

  afterEach(() => cluster.stop())

  it('`join --http` prints its URL and the path of a token file that only the owner can read, and removes the file at the end', async () => {
    cluster = await ProcessCluster.start(1, ['--http', '0'])
    const [peer] = cluster.peers as [PeerProcess]
    const { http, httpTokenFile } = ready(peer)
    expect(http).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(httpTokenFile).toBe(join(cluster.home, 'http', `${peer.id}.token`))
    expect((await stat(httpTokenFile!)).mode & 0o777).toBe(0o600)
    expect((await stat(join(cluster.home, 'http'))).mode & 0o777).toBe(0o700)
    await peer.follows(peer.id)
    const token = (await readFile(httpTokenFile!, 'utf8')).trim()
    expect((await ask(http!, '/api/jobs', { token })).json).toEqual([])
    const { json } = await ask(http!, '/api/status')
    const printed = await cluster.run(['status', '--json'])
    expect({ ...json, leaderlessMs: 0 }).toEqual({ ...JSON.parse(printed.stdout), leaderlessMs: 0 })
    expect((await ask(http!, '/metrics')).text).toMatch(/^libp2p_/m)

    const reader = new Reader(http!)
    await reader.until(() => expect(reader.of('status')).toHaveLength(1))
    expect(await peer.end('SIGTERM')).toEqual({ code: 0, signal: null })
    await reader.until(() => expect(reader.ended).toBe(true))
    expect(await readdir(join(cluster.home, 'http'))).toEqual([])
    expect(peer.stderr).not.toContain(token)
  })

  it('`join --http` keeps its token in the data folder, and refuses a token file that other users can read', async () => {
    cluster = await ProcessCluster.create()
    const folder = join(cluster.home, 'peer')
    const args = ['--http', '0', '--data-dir', folder]
    const tokens: string[] = []
    for (let run = 0; run < 2; run++) {
      const peer = cluster.joinAlone(args)
      await peer.ready()
      expect(ready(peer).httpTokenFile).toBe(join(folder, 'http-token'))
      tokens.push(await readFile(join(folder, 'http-token'), 'utf8'))
      await peer.end()
    }
    expect(tokens[1]).toBe(tokens[0])
    await writeFile(join(folder, 'http-token'), tokens[0]!)
    await chmod(join(folder, 'http-token'), 0o644)
    const refused = cluster.joinAlone(args)
    expect(await refused.exited).toEqual({ code: 2, signal: null })
    expect(refused.stderr).toContain('other users of this machine can open it')
    expect(refused.events).toEqual([])
  })

  it('`join --http` exits before it joins the cluster if the port is taken, or an address or a host name is invalid', async () => {
    cluster = await ProcessCluster.create()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const taken = cluster.joinAlone(['--http', String(port)])
    expect(await taken.exited).toEqual({ code: 1, signal: null })
    expect(taken.stderr).toContain(`cannot use port ${port} of 127.0.0.1: another process uses it`)
    other.close()
    for (const address of ['192.0.2.1:0', 'x', '99999']) {
      const wrong = cluster.joinAlone(['--http', address])
      expect(await wrong.exited).toEqual({ code: 2, signal: null })
      expect(wrong.events).toEqual([])
    }
    const lonely = cluster.joinAlone(['--http-allowed-host', 'x'])
    expect(await lonely.exited).toEqual({ code: 2, signal: null })
    const noName = cluster.joinAlone(['--http', '0', '--http-allowed-host', 'http://peer.example'])
    expect(await noName.exited).toEqual({ code: 2, signal: null })
    expect(noName.stderr).toContain('an allowed host must be a name')
    expect(noName.events).toEqual([])
    await mkdir(join(cluster.home, 'http'), { recursive: true })
    expect(await readdir(join(cluster.home, 'http'))).toEqual([])
  })

  it('`join --http` warns of a public address, and prints a command that uses the token without printing the token', async () => {
    cluster = await ProcessCluster.create()
    const command = cluster.spawn([
      ...['join', '--listen', '/ip4/127.0.0.1/tcp/0', '--http', '0.0.0.0:0', '--http-allowed-host', 'peer.example']
    ])
    await command.until('where it is', ({ stderr }) => /jobs: .*curl/.test(stderr))
    expect(command.stderr).toMatch(
      /warning: --http: anyone who reaches port \d+ on any address of this machine may see/
    )
    const [, line = ''] = /jobs: (.*curl .*)$/m.exec(command.stderr) ?? []
    const [file = ''] = await readdir(join(cluster.home, 'http'))
    const token = (await readFile(join(cluster.home, 'http', file), 'utf8')).trim()
    // A shell function replaces curl and prints the arguments and the stdin. Other users can see arguments, so the token must be in stdin.
    const curl = `curl() { printf '%s\\n' "$@"; cat; }; ${line}`
    const { stdout } = await promisify(execFile)('bash', ['-c', curl])
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(command.stderr) ?? []
    expect(stdout.trim().split('\n')).toEqual(['-H', '@-', `${url}/api/jobs`, `Authorization: Bearer ${token}`])
    await expect.poll(async () => (await ask(url, '/api/jobs', { token })).json).toEqual([])
    expect((await ask(url, '/healthz', { headers: { Host: 'peer.example' } })).status).toBe(200)
    command.child.kill('SIGINT')
    const { code, stdout: out, stderr } = await command.ended
    expect(code).toBe(0)
    expect(out + stderr).not.toContain(token)
  })

  it('`lead` accepts --http', async () => {
    cluster = await ProcessCluster.create()
    const args = ['lead', '--listen', '/ip4/127.0.0.1/tcp/0', '--no-mdns', '--http', '0', '--', 'sleep', '60']
    const command = cluster.spawnBare(args, cluster.env)
    await command.until('that it leads', ({ stderr }) => /this peer leads.*begins/.test(stderr))
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(command.stderr) ?? []
    expect((await ask(url, '/readyz')).json.status).toBe('ready')
    command.child.kill('SIGTERM')
    expect((await command.ended).code).toBe(130)
    expect(await readdir(join(cluster.home, 'http'))).toEqual([])
  })

  it('`join` without --http has a null URL in its ready event', async () => {
    cluster = await ProcessCluster.start(1)
    expect(ready(cluster.peers[0]!)).toMatchObject({ http: null, httpTokenFile: null })
  })
})
