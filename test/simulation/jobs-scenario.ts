/** One world of a leader, workers and faults, drawn from a seed, and the invariants of the jobs in this world. */
import { DEFAULT_SETTINGS, type SchedulerSettings } from '../../src/jobs/scheduler/index.ts'
import type { SchedulerRules } from '../../src/jobs/scheduler/rules.ts'
import { type Failure, failureOf } from './failure.ts'
import { JobBook, oneLoop } from './jobs-book.ts'
import { WorkerProcess } from './jobs-worker.ts'
import { LeaderProcess, type Machine, type Poison, type SimulatedJob, type Tags } from './jobs-world.ts'
import { World } from './world.ts'

/** The time during which faults happen, in ms. Afterwards the jobs have time to end. */
const FAULTY_MS = 12_000
const GPU: Tags = { gpu: 'yes' }
const NONE: Tags = {}
const LIMIT_MS = 3_600_000

function drawJobs(seed: number, random: () => number): SimulatedJob[] {
  const jobs: SimulatedJob[] = []
  const count = 1 + Math.floor(random() * 3)
  for (let i = 0; i < count; i++) {
    const least = [0.5, 5, 60, 250][Math.floor(random() * 4)]!
    const broken = random() < 0.1
    const errors = !broken && random() < 0.3 ? 0.05 : 0
    // Up to 100 s of work, so that most jobs are running when faults happen.
    const hasPoison = !broken && errors === 0 && random() < 0.3
    const chunks = random() < 0.05 ? 0 : 1 + Math.floor(random() * Math.min(1_000, 100_000 / least))
    jobs.push({
      id: `job${i}`,
      chunks,
      duration: [least, least * (1 + 3 * random())],
      partialBytes: 1 + Math.floor(random() * 1_000),
      errors,
      stalls: random() < 0.3 ? 0.02 : 0,
      terms: {
        retries: errors > 0 ? 1_000 : Math.floor(random() * 3),
        speculate: random() < 0.8,
        // A poisonous job requires no tags. If only one worker had the tags, the job would kill this worker again and again.
        requires: !hasPoison && random() < 0.25 ? GPU : NONE,
        priority: Math.floor(random() * 3) - 1
      },
      broken: broken && chunks > 0 ? Math.floor(random() * chunks) : undefined,
      poison: hasPoison && chunks > 0 ? drawPoison(random, chunks) : undefined,
      // The option depends on the seed itself. A random draw would change every later draw, and so the worlds that earlier runs examined.
      roundOf: seed % 5 === 4 ? 1 + ((7 * seed + 13 * i) % 40) : undefined,
      combines: seed % 5 === 2 && (seed + i) % 3 > 0
    })
  }
  return jobs
}

function drawPoison(random: () => number, chunks: number): Poison {
  const after = random() < 0.5 ? 0 : random()
  return { index: Math.floor(random() * chunks), after, survives: random() < 0.3 }
}

/** Runs the world of `seed`. Returns its failure, or `undefined` if every invariant held. */
export function runJobsSeed(seed: number, rules?: Partial<SchedulerRules>): Failure | undefined {
  const world = new World(seed)
  return failureOf(seed, { world, run: () => void simulate(seed, rules, world) })
}

/** Runs the world of `seed`. Throws an error if a job does not end with the expected result. */
export function simulate(seed: number, rules: Partial<SchedulerRules> = {}, world = new World(seed)): World {
  const { random } = world
  const settings: SchedulerSettings = {
    ...DEFAULT_SETTINGS,
    window: 4 + Math.floor(random() * 60),
    partialBudget: 500 + Math.floor(random() * 20_000),
    chunkBudget: 200 + Math.floor(random() * 20_000),
    maxReady: 8 + Math.floor(random() * 100),
    maxFold: 1 + Math.floor(random() * 50),
    lookInterval: 50 + Math.floor(random() * 200),
    leastSlow: 50 + Math.floor(random() * 1_000),
    offersWithin: 100 + Math.floor(random() * 1_000)
  }
  const jobs = drawJobs(seed, random)
  const book = new JobBook(jobs, settings)
  world.faults = { loss: random() * 0.02, gossipLoss: 0, delay: [0.2, random() < 0.5 ? 4 : 60] }
  world.invariant = () => book.check()
  // Each life of a worker has a higher session number than the lives before, because a connection is never reused.
  let lives = 0
  const life = (): number => ++lives * 1_000_000
  const processes = new Map<string, WorkerProcess>()
  const workers = Array.from({ length: 2 + Math.floor(random() * 5) }, (_, i) => `w${i}`)
  world.add('leader', host => new LeaderProcess(host, life(), workers, jobs, book, settings, rules))
  for (const id of workers) {
    const machine: Machine = {
      slots: 1 + Math.floor(random() * 4),
      slowness: random() < 0.25 ? 2 + random() * 6 : 1,
      // One worker always has the tags, so that every job can end.
      tags: id === 'w0' || random() < 0.4 ? GPU : NONE,
      holdBytes: random() < 0.8 ? Number.POSITIVE_INFINITY : random() * 100_000
    }
    if (id !== 'w0' && random() < 0.3) {
      world.after(random() * FAULTY_MS, () => {
        machine.tags = machine.tags === GPU ? NONE : GPU
      })
    }
    const die = (job: string, index: number): void => {
      book.killed(id, job, index)
      world.crash(id)
      world.after(20 + random() * 500, () => world.restart(id))
    }
    world.add(id, host => {
      const process = new WorkerProcess(host, life(), machine, 'leader', jobs, die)
      processes.set(id, process)
      return process
    })
  }
  const faults = 3 + Math.floor(random() * 10)
  for (let i = 0; i < faults; i++) {
    const id = workers[Math.floor(random() * workers.length)]!
    const kind = random()
    const back = 20 + random() * 1_500
    world.after(random() * FAULTY_MS, () => {
      if (kind < 0.1) {
        if (!world.isUp(id)) return
        processes.get(id)!.leave()
        world.exit(id)
        world.after(back, () => world.restart(id))
      } else if (kind < 0.4) {
        world.crash(id, random() < 0.3)
        world.after(back, () => world.restart(id))
      } else if (kind < 0.6) {
        world.pause(id, back)
      } else if (kind < 0.9) {
        if (kind < 0.7) world.cut('leader', id)
        else if (kind < 0.8) world.cut(id, 'leader')
        else world.partition([id])
        world.after(back, () => world.heal())
      } else {
        world.crash('leader')
        world.after(back, () => world.restart('leader'))
      }
    })
  }
  world.run(FAULTY_MS)
  world.heal()
  world.faults = { ...world.faults, loss: 0 }
  for (let spent = FAULTY_MS; spent < LIMIT_MS && !book.allOver; spent += 1_000) world.run(1_000)
  world.lines.push(
    `${book.alone} chunks ran alone`,
    `${book.copies} chunks were started twice`,
    `${book.claimed} chunks were claimed`
  )
  for (const job of jobs) {
    const end = book.ended.get(job.id)
    if (end === undefined) throw new Error(`${job.id} has not ended: a chunk is lost`)
    const culprit = job.poison?.survives === false ? job.poison.index : job.broken
    if (culprit !== undefined) {
      if (end.state !== 'failed' || end.failure?.index !== culprit)
        throw new Error(`${job.id} should fail with chunk ${culprit}, but ${end.state} (${end.failure?.index})`)
    } else {
      if (end.state !== 'completed') throw new Error(`${job.id} should complete, but ${end.state}`)
      if (end.result !== oneLoop(job.chunks)) throw new Error(`${job.id} has another result than one loop`)
    }
  }
  return world
}
