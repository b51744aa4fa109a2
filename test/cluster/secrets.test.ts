import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeToken } from '../../src/cli/keys/token.ts'
import { generateClusterKey } from '../../src/network/cluster-key.ts'
import { type CommandResult, type PeerProcess, ProcessCluster, type RunningCommand } from './processes.ts'

/** The encodings of a key. */
function formsOf(key: string): string[] {
  const bytes = Buffer.from(key, 'base64url')
  return [key, bytes.toString('hex'), bytes.toString('base64').replace('=', ''), bytes.toString('latin1')]
}

describe.skipIf(process.platform !== 'linux')('a key, and a token that holds it,', () => {
  let cluster: ProcessCluster
  let key: string
  let token: string
  let secrets: string[]
  let byOption: PeerProcess
  let byVariable: PeerProcess
  let byToken: RunningCommand
  const told = new Map<string, string>()

  const cmdline = (pid: number): Promise<string> => readFile(`/proc/${pid}/cmdline`, 'utf8')
  const keep = (what: string, { stdout, stderr }: CommandResult): void => {
    told.set(what, stdout + stderr)
  }
  const run = async (what: string, args: string[], code = 0): Promise<string> => {
    const result = await cluster.run([...args, '--log-level', 'debug'])
    expect([what, result.code, result.code === code ? '' : result.stderr]).toEqual([what, code, ''])
    keep(what, result)
    return result.stdout
  }

  /** Checks all output so far for secrets. */
  const expectNoSecrets = (): void => {
    for (const [what, text] of told) {
      expect(text.length, what).toBeGreaterThan(0)
      for (const secret of secrets)
        expect(text.includes(secret), `a secret in what came of ${what}: ${text}`).toBe(false)
    }
  }

  beforeAll(async () => {
    cluster = await ProcessCluster.create()
    key = cluster.env.P2P_WORKER_KEY!
    const keyFile = join(cluster.home, 'lab.key')
    await writeFile(keyFile, `${key}\n`, { mode: 0o600 })
    byOption = cluster.join(['--key', key, '--log-level', 'debug'], { env: { P2P_WORKER_KEY: '' } })
    await byOption.ready()
    const address = byOption.addresses[0]!.split('/p2p/')[0]!
    token = encodeToken({ cluster: 'test', key, addresses: [address] })
    secrets = [...formsOf(key), token]
    byVariable = cluster.join(['--log-level', 'debug'], { env: { P2P_WORKER_TOKEN: token, P2P_WORKER_KEY: '' } })
    await byVariable.ready()
    await cluster.settled()
    byToken = cluster.spawnBare(
      [
        'join',
        token,
        '--json',
        '--no-mdns',
        '--listen',
        '/ip4/127.0.0.1/tcp/0',
        '--slots',
        '1',
        '--log-level',
        'debug'
      ],
      { ...cluster.env, P2P_WORKER_KEY: '' }
    )
    await byToken.until('ready', ({ stdout }) => stdout.includes('"ready"'))
  })

  afterAll(() => cluster.stop())

  it('a key does not appear in the process list of the machine', async () => {
    for (const [pid, shown] of [
      [byOption.child.pid!, '--key ***'],
      [byToken.child.pid!, 'join ***']
    ] as const) {
      const text = await cmdline(pid)
      expect(text).toContain(shown)
      expect(text).toContain('--log-level debug')
      for (const secret of secrets) expect(text).not.toContain(secret)
    }
  })

  it('a key is in no environment and no arguments of child processes', async () => {
    const task = await run('a task', ['run', 'test/cluster/tasks/tell-secrets.ts', '--json'])
    expect(task).toContain('P2P_WORKER_CLUSTER')
    // The parent of the command's shell is the process that starts commands for the peer.
    const command = 'tr "\\0" "\\n" < /proc/$PPID/environ; tr "\\0" " " < /proc/$PPID/cmdline; env; :'
    const exec = await cluster.run(['map', '--exec', command], { input: '1\n2\n3\n4\n' })
    expect(exec.stdout).toContain('P2P_WORKER_INDEX=')
    keep('map --exec', exec)
    const lead = ['lead', '--key', key, '--no-mdns', '--bootstrap', byOption.addresses[0]!, '--election-priority', '9']
    const led = await cluster.spawnBare([...lead, '--', 'sh', '-c', command], cluster.env).ended
    expect(led).toMatchObject({ code: 0, stdout: expect.stringContaining('P2P_WORKER_EPOCH=') })
    keep('lead', led)
    expectNoSecrets()
  })

  it('a key is in no output of a command, whatever fails', async () => {
    const other = generateClusterKey()
    secrets.push(...formsOf(other), other.slice(0, 40))
    const broken = join(cluster.home, 'broken.key')
    await writeFile(broken, `${key}\n${other.slice(0, 40)}\n`, { mode: 0o600 })
    const bare = { ...cluster.env, P2P_WORKER_KEY: '' }
    const bootstrap = ['--no-mdns', '--bootstrap', byOption.addresses[0]!, '--log-level', 'debug', '--wait', '4s']
    const wrong: [string, string[], number][] = [
      ['another key', ['status', '--key', other, ...bootstrap], 4],
      ['doctor with another key', ['doctor', '--key', other, '--json', ...bootstrap], 4],
      ['doctor', ['doctor', '--key', key, ...bootstrap], 0],
      ['doctor with a token', ['doctor', '--token', token, '--no-mdns'], 0],
      ['a broken file', ['status', '--key-file', broken, ...bootstrap], 2],
      ['a broken token', ['join', token.slice(0, -3)], 2],
      ['a token and a name', ['join', token, '--cluster', 'test'], 2],
      ['a token of another key', ['status', '--no-mdns', '--wait', '4s', '--token', tokenOf(other, byOption)], 4]
    ]
    secrets.push(token.slice(0, -3), tokenOf(other, byOption))
    for (const [what, args, code] of wrong) {
      const result = await cluster.spawnBare(args, bare).ended
      expect([what, result.code, result.code === code ? '' : result.stderr]).toEqual([what, code, ''])
      keep(what, result)
    }
    await run('status', ['status', '--json'])
    expectNoSecrets()
  })

  const forms = [
    { form: 'events', args: ['--json'] },
    { form: 'text', args: [] }
  ]
  it.each(forms)(
    'a key is in nothing that the join that creates it writes to a pipe, as $form',
    async ({ form, args }) => {
      const home = join(cluster.home, `new-${form}`)
      const env = { ...cluster.env, P2P_WORKER_KEY: '', HOME: home, P2P_WORKER_HOME: home }
      const joined = cluster.spawnBare(
        ['join', '--no-mdns', '--listen', '/ip4/127.0.0.1/tcp/0', '--slots', '1', ...args],
        env
      )
      await joined.until('the key', ({ stderr }) => stderr.includes('A new key for cluster test is saved in'))
      await joined.until('a leader', ({ stdout, stderr }) => /"leader"|this peer leads/.test(stdout + stderr))
      joined.child.kill('SIGTERM')
      keep(`join as ${form}`, await joined.ended)
      secrets.push(...formsOf((await readFile(join(home, 'keys', 'test.key'), 'utf8')).trim().slice(0, 43)), 'p2pw1_')
    }
  )

  it('a key is in no event and no log of a peer, including SIGHUP and leaving', async () => {
    const saved = join(cluster.home, 'keys', 'test.key')
    await writeFile(saved, `${key}\n${generateClusterKey()}\n`, { mode: 0o600 })
    byToken.child.kill('SIGHUP')
    await byToken.until('what is wrong', ({ stderr }) => stderr.includes('SIGHUP: everything stays as it was'))
    await writeFile(saved, `${key}\n# the same\n`, { mode: 0o600 })
    byToken.child.kill('SIGHUP')
    await byToken.until('nothing new', ({ stderr }) => stderr.includes('SIGHUP: nothing has changed'))
    byToken.child.kill('SIGTERM')
    keep('join', await byToken.ended)
    await Promise.all([byOption.end(), byVariable.end()])
    for (const peer of [byOption, byVariable]) told.set(peer.id, JSON.stringify(peer.events) + peer.stderr)
    expect(told.size).toBeGreaterThan(10)
    expectNoSecrets()
  })
})

function tokenOf(key: string, peer: PeerProcess): string {
  return encodeToken({ cluster: 'test', key, addresses: [peer.addresses[0]!.split('/p2p/')[0]!] })
}
