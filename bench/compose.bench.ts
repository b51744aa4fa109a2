/**
 * Measures the project's docker-compose.yml on a real engine: the time from one command to the first verified result, the
 * time from `docker kill` of the leader's container to the next leader, and the size of the image without its base.
 *
 *     npm run bench -- compose [KILLS]
 *
 * The benchmark has the same requirements as `npm run test:compose`.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { baseImage } from '../test/compose/base.ts'
import { buildImage, ComposeCluster } from '../test/compose/cluster.ts'
import { findEngine } from '../test/compose/engine.ts'
import { median, table } from './statistics.ts'

const IMAGE = 'p2p-worker-bench'
/** The base image of the Dockerfile, for an engine that can pull the image. */
const DEFAULT_BASE = 'node:24-bookworm-slim'
/** The time between the forming of the cluster and the kill of its leader, in ms. */
const STANDS_MS = 3_000
const kills = Number(process.argv[2] ?? 3)

const found = await findEngine()
if (typeof found === 'string') {
  console.error(`there is no Docker engine to measure on: ${found}`)
  process.exit(1)
}
const { engine, stop } = found
const cluster = new ComposeCluster(engine, 'p2p-worker-bench', { P2P_WORKER_IMAGE: IMAGE })

/** Returns the size of an image, in bytes. */
async function size(image: string): Promise<number> {
  return Number((await cluster.docker(['image', 'inspect', '--format', '{{.Size}}', image])).stdout)
}

/** Kills the leader, and returns the time to the next leader in ms. The engine's log and this process share one clock. */
async function killLeader(): Promise<number> {
  const { epoch } = await cluster.settled()
  const leader = await cluster.leader()
  const others = (await cluster.running()).filter(({ id }) => id !== leader.id)
  await delay(STANDS_MS)
  const killedAt = Date.now()
  await cluster.docker(['kill', leader.id])
  const took = (await cluster.nextLeader(others, killedAt, epoch)) - killedAt
  await cluster.docker(['start', leader.id])
  return took
}

try {
  const base = await baseImage(engine)
  await buildImage(engine, IMAGE, base)
  const began = performance.now()
  const { code, stdout, stderr } = await cluster.cli(['run', 'examples/nas-ep.ts', '--json'], { deps: true })
  const first = performance.now() - began
  if (code !== 0 || JSON.parse(stdout).result.verified !== true) throw new Error(`the job failed: ${stdout}${stderr}`)
  const took: number[] = []
  for (let i = 0; i < kills; i++) took.push(await killLeader())
  const own = (await size(IMAGE)) - (await size(base ?? DEFAULT_BASE))
  console.log(
    table(
      [
        'containers',
        'one command to the first verified result, s',
        `next leader, ms: median of ${kills} (all)`,
        'image without base, MB'
      ],
      [[4, (first / 1000).toFixed(1), `${median(took)} (${took.join(', ')})`, (own / 1e6).toFixed(1)]]
    )
  )
} finally {
  await cluster.down()
  await cluster.docker(['image', 'rm', IMAGE])
  await stop()
}
