import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstPid } from './first-pid.ts'
import { ProcessCluster, root } from './processes.ts'

const SEVENS = 'test/cluster/tasks/sevens.ts'

describe('map, line by line,', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.start(4)
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  it('map computes the collatz example, and prints values other than strings as JSON', async () => {
    const { stdout } = await cluster.run(['map', 'examples/collatz.ts'], { input: '1\n2\n27' })
    expect(stdout).toBe('1 0\n2 1\n27 111\n')
    expect((await cluster.run(['map', 'test/cluster/tasks/objects.ts'], { input: 'a\n' })).stdout).toBe(
      '{"line":"a"}\n'
    )
  })

  it('map prints the output of a task on stderr', async () => {
    const { code, stdout, stderr } = await cluster.run(['map', SEVENS], { input: '7\nlog\n' })
    expect(code).toBe(0)
    expect(stdout).toBe('seven\nlog\n')
    expect(stderr).toContain('seen')
  })

  it('map ends with the failing line, and names that line', async () => {
    const { code, stdout, stderr } = await cluster.run(['map', SEVENS], { input: '7\nother\nfail\n' })
    expect(code).toBe(1)
    // A different peer may compute the lines before the failing line, so the output of these lines may be incomplete.
    expect('seven\nother\n'.startsWith(stdout)).toBe(true)
    expect(stderr).toContain('this line fails')
    expect(stderr).toContain('run, chunk 2')
  })

  it('when the reader closes the pipe, map ends and its job ends at all peers', async () => {
    const { env } = cluster
    const bootstrap = cluster.live[0]!.addresses[0]!
    const main = join(root, 'dist/cli/main.js')
    const script = `yes | node ${main} map ${SEVENS} --no-mdns --bootstrap ${bootstrap} | head -2; echo ended`
    expect(execFileSync('sh', ['-c', script], { env: { ...process.env, ...env }, cwd: root }).toString()).toBe(
      'y\ny\nended\n'
    )
    const { jobs } = JSON.parse((await cluster.run(['status', '--json'])).stdout) as { jobs: { state: string }[] }
    expect(jobs.filter(({ state }) => state === 'running')).toEqual([])
  })

  it('map runs any command for each line, and prints the output of each command as a whole', async () => {
    const { code, stdout, stderr } = await cluster.run(
      ['map', '--exec', 'echo {}; echo err {} >&2; sleep 0.0$(($$ % 5)); echo end'],
      { input: "a b\n\nit's\nplain" }
    )
    expect(code).toBe(0)
    expect(stdout).toBe("a b\nend\n\nend\nit's\nend\nplain\nend\n")
    for (const line of ['err a b', "err it's", 'err plain']) expect(stderr).toContain(line)
  })

  it('map passes the line number to a command, and continues after lines that no command can take', async () => {
    const { code, stdout, stderr } = await cluster.run(
      ['map', '--exec', 'echo "$P2P_WORKER_INDEX"; true', '--keep-going'],
      { input: `a\nb\0b\n${'x'.repeat(200_000)}\nd\n` }
    )
    expect(code).toBe(1)
    expect(stdout).toBe('0\n3\n')
    expect(stderr).toContain('a command cannot hold a NUL character')
    expect(stderr).toContain('the command is longer than the system takes')
    expect(stderr).toContain('2 commands failed')
  })

  it('map ends at the first failing command, or continues with --keep-going', async () => {
    const input = '1\n2\n3\n4\n'
    const command = 'test {} != 2 && echo {}'
    const first = await cluster.run(['map', '--exec', command], { input })
    expect(first.code).toBe(1)
    expect(first.stdout).toBe('1\n')
    expect(first.stderr).toContain('the command for "2" failed: exit code 1')
    const all = await cluster.run(['map', '--exec', command, '--keep-going'], { input })
    expect(all.code).toBe(1)
    expect(all.stdout).toBe('1\n3\n4\n')
    expect(all.stderr).toContain('1 command failed')
  })

  it('map retries a command, and terminates a command that takes too long', async () => {
    const file = join(cluster.home, 'tries')
    const again = `: {}; echo >> ${file}; test "$(wc -l < ${file})" -gt 2`
    expect((await cluster.run(['map', '--exec', again, '--retries', '2'], { input: 'x\n' })).code).toBe(0)
    expect(await readFile(file, 'utf8')).toBe('\n\n\n')
    const late = await cluster.run(['map', '--exec', 'sleep 1000; echo', '--timeout', '200ms'], { input: 'x\n' })
    expect(late.code).toBe(1)
    expect(late.stderr).toContain('it ran for more than 200 ms')
  })

  it('map terminates the running commands when it is interrupted', async () => {
    const file = join(cluster.home, 'pid')
    const command = cluster.spawn(['map', '--exec', `: {}; echo $$ > ${file}; exec sleep 1000`], { input: 'x\n' })
    const pid = await firstPid(file)
    command.child.kill('SIGINT')
    expect((await command.ended).code).toBe(130)
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false)
  })

  it.each([
    ['neither a task nor a command', [], 'give either a task, or --exec'],
    ['a task and a command', [SEVENS, '--exec', 'true'], 'give either a task, or --exec'],
    ['a command that would run its lines', ['--exec', 'eval {}'], 'eval runs its arguments'],
    ['--keep-going with a task', [SEVENS, '--keep-going'], '--keep-going is for --exec']
  ])('map refuses %s', async (_, args, message) => {
    const { code, stderr } = await cluster.run(['map', ...args], { input: '' })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})
