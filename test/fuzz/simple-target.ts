/** Targets below and above the protocols. These targets handle each frame independently and keep no state. */
import { InvalidMessageError } from '../../src/common/errors.ts'
import { Find, told } from './find.ts'
import { bytesHeld } from './memory.ts'
import { Random } from './random.ts'
import type { FuzzOptions, FuzzReport, KeptFrame, Target } from './target.ts'

export interface Simple {
  readonly name: string
  /** Draws valid frames. */
  pool(random: Random): Uint8Array[]
  change(frame: Uint8Array, random: Random, pool: readonly Uint8Array[]): Uint8Array
  /** Handles a frame. Returns whether the frame was handled or refused. Throws a Find, or an error that no frame may cause. */
  feed(frame: Uint8Array): Taken | Promise<Taken>
}

export type Taken = 'handled' | 'refused'

/** Runs code that may refuse a frame. */
export function refusing(run: () => unknown): Taken {
  try {
    run()
    return 'handled'
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error
    return 'refused'
  }
}

const POOL_LASTS = 5_000
const WARM_UP = 2_000
/** The number of frames between two turns of the event loop. In a turn Node reports unhandled rejections and collects garbage. */
const TURN_EVERY = 500

export function simpleTarget(simple: Simple): Target {
  return { name: simple.name, fuzz: options => fuzz(simple, options), replay: frames => replay(simple, frames) }
}

async function fuzz(simple: Simple, { seed, frames = Number.POSITIVE_INFINITY, isOver = () => false }: FuzzOptions) {
  const random = new Random(seed)
  const taken = { handled: 0, refused: 0 }
  let pool: Uint8Array[] = []
  let before = await bytesHeld()
  let count = 0
  let last: Uint8Array = new Uint8Array()
  const what = await watched(async stray => {
    while (count < frames && !isOver()) {
      if (count === WARM_UP) before = await bytesHeld()
      if (count % POOL_LASTS === 0) pool = simple.pool(random)
      last = simple.change(random.pick(pool), random, pool)
      count += 1
      taken[await simple.feed(last)] += 1
      if (count % TURN_EVERY === 0) await turn(stray)
    }
    await turn(stray)
  })
  pool = []
  const grown = (await bytesHeld()) - before
  const find = what === undefined ? undefined : { what, frames: [{ hex: Buffer.from(last).toString('hex') }] }
  return { frames: count, ...taken, grown, find } satisfies FuzzReport
}

function replay(simple: Simple, frames: readonly KeptFrame[]): Promise<string | undefined> {
  return watched(async stray => {
    for (const { hex } of frames) await simple.feed(new Uint8Array(Buffer.from(hex, 'hex')))
    await turn(stray)
  })
}

async function turn(stray: readonly unknown[]): Promise<void> {
  await new Promise(resolve => setImmediate(resolve))
  if (stray.length > 0) throw new Find(`nobody handled ${told(stray[0])}`)
}

/** Resolves with the fault that `run` causes, including unhandled errors. Resolves with undefined if `run` causes no fault. */
async function watched(run: (stray: readonly unknown[]) => Promise<void>): Promise<string | undefined> {
  const stray: unknown[] = []
  const onStray = (error: unknown): void => void stray.push(error)
  process.on('unhandledRejection', onStray)
  process.on('uncaughtException', onStray)
  try {
    await run(stray)
    return undefined
  } catch (error) {
    return error instanceof Find ? error.message : told(error)
  } finally {
    process.off('unhandledRejection', onStray)
    process.off('uncaughtException', onStray)
  }
}
