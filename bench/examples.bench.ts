/**
 * Measures the time of each example without a peer, on one peer and on two peers, with one processor for each peer.
 *
 *     npm run bench -- examples [--quick] [ROW]…
 *
 * ROW is the name of an example. The command of each example runs three times without a peer, three times on one peer and three times on two peers,
 * alternately. All answers must be equal, and must equal the published answer if one exists. `--quick` runs each command only once; its figures must
 * not be quoted. Programs and `map` examples are not run without a peer.
 *
 * `taskset` pins each peer to its own processor, to simulate machines with one processor. Without `taskset`, threads of the first peer, such as the
 * threads of the garbage collector, would use the second peer's processor. The waiting command is not pinned: with two processors it takes time from
 * both peers.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandResult, ProcessCluster, RunningCommand, root } from '../test/cluster/processes.ts'
import { makeData, type Tour, toursIn } from './examples/tours.ts'
import { endOnSignals, isInterrupted, type Resource, using } from './membership/resources.ts'
import { tell, WantedRows } from './rows.ts'
import { median, table } from './statistics.ts'

const KINDS = ['local', 'one', 'two'] as const
type Kind = (typeof KINDS)[number]

/** A temporary folder for the input and the output of the examples. */
class Folder implements Resource {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  static async create(): Promise<Folder> {
    return new Folder(await mkdtemp(join(tmpdir(), 'p2p-worker-bench-')))
  }

  stop(): Promise<void> {
    return rm(this.path, { recursive: true, force: true })
  }
}

/** The running Node programs, which are not part of a cluster. */
const programs = new Set<ChildProcess>()
process.once('exit', () => {
  for (const program of programs) program.kill()
})

/** Starts the command of an example. */
function start(tour: Tour, output: string, cluster: ProcessCluster, isLocal: boolean): RunningCommand {
  const args = tour.args(output)
  if (tour.isProgram === true) {
    const env = { ...cluster.env, P2P_WORKER_BOOTSTRAP: cluster.live.map(peer => peer.addresses[0]).join(',') }
    const program = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    programs.add(program)
    program.once('exit', () => programs.delete(program))
    return new RunningCommand(program)
  }
  if (isLocal) return cluster.spawnBare([...args, '--local', '1'], cluster.env)
  return cluster.spawn(args, tour.input === undefined ? {} : { input: tour.input() })
}

function checked(tour: Tour, { code, stdout, stderr }: CommandResult, png: Uint8Array | undefined): void {
  if (code !== 0) throw new Error(`${tour.name} ended with exit code ${code}: ${stderr.slice(-500)}`)
  if (tour.verify?.(stdout, png) === false) throw new Error(`${tour.name} gave a wrong answer: ${stdout.slice(0, 500)}`)
}

/** Starts peers, each pinned to the processor of its index. */
async function startPinned(count: number): Promise<ProcessCluster> {
  const cluster = await ProcessCluster.create()
  try {
    for (let i = 0; i < count; i++) await cluster.join([], { wrap: pinnedTo(i) }).ready()
    if (count > 1) await cluster.settled()
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

const pinnedTo = (processor: number): string[] => ['taskset', '--cpu-list', String(processor)]

async function measure(tour: Tour, clusters: Record<Kind, ProcessCluster>, folder: string, runs: number) {
  const seconds: Record<Kind, number[]> = { local: [], one: [], two: [] }
  const answers = new Set<string>()
  for (let run = 0; run < runs; run++) {
    for (const kind of KINDS) {
      if (isInterrupted()) return undefined
      const isLocal = kind === 'local'
      if (isLocal && (tour.isProgram === true || tour.input !== undefined)) continue
      const output = join(folder, `${tour.name}-${kind}-${run}`)
      const began = performance.now()
      const result = await start(tour, output, clusters[kind], isLocal).ended
      seconds[kind].push((performance.now() - began) / 1_000)
      const written = existsSync(output) ? await readFile(output) : undefined
      checked(tour, result, written)
      // Thumbnails arrive in any order, so their lines are sorted.
      answers.add(
        tour.isProgram === true
          ? [...result.stdout.split('\n')].sort().join()
          : result.stdout + (written?.toString('latin1') ?? '')
      )
    }
  }
  if (answers.size !== 1) throw new Error(`${tour.name} gave ${answers.size} different answers`)
  const of = (kind: Kind): number | undefined => (seconds[kind].length === 0 ? undefined : median(seconds[kind]))
  return { local: of('local'), one: of('one')!, two: of('two')! }
}

if (spawnSync('taskset', ['--version']).error !== undefined) {
  console.error('this bench needs `taskset`, which is in util-linux')
  process.exit(2)
}
endOnSignals()
const names = toursIn('').map(({ name }) => name)
const wanted = new WantedRows(names)
const rows: string[][] = []
await using(Folder.create(), async ({ path }) => {
  tell('makes what the examples read')
  await makeData(path)
  await using(ProcessCluster.create({ wrap: pinnedTo(0) }), local =>
    using(startPinned(1), one =>
      using(startPinned(2), async two => {
        for (const tour of toursIn(path)) {
          if (!wanted.is(tour.name)) continue
          const found = await measure(tour, { local, one, two }, path, wanted.quick ? 1 : 3)
          if (found === undefined) break
          const { local: without, one: alone, two: both } = found
          const times = [
            without === undefined ? '–' : `${without.toFixed(1)} s`,
            `${alone.toFixed(1)} s`,
            `${both.toFixed(1)} s`
          ]
          rows.push([tour.name, tour.size, ...times, `${(alone / both).toFixed(2)}`])
          tell(`${tour.name}: ${times.join(', ')}`)
        }
      })
    )
  )
})
console.log(
  `${wanted.quick ? '--quick: not to be quoted; ' : ''}${cpus().length} processors, medians of ${wanted.quick ? 1 : 3}`
)
console.log(table(['example', 'size', 'without a peer', 'one peer', 'two peers', 'times as fast'], rows))
