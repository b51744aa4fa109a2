import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PeerProcess, ProcessCluster, root } from '../cluster/processes.ts'
import { needs } from '../needs.ts'

const run = promisify(execFile)
const commands = readFileSync(`${root}/docs/http.md`, 'utf8')
  .split('\n')
  .filter(line => /^ {4}(curl|sed|SESSION=)/.test(line))
  .map(line => line.trim())
const lines = commands.filter(line => !line.startsWith('SESSION='))

it('docs/http.md has at least nine command lines', () => {
  expect(lines.length).toBeGreaterThanOrEqual(9)
})

needs('bash', 'curl').describe('a peer answers the command line of docs/http.md:', () => {
  let cluster: ProcessCluster
  let env: NodeJS.ProcessEnv

  beforeAll(async () => {
    cluster = await ProcessCluster.start(1, ['--http', '0'])
    const [peer] = cluster.peers as [PeerProcess]
    await peer.follows(peer.id)
    const { http, httpTokenFile } = peer.events[0] as { http?: string; httpTokenFile?: string }
    env = { ...process.env, URL: http, TOKEN_FILE: httpTokenFile }
  })

  afterAll(() => cluster?.stop())

  async function newSession(): Promise<string> {
    const line = `${commands.find(line => line.startsWith('SESSION='))}; echo $SESSION`
    return (await run('bash', ['-c', line], { env })).stdout.trim()
  }

  it.each(lines)('%s', async line => {
    // A session lasts for 10 s.
    if (line.includes('$SESSION')) env.SESSION ??= await newSession()
    const { stdout } = await run('bash', ['-c', line], { env, cwd: root }).catch(error => {
      // curl exits with code 28 when --max-time ends a stream.
      if (line.includes('--max-time') && error.code === 28) return error as { stdout: string }
      throw error
    })
    expect(stdout).not.toBe('')
    // All users of a machine can see the arguments of a command, so they must not contain the token.
    const token = readFileSync(env.TOKEN_FILE ?? '', 'utf8').trim()
    const { stdout: shown } = await run('bash', ['-c', `curl() { printf '%s ' "$@"; }; ${line}`], { env, cwd: root })
    expect(shown).toContain(env.URL)
    expect(shown).not.toContain(token)
  })
})
