/** Sends hostile frames of one protocol to each peer in turn, and checks that the frames do no harm. */
import { turn, withVirtualTime } from '../simulation/cluster/virtual-time.ts'
import { Find, told } from './find.ts'
import { bytesHeld } from './memory.ts'
import { mutate } from './mutate-fields.ts'
import { Random } from './random.ts'
import type { Subject } from './subject.ts'
import type { FuzzOptions, FuzzReport, KeptFrame, Target } from './target.ts'
import { type Frame, VICTIMS, type Victim, World } from './world/world.ts'

/** The share of frames that repeat a message which the hostile member has received. Some of these messages are changed before. */
const ECHO = 0.08
const CRAFTED = 0.06
/** The number of frames after which a new pool of valid frames is drawn. */
const POOL_LASTS = 5_000
/** The number of frames between two steps of time; BUSY_EVERY is the number between two calls of the client. */
const TIME_EVERY = 8
const BUSY_EVERY = 100
/** The longest step of time, in ms. With these steps the frames arrive slowly enough that no peer treats them as a flood. */
const STEP = 60
/** The number of frames between two checks of the world. A find keeps the frames since the last check. */
const CHECK_EVERY = 2_500
/** The number of frames during which peers fill their caches. The growth of memory during these frames does not count. */
const WARM_UP = 5_000

/** Calls `run` with a new world in virtual time. Every unhandled error becomes a find. */
async function inWorld<T>(run: (world: World) => Promise<T>): Promise<T> {
  return await withVirtualTime(async () => {
    const world = await World.start()
    const stray = (error: unknown): void => void world.hub.finds.push(new Find(`nobody handled ${told(error)}`))
    process.on('unhandledRejection', stray)
    process.on('uncaughtException', stray)
    try {
      return await run(world)
    } finally {
      process.off('unhandledRejection', stray)
      process.off('uncaughtException', stray)
      await world.stop()
    }
  })
}

/** Checks the world, unless a fault has already been found. Resolves with the fault, or with undefined. */
async function judge(world: World, subject: Subject): Promise<string | undefined> {
  const { finds } = world.hub
  // Gives Node a turn to report unhandled rejections.
  await turn()
  const harm = subject.harm?.(world)
  if (harm !== undefined) finds.push(new Find(harm))
  try {
    if (finds.length === 0) await world.check()
  } catch (error) {
    finds.push(error instanceof Find ? error : new Find(told(error)))
  }
  return finds[0]?.message
}

function next(subject: Subject, world: World, random: Random, pool: readonly Uint8Array[]): Frame {
  const { victims = VICTIMS, name, crafted } = subject
  const to = random.pick(victims)
  if (crafted !== undefined && random.chance(CRAFTED)) return { to, bytes: crafted(world, random) }
  const heard = random.chance(ECHO) ? (world.hostile.heard.get(name) ?? pool) : pool
  return { to, bytes: mutate(random.pick(heard), random, pool) }
}

async function fuzz(subject: Subject, options: FuzzOptions): Promise<FuzzReport> {
  const { seed, frames = Number.POSITIVE_INFINITY, isOver = () => false } = options
  const random = new Random(seed)
  return await inWorld(async world => {
    const past: Frame[] = []
    let pool: Uint8Array[] = []
    let before = await bytesHeld()
    let count = 0
    while (count < frames && world.hub.finds.length === 0 && !isOver()) {
      if (count === WARM_UP) before = await bytesHeld()
      if (count % POOL_LASTS === 0) pool = await world.clock.do(() => subject.pool(world, random))
      if (count % BUSY_EVERY === 0) await world.turn(0)
      if (count % TIME_EVERY === 0) await world.clock.pass(random.below(STEP))
      const frame = next(subject, world, random, pool)
      if (subject.spares?.(frame) === true) continue
      count += 1
      past.push(frame)
      await world.feed(subject, frame)
      if (past.length < CHECK_EVERY || (await judge(world, subject)) !== undefined) continue
      past.length = 0
    }
    const what = await judge(world, subject)
    const find = what === undefined ? undefined : { what, frames: past.map(kept) }
    past.length = 0
    pool.length = 0
    const grown = (await bytesHeld()) - before
    return { frames: count, ...world.hub.taken, grown, find }
  })
}

function kept({ to, bytes }: Frame): KeptFrame {
  return { to, hex: Buffer.from(bytes).toString('hex') }
}

export function targetOf(subject: Subject): Target {
  return {
    name: subject.name,
    fuzz: options => fuzz(subject, options),
    replay: frames =>
      inWorld(async world => {
        await world.turn(0)
        for (const { to, hex } of frames)
          await world.feed(subject, { to: to as Victim, bytes: Buffer.from(hex, 'hex') })
        return await judge(world, subject)
      })
  }
}
