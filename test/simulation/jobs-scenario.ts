/** One world of a leader, workers and faults, drawn from a seed, and what must come of its jobs. */
import { type CoordinatorRules, type CoordinatorSettings, DEFAULT_SETTINGS } from '../../src/jobs/coordinator-types.ts'
import { JobBook, oneLoop } from './jobs-book.ts'
import { LeaderProcess, type SimulatedJob, WorkerProcess } from './jobs-world.ts'
import { World } from './world.ts'

/** Faults happen during the first part of a run; then the jobs have time to end. */
const FAULTY_MS = 12_000
const LIMIT_MS = 240_000

function drawJobs(random: () => number): SimulatedJob[] {
  const jobs: SimulatedJob[] = []
  const count = 1 + Math.floor(random() * 3)
  for (let i = 0; i < count; i++) {
    const least = [0.5, 5, 60, 250][Math.floor(random() * 4)]!
    const broken = random() < 0.1
    const errors = !broken && random() < 0.3 ? 0.05 : 0
    // Up to 100 s of work, so that most jobs are under way when faults happen.
    const chunks = random() < 0.05 ? 0 : 1 + Math.floor(random() * Math.min(1_000, 100_000 / least))
    jobs.push({
      id: `job${i}`,
      chunks,
      duration: [least, least * (1 + 3 * random())],
      partialBytes: 1 + Math.floor(random() * 1_000),
      errors,
      retries: errors > 0 ? 1_000 : Math.floor(random() * 3),
      broken: broken && chunks > 0 ? Math.floor(random() * chunks) : undefined
    })
  }
  return jobs
}

/** Runs the world of `seed`; throws when a job does not end as it should. */
export function simulate(seed: number, rules: Partial<CoordinatorRules> = {}): World {
  const world = new World(seed)
  const { random } = world
  const settings: CoordinatorSettings = {
    ...DEFAULT_SETTINGS,
    window: 4 + Math.floor(random() * 60),
    partialBudget: 500 + Math.floor(random() * 20_000),
    chunkBudget: 200 + Math.floor(random() * 20_000),
    maxReady: 8 + Math.floor(random() * 100),
    maxFold: 1 + Math.floor(random() * 50)
  }
  const jobs = drawJobs(random)
  const book = new JobBook(jobs, settings)
  world.faults = { loss: random() * 0.02, gossipLoss: 0, delay: [0.2, random() < 0.5 ? 4 : 60] }
  world.invariant = () => book.check()
  // Sessions of a worker go up across its lives, as connections are never the same again.
  let lives = 0
  const life = (): number => ++lives * 1_000_000
  const workers = Array.from({ length: 2 + Math.floor(random() * 5) }, (_, i) => `w${i}`)
  world.add('leader', host => new LeaderProcess(host, life(), jobs, book, settings, rules))
  for (const id of workers) {
    const slots = 1 + Math.floor(random() * 4)
    world.add(id, host => new WorkerProcess(host, life(), slots, 'leader', jobs))
  }
  const faults = 3 + Math.floor(random() * 10)
  for (let i = 0; i < faults; i++) {
    const id = workers[Math.floor(random() * workers.length)]!
    const kind = random()
    const back = 20 + random() * 1_500
    world.after(random() * FAULTY_MS, () => {
      if (kind < 0.4) {
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
  for (const job of jobs) {
    const end = book.ended.get(job.id)
    if (end === undefined) throw new Error(`${job.id} has not ended: a chunk is lost`)
    if (job.broken !== undefined) {
      if (end.state !== 'failed' || end.failure?.index !== job.broken)
        throw new Error(`${job.id} should fail with chunk ${job.broken}, but ${end.state} (${end.failure?.index})`)
    } else {
      if (end.state !== 'completed') throw new Error(`${job.id} should complete, but ${end.state}`)
      if (end.result !== oneLoop(job.chunks)) throw new Error(`${job.id} has another result than one loop`)
    }
  }
  return world
}
