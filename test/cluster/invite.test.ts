import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeToken } from '../../src/cli/keys/token.ts'
import { generateClusterKey, replacementKey } from '../../src/network/cluster-key.ts'
import { type PeerProcess, ProcessCluster } from './processes.ts'

describe('a token', () => {
  let cluster: ProcessCluster
  let token: string
  let key: string

  beforeAll(async () => {
    cluster = await ProcessCluster.start(2)
    await cluster.settled()
    key = cluster.env.P2P_WORKER_KEY!
    const { code, stdout, stderr } = await cluster.run(['invite'])
    expect({ code, lines: stdout.split('\n').length }).toEqual({ code: 0, lines: 2 })
    expect(stderr).toContain('all known addresses are on this machine only')
    token = stdout.trim()
  })

  afterAll(() => cluster.stop())

  /** Returns the environment of a simulated machine, which knows nothing of the cluster. */
  const machine = async (name: string): Promise<NodeJS.ProcessEnv> => {
    const home = join(cluster.home, name)
    await mkdir(home)
    const { P2P_WORKER_KEY: _, P2P_WORKER_CLUSTER: __, ...env } = cluster.env
    return { ...env, HOME: home, P2P_WORKER_HOME: home }
  }
  const joinBy = (args: string[], env: NodeJS.ProcessEnv) =>
    cluster.spawnBare(['join', ...args, '--no-mdns', '--listen', '/ip4/127.0.0.1/tcp/0', '--slots', '1', '--json'], env)
  const saved = (env: NodeJS.ProcessEnv, name = 'test.key') => join(env.P2P_WORKER_HOME!, 'keys', name)
  const meets = (member: PeerProcess) => (output: { stdout: string }) =>
    output.stdout.includes(`"peerId":"${member.id}","state":"alive"`)

  it('a token contains the name of the cluster, the key, and an address of each peer', () => {
    const addresses = cluster.peers.map(peer => peer.addresses[0]!.split('/p2p/')[0])
    expect(decodeToken(token)).toMatchObject({ cluster: 'test', key })
    expect(new Set(decodeToken(token).addresses)).toEqual(new Set(addresses))
  })

  it('a machine can join with a token, and saves the key for later commands', async () => {
    const env = await machine('b')
    const joined = joinBy([token], env)
    await joined.until('the cluster', meets(cluster.peers[0]!))
    expect(await readFile(saved(env), 'utf8')).toBe(`${key}\n`)
    expect((await stat(saved(env))).mode & 0o777).toBe(0o600)
    const bootstrap = cluster.peers[0]!.addresses[0]!
    const status = ['status', '--cluster', 'test', '--no-mdns', '--bootstrap', bootstrap]
    expect(await cluster.spawnBare(status, env).ended).toMatchObject({ code: 0 })
    joined.child.kill('SIGTERM')
    const { code, stderr } = await joined.ended
    expect({ code, lines: stderr.trim().split('\n') }).toEqual({
      code: 0,
      lines: [expect.stringContaining(`key is saved in ${saved(env)}`)]
    })
    const again = joinBy(['--cluster', 'test', '--bootstrap', bootstrap], env)
    await again.until('the cluster', meets(cluster.peers[0]!))
    again.child.kill('SIGTERM')
    expect(await again.ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('clients and `p2p-worker lead` accept a token as an option or an environment variable', async () => {
    const env = await machine('c')
    const client = await cluster.spawnBare(['status', '--no-mdns', '--token', token], env).ended
    expect(client).toMatchObject({ code: 0, stdout: expect.stringContaining('test') })
    expect(await readdir(env.P2P_WORKER_HOME!)).toEqual([])
    const variable = { ...env, P2P_WORKER_TOKEN: token, P2P_WORKER_NO_MDNS: '1' }
    const leading = [
      'lead',
      '--listen',
      '/ip4/127.0.0.1/tcp/0',
      '--election-priority',
      '9',
      '--',
      'sh',
      '-c',
      'echo up; env'
    ]
    const led = await cluster.spawnBare(leading, variable).ended
    expect(led).toMatchObject({ code: 0, stdout: expect.stringContaining('up\n') })
    expect(led.stdout).not.toContain(token)
  })

  it('a join with a token replaces the saved key of another cluster with the same name, keeps a copy of the old key, and reports the change', async () => {
    const env = await machine('d')
    await mkdir(join(env.P2P_WORKER_HOME!, 'keys'))
    const other = generateClusterKey()
    await writeFile(saved(env), `${other}\n`, { mode: 0o600 })
    const joined = joinBy([token], env)
    await joined.until('the cluster', meets(cluster.peers[0]!))
    joined.child.kill('SIGTERM')
    expect((await joined.ended).stderr).toContain(saved(env, 'test.key.old'))
    expect(await readFile(saved(env), 'utf8')).toBe(`${key}\n`)
    expect(await readFile(saved(env, 'test.key.old'), 'utf8')).toBe(`${other}\n`)
  })

  it('if another key of the same cluster is saved, a join with a token keeps that key, works, and warns that the key of the token is not saved', async () => {
    const env = await machine('f')
    await mkdir(join(env.P2P_WORKER_HOME!, 'keys'))
    const next = replacementKey('test', key)
    await writeFile(saved(env), `${next}\n`, { mode: 0o600 })
    const joined = joinBy([token], env)
    await joined.until('the cluster', meets(cluster.peers[0]!))
    joined.child.kill('SIGTERM')
    const { stderr } = await joined.ended
    expect(stderr).toContain(`not among those saved in ${saved(env)}`)
    expect(await readFile(saved(env), 'utf8')).toBe(`${next}\n`)
  })

  it('a token of a cluster without a key requires --insecure', async () => {
    const env = await machine('e')
    const open = joinBy(['--insecure', '--cluster', 'open'], env)
    await open.until('ready', ({ stdout }) => stdout.includes('"ready"'))
    const [, address] = /"addresses":\["([^"]+)"/.exec(open.stdout)!
    const invited = ['invite', '--no-mdns', '--insecure', '--cluster', 'open', '--bootstrap', address!]
    const { stdout, stderr } = await cluster.spawnBare(invited, env).ended
    expect(stderr).toContain('has no key')
    expect(decodeToken(stdout)).toMatchObject({ cluster: 'open', key: undefined })
    const refused = await cluster.spawnBare(['join', stdout.trim()], env).ended
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('add --insecure') })
    const status = await cluster.spawnBare(['status', '--insecure', '--no-mdns', '--token', stdout.trim()], env).ended
    expect(status).toMatchObject({ code: 0 })
  })
})
