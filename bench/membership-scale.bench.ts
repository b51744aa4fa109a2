/**
 * npm run bench -- membership-scale [SIZE…]: the membership core in simulated clusters of up to 5,000 members. 5,000 take more
 * than a quarter of an hour and 18 GB of memory.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { gossipHops, messagesPerPeriod, timesToFirstProbe } from '../test/simulation/membership-scale.ts'

const SIZES = [10, 50, 100, 500, 1_000, 5_000]
/** Crashes looked at for each size, at most one member in 20 in one world. */
const CRASHES = 400
const NEWS = 20

interface Row {
  firstProbe: number
  crashes: number
  hops: { mean: number; most: number }
  messages: number
  gigabytes: number
}

function measure(size: number): Row {
  const crashes = Math.max(1, Math.floor(size / 20))
  const times: number[] = []
  for (let seed = 1; times.length < CRASHES; seed++) times.push(...timesToFirstProbe(seed, size, crashes))
  const hops = gossipHops(1, size, NEWS)
  return {
    firstProbe: mean(times),
    crashes: times.length,
    hops: { mean: mean(hops), most: Math.max(...hops) },
    messages: messagesPerPeriod(1, size),
    gigabytes: process.memoryUsage.rss() / 2 ** 30
  }
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** In a process of its own, with room for the tables of all members. */
async function measureApart(size: number): Promise<Row> {
  const child = fork(process.argv[1]!, ['--one', String(size)], { execArgv: ['--max-old-space-size=17500'] })
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the simulation of ${size} members ended with ${code}`)
  })
  const [row] = (await Promise.race([once(child, 'message'), failed])) as [Row]
  return row
}

async function main(sizes: number[]): Promise<void> {
  console.log(
    '| members | crashes | first probe after a silent crash, mean | gossip to all: hops, mean (most) | messages sent a member and period |'
  )
  console.log('|---|---|---|---|---|')
  for (const size of sizes) {
    const { firstProbe, crashes, hops, messages } = await measureApart(size)
    console.log(
      `| ${size.toLocaleString('en')} | ${crashes} | ${firstProbe.toFixed(2)} periods | ${hops.mean.toFixed(1)} (${hops.most}) | ${messages.toFixed(2)} |`
    )
  }
}

const [first, ...rest] = process.argv.slice(2)
if (first === '--one') {
  process.send!(measure(Number(rest[0])), () => process.exit(0))
} else {
  const sizes = [first, ...rest].flatMap(text => (text === undefined ? [] : [Number(text)]))
  await main(sizes.length > 0 ? sizes : SIZES)
}
