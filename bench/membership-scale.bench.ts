/**
 * npm run bench -- membership-scale [SIZE…]: measures the membership core in simulated clusters of up to 5,000 members.
 * 5,000 members take half an hour and 13 GB of memory.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { gossipHops, messagesPerPeriod, timesToFirstProbe } from '../test/simulation/membership-scale.ts'

const SIZES = [10, 50, 100, 500, 1_000, 5_000]
/** The number of crashes for each size. At most one member in 20 and at most 50 members crash in one world, so that crashes do not affect each other. */
const CRASHES = 400
const MOST_IN_ONE_WORLD = 50
const NEWS = 20
/** The heap in MB. A larger heap would need more memory maps than the 65,530 maps that Linux allows a process by default. */
const HEAP = 13_500

type World = 'probes' | 'hops' | 'messages'

/** The measurements of one world, by kind. */
const worlds: Record<World, (seed: number, size: number) => number[]> = {
  probes: (seed, size) => timesToFirstProbe(seed, size, crashesOf(size)),
  hops: (seed, size) => gossipHops(seed, size, NEWS),
  messages: (seed, size) => [messagesPerPeriod(seed, size)]
}

function crashesOf(size: number): number {
  return Math.min(MOST_IN_ONE_WORLD, Math.max(1, Math.floor(size / 20)))
}

/** Measures one world in a separate process, because the tables of all members of a world fill the memory of one process. */
async function inWorld(world: World, seed: number, size: number): Promise<number[]> {
  const child = fork(process.argv[1]!, ['--world', world, String(seed), String(size)], {
    execArgv: [`--max-old-space-size=${HEAP}`, '--max-semi-space-size=64']
  })
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the simulation of ${size} members ended with ${code}`)
  })
  const [figures] = (await Promise.race([once(child, 'message'), failed])) as [number[]]
  return figures
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

async function probeTimes(size: number): Promise<number[]> {
  const times: number[] = []
  for (let seed = 1; times.length < CRASHES; seed++) times.push(...(await inWorld('probes', seed, size)))
  return times
}

async function main(sizes: number[]): Promise<void> {
  console.log(
    '| members | crashes | first probe after a silent crash, mean | gossip to all: hops, mean (most) | messages sent a member and period |'
  )
  console.log('|---|---|---|---|---|')
  for (const size of sizes) {
    const times = await probeTimes(size)
    const hops = await inWorld('hops', 1, size)
    const messages = mean(await inWorld('messages', 1, size))
    console.log(
      `| ${size.toLocaleString('en')} | ${times.length} | ${mean(times).toFixed(2)} periods | ${mean(hops).toFixed(1)} (${Math.max(...hops)}) | ${messages.toFixed(2)} |`
    )
  }
}

const [first, ...rest] = process.argv.slice(2)
if (first === '--world') {
  const [world, seed, size] = rest
  process.send!(worlds[world as World](Number(seed), Number(size)), () => process.exit(0))
} else {
  const sizes = [first, ...rest].flatMap(text => (text === undefined ? [] : [Number(text)]))
  await main(sizes.length > 0 ? sizes : SIZES)
}
