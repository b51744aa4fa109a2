import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ISOLATION_ROWS } from '../../../src/tasks/process/isolation-table.ts'
import { HAS_SQLITE } from '../../../src/tasks/process/platform-features.ts'
import { isolatedExecutor, outcomeOf, taskThat } from './isolated.ts'

/** Files outside of the task's folder, which the task must not reach. */
const outside = mkdtempSync(join(tmpdir(), 'p2p-worker-outside-'))
const secret = join(outside, 'lab.key')
const text = (value: unknown): string => JSON.stringify(value)
const server = createServer(socket => socket.end('hello'))
const unixServer = createServer(socket => socket.end('hello'))
const unixSocket = join(outside, 'socket')
let port = 0

beforeAll(async () => {
  writeFileSync(secret, 'the secret')
  writeFileSync(join(outside, 'other.mjs'), "export default 'the secret'")
  writeFileSync(join(outside, 'other.json'), '"the secret"')
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  await new Promise<void>(resolve => unixServer.listen(unixSocket, resolve))
  port = (server.address() as { port: number }).port
})
afterAll(() => {
  server.close()
  unixServer.close()
  rmSync(outside, { recursive: true, force: true })
})

const module = (name: string): string => `node(${text(`node:${name}`)})`
const read = `${module('fs')}.readFileSync`

/** The attempts for each row of the table. An attempt is code that returns what it obtained; the paths `secret` and `outside` are not the task's. */
const ATTEMPTS: Record<string, Record<string, string>> = {
  'read files': {
    'by its path': `return ${read}(secret, 'utf8')`,
    'by promises': `return await fs.promises.readFile(secret, 'utf8')`,
    'by a stream': `let all = ''; for await (const part of fs.createReadStream(secret)) all += part; return all`,
    'by a path that leads out of its own folder': `return ${read}(process.env.TMPDIR + '/' + node('node:path').relative(process.env.TMPDIR, secret), 'utf8')`,
    'by bytes for a path': `return ${read}(Buffer.from(process.env.TMPDIR + '/' + node('node:path').relative(process.env.TMPDIR, secret)), 'utf8')`,
    'by a file URL': `return ${read}(new URL('file://' + secret), 'utf8')`,
    'by a link of its own': `fs.symlinkSync(secret, process.env.TMPDIR + '/link'); return ${read}(process.env.TMPDIR + '/link', 'utf8')`,
    'by a hard link': `fs.linkSync(secret, process.env.TMPDIR + '/hard'); return ${read}(process.env.TMPDIR + '/hard', 'utf8')`,
    'by a copy': `fs.copyFileSync(secret, process.env.TMPDIR + '/copy'); return ${read}(process.env.TMPDIR + '/copy', 'utf8')`,
    'by moving it': `fs.renameSync(secret, process.env.TMPDIR + '/moved'); return ${read}(process.env.TMPDIR + '/moved', 'utf8')`,
    'by copying its folder': `fs.cpSync(outside, process.env.TMPDIR + '/all', { recursive: true }); return fs.readdirSync(process.env.TMPDIR + '/all')`,
    'as a blob': `return await (await fs.openAsBlob(secret)).text()`,
    'as a module': `return (await import(outside + '/other.mjs')).default`,
    'as JSON': `return node(outside + '/other.json')`,
    'as an environment file': `process.loadEnvFile(secret); return 'read'`,
    'by listing a folder': `return fs.readdirSync(outside)`,
    'by its status': `return fs.statSync(secret).size`,
    'by watching it': `fs.watch(outside).close(); return 'watched'`,
    'by a changed path module': `node('node:path').resolve = () => process.env.TMPDIR; return ${read}(secret, 'utf8')`
  },
  'write files': {
    'by its path': `fs.writeFileSync(outside + '/made', 'x'); return 'written'`,
    'by appending': `fs.appendFileSync(secret, 'x'); return 'written'`,
    'by truncating': `fs.truncateSync(secret, 0); return 'written'`,
    'by removing': `fs.rmSync(secret); return 'removed'`,
    'by a folder': `fs.mkdirSync(outside + '/made'); return 'made'`,
    'by its mode': `fs.chmodSync(secret, 0o777); return 'changed'`,
    'by its times': `fs.utimesSync(secret, 1, 1); return 'changed'`,
    'the code of its own peer': `fs.appendFileSync(chunk.code, '// x'); return 'written'`,
    'a heap snapshot': `node('node:v8').writeHeapSnapshot(outside + '/heap'); return 'written'`,
    'a report': `process.report.writeReport(outside + '/report'); return 'written'`,
    'a report whose place was set before': `process.report.filename = outside + '/report'; process.report.writeReport(); return 'written'`,
    'a report of a fatal error': `process.report.filename = outside + '/report'; process.report.reportOnFatalError = true; return 'will be written'`,
    'by copying a Unix socket': `fs.cpSync(outside, process.env.TMPDIR + '/x', { recursive: true }); return 'copied'`,
    'by changing its folder': `process.chdir(outside); fs.writeFileSync('made', 'x'); return 'written'`
  },
  'read the environment': {
    'of its own': `return process.env.P2P_WORKER_TEST_SECRET ?? (() => { throw new Error('not there') })()`,
    'of its own process': `return ${read}('/proc/self/environ', 'utf8')`,
    'of its peer': `return ${read}('/proc/' + process.ppid + '/environ', 'utf8')`,
    'by a report': `const { environmentVariables: all } = process.report.getReport(); return all?.P2P_WORKER_TEST_SECRET ?? (() => { throw new Error('not there') })()`
  },
  "read the cluster's key": {
    'from the command line of its peer': `return ${read}('/proc/' + process.ppid + '/cmdline', 'utf8')`,
    'from the memory of its peer': `return fs.openSync('/proc/' + process.ppid + '/mem')`,
    'from where it is saved': `return ${read}(secret, 'utf8')`,
    'as a certificate': `process.env.SSL_CERT_FILE = secret; return node('node:tls').getCACertificates?.('system') ?? (() => { throw new Error('not there') })()`,
    'from an inherited descriptor': `for (let fd = 6; fd < 64; fd++) { try { if (fs.fstatSync(fd).isFile()) return fs.readFileSync(fd, 'utf8') } catch {} } throw new Error('none')`
  },
  'read or change other tasks': {
    'by their code': `return fs.readdirSync(chunk.store)`,
    'by their folder': `return fs.readdirSync(process.env.TMPDIR + '/..')`
  },
  'start processes and threads': {
    'by spawn': `return node('node:child_process').spawnSync('id').stdout?.toString() ?? (() => { throw new Error('nothing') })()`,
    'by exec': `return node('node:child_process').execSync('id').toString()`,
    'by fork': `return node('node:child_process').fork(chunk.code).pid`,
    'by a handle': `const child = new (node('node:child_process').ChildProcess)(); child.spawn({ file: '/usr/bin/id', args: ['id'], stdio: 'ignore' }); return child.pid`,
    'by a cluster of Node': `return node('node:cluster').fork().id`,
    'by a thread': `return new (node('node:worker_threads').Worker)('0', { eval: true }).threadId`,
    'by a thread with options of its own': `return new (node('node:worker_threads').Worker)('0', { eval: true, execArgv: [], env: {} }).threadId`,
    'by a loader of modules': `node('node:module').register('data:text/javascript,'); return 'registered'`
  },
  'load native code, WASI or a debugger': {
    'by dlopen': `process.dlopen({ exports: {} }, '/tmp/none.node'); return 'loaded'`,
    'by require': `node.extensions?.['.node']?.({ exports: {} }, '/tmp/none.node'); return node('/tmp/none.node')`,
    'by FFI': `return node('node:ffi').dlopen(null) ?? 'loaded'`,
    'by memory that FFI writes to': `return node('node:ffi').exportString('x', 1n, 1) ?? 'written'`,
    'by WASI': `new (node('node:wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } }); return 'made'`,
    'by bindings': `return Object.keys(process.binding('spawn_sync'))`,
    'by a debugger': `node('node:inspector').open(0); return node('node:inspector').url()`,
    'by a session of a debugger': `new (node('node:inspector').Session)().connect(); return 'connected'`,
    "by V8's flags": `node('node:v8').setFlagsFromString('--allow-natives-syntax'); return 'set'`
  },
  'open SQLite databases': {
    'a file': `const { DatabaseSync } = node('node:sqlite'); new DatabaseSync(outside + '/db').exec('create table t (x)'); return 'made'`,
    'attached to one in memory': `const { DatabaseSync } = process.getBuiltinModule('node:sqlite'); new DatabaseSync(':memory:').exec("attach '" + outside + "/db' as d; create table d.t (x)"); return 'made'`
  },
  'send signals, change priorities or its user': {
    'to its peer': `return process.kill(process.ppid, 0)`,
    'by the function behind process.kill': `return process._kill(process.ppid, 0)`,
    'by the module': `return (await import('node:process')).kill(process.ppid, 0)`,
    'by its default': `return (await import('node:process')).default.kill(process.ppid, 0)`,
    'by the handle of a process': `return new (node('node:child_process').ChildProcess)()._handle.kill(0)`,
    'by the class of that handle': `const { kill } = Object.getPrototypeOf(new (node('node:child_process').ChildProcess)()._handle); return kill.call(new (node('node:child_process').ChildProcess)()._handle, 0)`,
    'as another user': `return process.setuid(process.getuid()) ?? 'set'`,
    'by the function that starts a debugger': `return process._debugProcess(process.pid)`,
    'by restoring process.kill': `Object.defineProperty(process, 'kill', { value: Object.getPrototypeOf(process).kill }); return process.kill(process.ppid, 0)`,
    'a priority': `return node('node:os').setPriority(process.ppid, 1) ?? 'set'`,
    'a priority, by the module': `return (await import('node:os')).setPriority(process.ppid, 1) ?? 'set'`
  },
  'use the network, Unix sockets included': {
    'a connection': `return await new Promise((resolve, reject) => node('node:net').connect(chunk.port, '127.0.0.1').on('error', reject).on('data', data => resolve(String(data))))`,
    'a Unix socket': `return await new Promise((resolve, reject) => node('node:net').connect(chunk.unixSocket).on('error', reject).on('data', data => resolve(String(data))))`,
    'a server': `return await new Promise((resolve, reject) => { const s = node('node:net').createServer().on('error', reject).listen(0, '127.0.0.1', () => { resolve(s.address().port); s.close() }) })`
  },
  'learn whether a path exists': {
    'by the error of a failed resolve': `const { resolve } = node('node:module').createRequire(import.meta.url); const said = path => { try { return resolve(path) } catch (error) { return error.code } }; return said(secret) !== 'MODULE_NOT_FOUND' && said(secret + 'x') === 'MODULE_NOT_FOUND' ? 'told apart' : undefined`
  },
  'learn about the machine (names, users, addresses)': {
    'its name': `return node('node:os').hostname()`,
    'its users': `return node('node:os').userInfo().username`
  }
}

/** Messages of refusals, values that stand in for an error, and messages about APIs that do not exist at all. */
const REFUSED =
  /Access to this API has been restricted|requires full fs|is not for tasks|loading addons is disabled|No such built-in module|Cannot read properties of undefined|Cannot destructure property|Cannot set properties of undefined|Cannot redefine property|read only property|process\.binding|loadEnvFile is not a function|getBuiltinModule is not a function|Unable to open file as blob|not there|nothing|none/

/** Rows about amounts, or about the peer itself. Other tests cover these rows. */
const ELSEWHERE = [
  'send invalid messages to its peer',
  'outlive its peer',
  'use much memory',
  'use many file handles',
  'fill the disk',
  'use much processor time'
]

it('every row of the isolation table has an attempt here or is listed in ELSEWHERE', () => {
  expect([...Object.keys(ATTEMPTS), ...ELSEWHERE].sort()).toEqual(ISOLATION_ROWS.map(({ what }) => what).sort())
})

describe.each(ISOLATION_ROWS.filter(({ what }) => what in ATTEMPTS))('$what (enforced: $enforced)', row => {
  const attempts = Object.entries(ATTEMPTS[row.what]!)

  it.each(attempts)('an attempt is refused exactly on platforms where its row is enforced: %s', async (name, body) => {
    if (row.what === 'open SQLite databases' && !HAS_SQLITE) return
    process.env.P2P_WORKER_TEST_SECRET = 'the secret'
    const before = readdirSync(outside).sort()
    const task = taskThat(
      `const { secret, outside } = chunk; const got = await (async () => { ${body} })(); return { got }`
    )
    const executor = await isolatedExecutor([task])
    const code = new URL('../../../dist/tasks/process/entry.js', import.meta.url).pathname
    const chunk = { secret, outside, code, port, unixSocket, store: tmpdir() }
    const { partial, error } = await outcomeOf(executor, task, chunk)
    delete process.env.P2P_WORKER_TEST_SECRET
    // The attempt fails on platforms where the row is enforced, and succeeds on all other platforms.
    if (row.enforced) expect({ name, partial, error }).toMatchObject({ partial: undefined, error: { function: 'run' } })
    else expect({ name, partial, error }).toMatchObject({ partial: { got: expect.anything() }, error: undefined })
    // The error shows that the attempt was refused, and did not fail for another reason.
    if (row.enforced) expect(error?.message).toMatch(REFUSED)
    expect(readdirSync(outside).sort()).toEqual(before)
    expect(readFileSync(secret, 'utf8')).toBe('the secret')
    expect(readFileSync(code, 'utf8').endsWith('// x')).toBe(false)
  })
})
