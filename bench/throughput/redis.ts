/** Runs a private Redis server on loopback (Debian's package `redis-server`). */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { using } from '../membership/resources.ts'
import { end, untimelyEnd } from './children.ts'

/** Returns the version of Redis. Returns undefined if Redis is not installed. */
export function redisVersion(): string | undefined {
  try {
    return /v=(\S+)/.exec(execFileSync('redis-server', ['--version'], { encoding: 'utf8' }))?.[1]
  } catch {
    return undefined
  }
}

/**
 * Starts a Redis server, and calls `use` with its port as soon as the server is ready.
 *
 * @param folder - where each change is synced to disk before it is answered. Default: Redis keeps nothing on disk.
 */
export async function withRedis<T>(use: (port: number) => Promise<T>, folder?: string): Promise<T> {
  const port = await freePort()
  return await using(Promise.resolve(new Redis(port, folder)), async redis => {
    await redis.ready()
    return await use(port)
  })
}

class Redis {
  readonly #child: ChildProcess

  constructor(port: number, folder: string | undefined) {
    const kept = folder === undefined ? ['no'] : ['yes', '--appendfsync', 'always', '--dir', folder]
    const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', ...kept]
    this.#child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  }

  async ready(): Promise<void> {
    const { stdout } = this.#child
    await Promise.race([
      new Promise<void>(resolve => {
        stdout!.on('data', text => {
          if (`${text}`.includes('Ready to accept connections')) resolve()
        })
      }),
      untimelyEnd('redis-server', this.#child).then(error => Promise.reject(error))
    ])
  }

  async stop(): Promise<void> {
    await end(this.#child)
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
