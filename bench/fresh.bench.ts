/**
 * Measures the time from a machine with Node and npm but without p2p-worker to the first verified result. The home folder and the working folder are
 * empty, and npm's cache is warm. The commands get no stdin, so they must not ask a question.
 *
 *     npm run bench -- fresh [--quick] [ROW]…
 *
 * ROW is npx (one command with the packed package) or clone (a clone, then the command of the README). The benchmark needs a filled npm cache or the
 * registry.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../test/cluster/processes.ts'
import { MeasuredRows, tell, WantedRows } from './rows.ts'
import { median } from './statistics.ts'

const MUST = 'under 60 s, nothing asked'
const wanted = new WantedRows(['npx', 'clone'])
const rows = new MeasuredRows(wanted)
const runs = wanted.quick ? 1 : 3

const folder = mkdtempSync(join(tmpdir(), 'p2p-worker-fresh-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const children = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of children) process.kill(-child.pid!, 'SIGTERM')
    process.exit(130)
  })
}

/** Returns an environment with npm's settings and cache, but without any other setting of the current user. */
function environment(home: string): NodeJS.ProcessEnv {
  const setting = (name: string): string => execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim()
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|P2P_WORKER_|NODE_)/.test(name))
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    npm_config_cache: setting('cache'),
    npm_config_userconfig: setting('userconfig'),
    npm_config_registry: setting('registry')
  }
}

/** Runs a shell line without stdin. Resolves to the output of the line and its duration, in ms. */
async function shell(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<{ said: string; took: number }> {
  const began = performance.now()
  const child = spawn('sh', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  children.add(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (said += text))
  const code = await new Promise(resolve => child.once('close', resolve))
  children.delete(child)
  if (code !== 0 || !/^verified$/m.test(said)) throw new Error(`${line} ended with ${code}:\n${said}`)
  return { said, took: performance.now() - began }
}

async function measure(what: string, prepare: (place: string) => { line: string; cwd: string }): Promise<void> {
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const place = join(folder, `${what}-${run}`)
    const home = join(place, 'home')
    mkdirSync(home, { recursive: true })
    const { line, cwd } = prepare(place)
    const { took } = await shell(line, cwd, environment(home))
    tell(`${line}: ${(took / 1_000).toFixed(1)} s`)
    times.push(took)
    rmSync(place, { recursive: true })
  }
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1)
  const [least, most] = [Math.min(...times), Math.max(...times)]
  rows.add(what, MUST, `${seconds(median(times))} s (${seconds(least)} to ${seconds(most)})`, runs)
}

await rows.measure('npx', async () => {
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: root, stdio: 'ignore' })
  const tarball = join(folder, readdirSync(folder).find(name => name.endsWith('.tgz'))!)
  await measure('npx -y --package p2p-worker.tgz p2p-worker demo', place => ({
    line: `npx -y --package '${tarball}' p2p-worker demo`,
    cwd: place
  }))
})
await rows.measure('clone', async () => {
  await measure('git clone, npm ci && npx p2p-worker demo', place => {
    execFileSync('git', ['clone', '-q', root, join(place, 'p2p-worker')])
    return { line: 'npm ci && npx p2p-worker demo', cwd: join(place, 'p2p-worker') }
  })
})
rows.print()
