/** Runs PostgreSQL (Debian's `postgresql`). It refuses to run as root, so root runs it as the user `postgres`. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { postgresFolder } from '../tools.ts'
import { freePorts } from './etcd.ts'

export const PASSWORD = 'se@cret, percent-encoded'
const START_LIMIT = 60_000
/** The user `postgres` may not enter the temporary folder of root. */
const AS_POSTGRES = [
  ...['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--init-groups'],
  ...['--inh-caps', '+dac_override', '--ambient-caps', '+dac_override']
]

/** Returns the name and version, such as `PostgreSQL 15.18`. Returns undefined if PostgreSQL is not installed. */
export function postgresVersion(): string | undefined {
  const folder = postgresFolder()
  if (folder === undefined) return undefined
  const said = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  return `PostgreSQL ${/\d[\d.]*/.exec(said)?.[0]}`
}

export interface PostgresInit {
  /** Default: loopback. */
  host?: string
  /** Default: a free port. */
  port?: number
  /** The prefix of a command that makes it run on the host. */
  wrap?: string[]
  /** Which connections the server accepts, as in pg_hba.conf. Default: all, with a password. */
  access?: string
  /** Whether the server offers TLS. Its certificate, which it has signed itself, is for the name `localhost`. Default false. */
  tls?: boolean
}

export class PostgresServer {
  readonly child: ChildProcess
  /** The file of the certificate, if the server offers TLS. */
  readonly certificate: string
  readonly #folder: string
  readonly #at: string

  private constructor(child: ChildProcess, folder: string, at: string) {
    this.child = child
    this.#folder = folder
    this.#at = at
    this.certificate = join(folder, 'tls.crt')
  }

  static async start(init: PostgresInit = {}): Promise<PostgresServer> {
    const { host = '127.0.0.1', port = (await freePorts(1))[0]!, wrap = [], tls = false } = init
    const { access = 'host all all all scram-sha-256' } = init
    const folder = await mkdtemp(join(tmpdir(), 'p2p-worker-postgres-'))
    const [data, password, key] = [join(folder, 'data'), join(folder, 'password'), join(folder, 'tls.key')]
    try {
      await writeFile(password, PASSWORD)
      for (const path of [folder, password]) await chmod(path, path === folder ? 0o777 : 0o644)
      const programs = postgresFolder()!
      const as = process.getuid!() === 0 ? AS_POSTGRES : []
      const run = (...command: string[]): void => {
        const [program, ...args] = [...as, ...command]
        execFileSync(program!, args, { stdio: 'ignore' })
      }
      const initial = ['-D', data, '--username=postgres', `--pwfile=${password}`, '--auth=scram-sha-256']
      run(join(programs, 'initdb'), ...initial, '--no-sync', '--no-locale', '--encoding=UTF8')
      await writeFile(join(data, 'pg_hba.conf'), `${access}\n`)
      const settings = ['-D', data, '-h', host, '-p', String(port), '-k', '', '-F']
      if (tls) {
        const certificate = join(folder, 'tls.crt')
        const of = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
        run('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...of)
        for (const [name, value] of Object.entries({ ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key }))
          settings.push('-c', `${name}=${value}`)
      }
      const [command, ...args] = [...wrap, ...as, join(programs, 'postgres'), ...settings]
      const child = spawn(command!, args, { stdio: ['ignore', 'ignore', 'pipe'] })
      const server = new PostgresServer(child, folder, `${host}:${port}`)
      await server.#isReady().catch(async error => {
        await server.stop()
        throw error
      })
      return server
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  /** Returns the URL of a database for a user whose password is {@link PASSWORD}. */
  url(user = 'postgres', database = 'postgres', password = PASSWORD, at = this.#at): string {
    return `postgres://${user}:${encodeURIComponent(password)}@${at}/${database}`
  }

  /** The address of this server for `--election`. */
  get address(): `postgres:${string}` {
    return this.url() as `postgres:${string}`
  }

  /** The port, for an address with another name of the host. */
  get port(): string {
    return this.#at.split(':')[1]!
  }

  /** Runs statements as the administrator. */
  async sql<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
    const client = new pg.Client(this.url())
    await client.connect()
    try {
      return (await client.query<T>(text)).rows
    } finally {
      await client.end()
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exited = once(this.child, 'exit')
      // All processes of the server end at once.
      this.child.kill('SIGQUIT')
      await exited
    }
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #isReady(): Promise<void> {
    const said: string[] = []
    const limit = setTimeout(() => this.child.kill('SIGQUIT'), START_LIMIT)
    try {
      for await (const line of createInterface(this.child.stderr!)) {
        said.push(line)
        if (line.includes('ready to accept connections')) return
      }
      throw new Error(`PostgreSQL does not start:\n${said.join('\n')}`)
    } finally {
      clearTimeout(limit)
      this.child.stderr!.resume()
    }
  }
}
