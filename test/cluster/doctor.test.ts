import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateClusterKey } from '../../src/network/cluster-key.ts'
import { ProcessCluster } from './processes.ts'

interface Told {
  diagnosis: string
  findings: { what: string; verdict: string; text: string }[]
}

describe('doctor', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.start(2)
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  const ask = async (
    args: string[],
    env: NodeJS.ProcessEnv = {}
  ): Promise<Told & { code: number | null; raw: string }> => {
    const { code, stdout, stderr } = await cluster.run(['doctor', '--json', '--wait', '5s', ...args], { env })
    return { code, raw: stdout + stderr, ...(JSON.parse(stdout) as Told) }
  }
  const verdicts = ({ findings }: Told) => Object.fromEntries(findings.map(({ what, verdict }) => [what, verdict]))

  it('doctor reports no problem when a peer answers', async () => {
    const told = await ask([])
    expect(told).toMatchObject({ code: 0, diagnosis: 'attached' })
    expect(verdicts(told)).toMatchObject({ key: 'fine', cluster: 'fine' })
    expect(told.findings.filter(({ verdict }) => verdict === 'trouble')).toEqual([])
    expect(told.findings.find(({ what }) => what === 'cluster')!.text).toMatch(
      /2 live, 12D3KooW\w+ leads \(epoch \d+\)/
    )
  })

  it('doctor reports that a peer has a different key or cluster name, without printing the key', async () => {
    const key = generateClusterKey()
    const told = await ask([], { P2P_WORKER_KEY: key })
    expect(told).toMatchObject({ code: 4, diagnosis: 'refused' })
    expect(verdicts(told).cluster).toBe('trouble')
    expect(told.findings.find(({ what }) => what === 'cluster')!.text).toMatch(/compare --key and --cluster/)
    expect(told.raw).not.toContain(key)
    expect(told.raw).not.toContain(cluster.env.P2P_WORKER_KEY)
  })

  it('doctor reports that no process listens at an address', async () => {
    const args = ['--wait', '500ms', '--no-mdns', '--bootstrap', '/ip4/127.0.0.1/tcp/9']
    const env = { ...cluster.env, P2P_WORKER_BOOTSTRAP: '' }
    const { code, stdout } = await cluster.spawnBare(['doctor', '--json', ...args], env).ended
    const { diagnosis, findings } = JSON.parse(stdout) as Told
    expect({ code, diagnosis }).toEqual({ code: 3, diagnosis: 'nobody' })
    const text = expect.stringContaining('nothing listens there')
    expect(findings).toContainEqual({ what: '/ip4/127.0.0.1/tcp/9', verdict: 'trouble', text })
  })

  it('an interrupted doctor ends at once and reports no problem', async () => {
    const args = ['--no-mdns', '--wait', '60s', '--bootstrap', '/ip4/127.0.0.1/tcp/9']
    const command = cluster.spawnBare(['doctor', ...args], cluster.env)
    await command.until('the first finding', ({ stdout }) => stdout.includes('/tcp/9'))
    command.child.kill('SIGINT')
    const { code, stdout } = await command.ended
    expect(code).toBe(130)
    expect(stdout).not.toMatch(/✗ cluster/)
  })

  it('doctor reports that no key was given or saved, and that it has no means to find a peer', async () => {
    const { P2P_WORKER_KEY: _, ...env } = cluster.env
    const { code, stdout } = await cluster.spawnBare(['doctor', '--wait', '1s', '--no-mdns'], env).ended
    expect(code).toBe(3)
    expect(stdout).toMatch(/✗ key: none was given/)
    expect(stdout).toMatch(/✗ discovery: no mDNS and no --bootstrap/)
  })
})
