/** A Redis server of its own on loopback (Debian's package `redis-server`), which keeps nothing on disk. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Its version; undefined where it is missing. */
export function redisVersion(): string | undefined {
  try {
    return /v=(\S+)/.exec(execFileSync('redis-server', ['--version'], { encoding: 'utf8' }))?.[1]
  } catch {
    return undefined
  }
}

export class Redis {
  readonly port: number
  readonly #child: ChildProcess

  private constructor(port: number, child: ChildProcess) {
    this.port = port
    this.#child = child
  }

  static async start(): Promise<Redis> {
    const port = await freePort()
    const child = spawn(
      'redis-server',
      ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      {
        stdio: ['ignore', 'pipe', 'ignore']
      }
    )
    for await (const text of child.stdout!) if (`${text}`.includes('Ready to accept connections')) break
    child.stdout!.resume()
    return new Redis(port, child)
  }

  async stop(): Promise<void> {
    this.#child.kill()
    if (this.#child.exitCode === null) await once(this.#child, 'exit')
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
