import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeToken, encodeToken } from '../../src/cli/keys/token.ts'
import { clusterIdentity, generateClusterKey, parseClusterKey } from '../../src/network/cluster-key.ts'
import { bareEnvironment, cli, type Finished } from './process.ts'

let home: string
const run = (args: string[], more: NodeJS.ProcessEnv = {}): Promise<Finished> => cli(args, bareEnvironment(home, more))

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  await writeFile(join(home, 'broken.ts'), 'export default { run( }')
  await writeFile(join(home, 'no-run.ts'), "export default { name: 'x', split: () => [1] }")
  await writeFile(join(home, 'fine.ts'), 'export default { run: (n: number) => n }')
})

afterAll(() => rm(home, { recursive: true, force: true }))

describe('bad usage', () => {
  it.each<[string, string[], string[]]>([
    ['a misspelt command', ['jion'], ["unknown command 'jion'", 'Did you mean join?']],
    ['an unknown command', ['frobnicate'], ["unknown command 'frobnicate'", 'join, invite, priority, demo, run']],
    ['no command', [], ['Usage: p2p-worker']],
    ['a command too many to explain', ['help', 'run', 'it'], ['no command "it"']],
    ['an unknown option', ['join', '--clutser', 'x'], ["unknown option '--clutser'", 'Did you mean --cluster?']],
    ['an id that no job can have', ['result', 'a/b'], ["a job's id", '1 to 128 characters']],
    ['no job to cancel', ['cancel'], ["missing required argument 'job'"]],
    ['no job to resume', ['resume'], ["missing required argument 'job'"]],
    ['a missing argument', ['run'], ["missing required argument 'task'"]],
    ['an argument too many', ['join', 'x', 'y'], ['too many arguments']],
    ['a word that is not a token', ['join', 'x'], ['the token does not begin with p2pw1_', 'p2p-worker invite']],
    ['a token cut off', ['status', '--token', 'p2pw1_AbCdEf'], ['the token is damaged']],
    ['two tokens', ['join', 'x', '--token', 'y'], ['there are two tokens']],
    ['an allow list that is missing', ['join', '--allow', '/nowhere'], ["'--allow'", '/nowhere']],
    ['a missing key to replace', ['keygen', '--replace', '/nowhere'], ["'--replace'", '/nowhere']],
    ['a cluster name without a key to replace', ['keygen', '--cluster', 'lab'], ['--cluster means nothing without']],
    ['an option without its value', ['join', '--slots'], ["'--slots <n>' argument missing"]],
    ['an option out of range', ['join', '--slots', '0'], ['--slots <n>', 'from 1 to 4096']],
    ['too many retries', ['run', 'fine.ts', '--retries', '9999'], ['--retries <n>', 'from 0 to 1000']],
    ['a payload that cannot travel', ['join', '--max-payload-mb', '512'], ['--max-payload-mb <n>', 'from 1 to 511']],
    ['a heap that is too small to start', ['join', '--max-heap-mb', '15'], ['--max-heap-mb <n>', 'from 16 to']],
    ['an unknown limit', ['join', '--limit', 'speed=1'], ['--limit <name=value>', '"speed" is no limit', 'jobs']],
    ['a limit out of range', ['join', '--limit', 'jobs=0'], ['--limit <name=value>', 'jobs', 'from 1 to']],
    ['a limit without a value', ['lead', '--limit', 'jobs', '--', 'true'], ['--limit <name=value>', 'NAME=VALUE']],
    ['an unknown role', ['join', '--role', 'boss'], ['--role <role>', 'auto, leader, worker']],
    ['a misspelt role', ['join', '--role', 'wroker'], ['--role <role>', 'Did you mean worker?']],
    ['a misspelt profile', ['join', '--profile', 'LAN'], ['--profile <name>', 'Did you mean lan?']],
    ['a misspelt command to explain', ['help', 'joim'], ['no command "joim"', 'Did you mean join?']],
    [
      'an unknown command to explain',
      ['help', 'frobnicate'],
      ['no command "frobnicate"', 'join, invite, priority, demo']
    ],
    ['a misspelt shell', ['completion', 'fihs'], ["'shell'", 'Did you mean fish?']],
    ['no shell to complete in', ['completion'], ["missing required argument 'shell'"]],
    ['a malformed duration', ['status', '--wait', 'soon'], ['--wait <time>', '10s']],
    ['a malformed tag', ['join', '--tag', 'gpu'], ['--tag <key=value>', 'KEY=VALUE']],
    ['a priority out of range', ['run', 'fine.ts', '--priority', '101'], ['--priority <n>', 'from -100 to 100']],
    ['a result kept for too long', ['run', 'fine.ts', '--keep', '169h'], ['--keep <time>', 'at most 168h']],
    ['no time for a chunk', ['run', 'fine.ts', '--chunk-timeout', '0'], ['--chunk-timeout <time>', 'at least 1ms']],
    ['a malformed required tag', ['run', 'fine.ts', '--requires', 'gpu'], ['--requires <key=value>', 'KEY=VALUE']],
    ['a malformed multiaddr', ['join', '--bootstrap', 'lab:4001'], ['--bootstrap', 'lab:4001', '/tcp/4001']],
    ['a multiaddr without a port', ['join', '--listen', '/ip4/1.2.3.4'], ['--listen', '/ip4/1.2.3.4']],
    ['a bootstrap address for a client', ['status', '--bootstrap', 'x'], ['--bootstrap']],
    ['input that is not JSON', ['run', 'fine.ts', '--input', '{class:W}'], ['--input <json>', 'not JSON']],
    ['two inputs', ['run', 'fine.ts', '--input', '1', '--input-file', 'x'], ['--input and --input-file']],
    ['an input file that is missing', ['run', 'fine.ts', '--input-file', '/nowhere'], ['--input-file', '/nowhere']],
    ['more disks than a job may ask for', ['run', 'fine.ts', '--durable', '17'], ['--durable <n>', '16']],
    ['an output file for a detached job', ['run', 'fine.ts', '--detach', '--output', 'x'], ['--detach', '--output']],
    ['an output that cannot be written', ['run', 'fine.ts', '--output', '/nowhere/x'], ['--output', '/nowhere']],
    ['a file of voters that is missing', ['join', '--voters', '/nowhere'], ['--voters <list>', '/nowhere']],
    [
      'a strategy that does not exist',
      ['join', '--election', 'bullyy'],
      ['--election <strategy>', 'bully, lowest, ring', 'mean bully']
    ],
    [
      'a store that does not exist',
      ['join', '--election', 'redis:host'],
      ['--election <strategy>', 'no store "redis"', 'etcd:URL']
    ],
    [
      'an address that is none',
      ['join', '--election', 'etcd:ftp://host'],
      ['--election <strategy>', 'no address of etcd']
    ],
    [
      'a malformed address of PostgreSQL',
      ['join', '--election', 'postgres:host'],
      ['--election <strategy>', 'no URL of PostgreSQL']
    ],
    ['two keys', ['join', '--key', 'x', '--insecure'], ['--key and --insecure contradict each other']],
    ['a malformed key', ['join', '--key', 'tooshort'], ['43 characters']],
    ['a cluster name with a slash', ['join', '--cluster', 'a/b'], ['--cluster <name>', '1 to 63 characters']],
    ['no command of schedule', ['schedule'], ['Usage: p2p-worker schedule', 'pause']],
    ['a misspelt command of schedule', ['schedule', 'pasue', 'x'], ["unknown command 'pasue'", 'Did you mean pause?']],
    [
      'an unknown command of schedule',
      ['schedule', 'frobnicate'],
      ["unknown command 'frobnicate'", 'commands are add, list, remove, pause, resume, run']
    ],
    ['a schedule without a task', ['schedule', 'add', 'x', '0 3 * * *'], ["missing required argument 'task'"]],
    ['a cron expression without quotes', ['schedule', 'add', 'x', ...'0 3 1 1 1 fine.ts'.split(' ')], ['too many arg']],
    ['a name that no schedule can have', ['schedule', 'add', 'a@b', '* * * * *', 'fine.ts'], ['A-Z a-z 0-9 . _ -']],
    [
      'a misspelt policy',
      ['schedule', 'add', 'x', '* * * * *', 'fine.ts', '--overlap', 'queu'],
      ['--overlap <policy>', 'Did you mean queue?']
    ],
    [
      'too many jobs to catch up',
      ['schedule', 'add', 'x', '* * * * *', 'fine.ts', '--catch-up', '1001'],
      ['--catch-up <n>', 'from 1 to 1000']
    ],
    [
      'too much jitter',
      ['schedule', 'add', 'x', '* * * * *', 'fine.ts', '--jitter', '25h'],
      ['--jitter <time>', 'at most 24h']
    ],
    [
      'a cron expression that is wrong',
      ['schedule', 'add', 'x', '0 25 * * *', 'fine.ts', '--wait', '0'],
      ['the cron expression', '0 25 * * *']
    ],
    [
      'a cron expression that is never due',
      ['schedule', 'add', 'x', '0 0 30 2 *', 'fine.ts', '--wait', '0'],
      ['never due', '0 0 30 2 *']
    ],
    [
      'an unknown time zone',
      ['schedule', 'add', 'x', '0 3 * * *', 'fine.ts', '--time-zone', 'Europe/Berln', '--wait', '0'],
      ['time zone', 'Europe/Berln']
    ],
    ['a job in the past', ['run', 'fine.ts', '--at', '2020-01-01T03:00Z'], ['--at <time>', 'has passed']],
    ['a day that does not exist', ['run', 'fine.ts', '--at', '2031-02-30T03:00'], ['--at <time>', '2030-11-28T03:00Z']],
    ['no time of day', ['run', 'fine.ts', '--at', '2031-02-28'], ['--at <time>', 'a date and time']],
    ['no delay', ['run', 'fine.ts', '--in', '0'], ['--in <time>', 'at least 1s']],
    ['two times for a job', ['run', 'fine.ts', '--in', '9s', '--at', '2099-01-01T00:00'], ['--at and --in contradict']],
    ['an output file for a later job', ['run', 'fine.ts', '--in', '9s', '--output', 'x'], ['--in and --output']],
    ['a later job without a cluster', ['run', 'fine.ts', '--local', '--in', '9s'], ['--in needs a cluster']],
    ['too many peers for the demo', ['demo', '--peers', '1000'], ['--peers <n>', 'from 2 to 20']]
  ])('%s ends with exit code 2 and a message', async (_, args, said) => {
    const { code, stdout, stderr } = await run(args)
    for (const words of said) expect(stderr).toContain(words)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  it('the error names the environment variable that a bad value came from', async () => {
    const { code, stderr } = await run(['join'], { P2P_WORKER_SLOTS: 'many' })
    expect(stderr).toContain("'many' from env 'P2P_WORKER_SLOTS'")
    expect(code).toBe(2)
  })

  it('join refuses an unknown value of an environment variable that switches a flag', async () => {
    const { code, stderr } = await run(['join'], { P2P_WORKER_INSECURE: 'maybe' })
    expect(stderr).toContain('P2P_WORKER_INSECURE must be 1 or 0')
    expect(code).toBe(2)
  })

  it('error messages never contain a key or a token from the command line', async () => {
    const key = generateClusterKey()
    const token = encodeToken({ cluster: 'lab', key, addresses: [] })
    const wrong = [
      ['join', '--key', 'sesame!'],
      ['join', `--kye=${key}`],
      [token],
      ['join', token, '--cluster', 'lab'],
      ['join', `${token}x`],
      ['status', '--bootstrap', token],
      ['status', '--token', token.slice(0, -2)]
    ]
    for (const args of wrong) {
      const { code, stderr } = await run(args)
      expect(code, String(args)).toBe(2)
      for (const secret of ['sesame!', key, token.slice(0, -2)]) expect(stderr).not.toContain(secret)
    }
  })
})

describe('a task is checked before the search for a cluster', () => {
  // Without a key, the search for a cluster fails with exit code 3. Exit code 2 shows that the command checked the task
  // first.
  it.each<[string, string, string]>([
    ['is missing', 'none.ts', 'none.ts'],
    ['does not compile', 'broken.ts', 'broken.ts:1'],
    ['lacks run', 'no-run.ts', 'run']
  ])('a task that %s ends with exit code 2', async (_, task, said) => {
    const { code, stderr } = await run(['run', join(home, task), '--wait', '0'])
    expect(stderr).toContain(said)
    expect(code).toBe(2)
  })

  it('with --json, run reports a bad task as JSON on stdout', async () => {
    const { code, stdout } = await run(['run', join(home, 'none.ts'), '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      jobId: null,
      state: null,
      result: null,
      error: { name: 'TaskLoadError' }
    })
    expect(code).toBe(2)
  })
})

describe('the rest of the command line', () => {
  it('keygen prints a key and nothing else', async () => {
    const { code, stdout, stderr } = await run(['keygen'])
    expect(stdout).toMatch(/^[A-Za-z0-9_-]{43}\n$/)
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  it('keygen --replace prints a new key for the cluster of the first key in a file', async () => {
    const file = join(home, 'lab.key')
    const old = generateClusterKey()
    await writeFile(file, `${old}\n`, { mode: 0o600 })
    const { code, stdout, stderr } = await run(['keygen', '--replace', file, '--cluster', 'lab'])
    expect(stderr).toBe(`A key for cluster lab, to take the place of the first in ${file}:\n`)
    await rm(file)
    expect(code).toBe(0)
    const ids = [old, stdout.trim()].map(key => clusterIdentity('lab', parseClusterKey(key)).clusterId)
    expect(ids[1]).toBe(ids[0])
  })

  it('invite prints a token with the given addresses, and does not look for a peer', async () => {
    const key = generateClusterKey()
    const args = ['invite', '--offline', '--cluster', 'lab', '--bootstrap', '/dns4/seed/tcp/4001']
    const { code, stdout } = await run(args, { P2P_WORKER_KEY: key })
    expect(decodeToken(stdout)).toEqual({ cluster: 'lab', key, addresses: ['/dns4/seed/tcp/4001'] })
    expect(code).toBe(0)
    const open = await run(['invite', '--offline', '--insecure', '--json'])
    expect(open.stderr).toContain('has no key')
    expect(JSON.parse(open.stdout)).toEqual({
      token: expect.stringMatching(/^p2pw1_/),
      cluster: 'default',
      insecure: true,
      addresses: []
    })
  })

  it('`--version` prints the version', async () => {
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/) })
  })

  it.each(['join', 'run', 'schedule add', 'status', 'jobs', 'result', 'cancel', 'members', 'invite', 'keygen', 'demo'])(
    'the help of %s shows an example',
    async command => {
      const { code, stdout } = await run([...command.split(' '), '--help'])
      expect(stdout).toContain(`$ p2p-worker ${command}`)
      expect(code).toBe(0)
    }
  )

  it('every option has an environment variable', async () => {
    for (const command of [
      'join',
      'run',
      'status',
      'jobs',
      'result',
      'cancel',
      'members',
      'invite',
      'keygen',
      'demo'
    ]) {
      const { stdout } = await run([command, '--help'])
      const options = stdout.match(/^ {2}--[a-z-]+/gm) ?? []
      expect(options.length).toBeGreaterThan(1)
      const text = stdout.replace(/\s+/g, ' ')
      for (const name of options) {
        expect(text).toContain(`P2P_WORKER_${name.trim().slice(2).toUpperCase().replaceAll('-', '_')}`)
      }
    }
  })

  it('status without a key ends with exit code 3 and suggests join', async () => {
    const { code, stderr } = await run(['status', '--wait', '100ms'])
    expect(stderr).toContain('p2p-worker join')
    expect(code).toBe(3)
  })

  it('status reads its options from the environment, and ignores empty variables', async () => {
    const { code, stderr } = await run(['status'], {
      P2P_WORKER_WAIT: '50ms',
      P2P_WORKER_KEY: '',
      P2P_WORKER_CLUSTER: 'lab'
    })
    expect(stderr).toContain('no cluster lab')
    expect(stderr).toContain('0.05 s')
    expect(code).toBe(3)
  })

  it('commands that only read leave no file in the home folder', async () => {
    expect((await readdir(home)).sort()).toEqual(['broken.ts', 'fine.ts', 'no-run.ts'])
  })
})
