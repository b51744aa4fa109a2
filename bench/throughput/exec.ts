/** Measures `map`, which runs one command for each line, compared with GNU parallel. Both run two commands at a time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { root } from '../../test/cluster/processes.ts'
import { withCluster } from '../recovery/clusters.ts'

export interface Exec {
  lines: number
  /** The times in ms from the start of the command to its end. */
  map: number[]
  /** The times of GNU parallel, in ms. They are undefined if GNU parallel is not installed. */
  parallel: number[] | undefined
}

export async function exec(lines: number, runs: number, tell: (run: number, found: Exec) => void): Promise<Exec> {
  const hasParallel = await timed(`parallel --version > /dev/null`).then(
    () => true,
    () => false
  )
  return await withCluster([{ args: ['--slots', '2'] }], async cluster => {
    const bootstrap = cluster.live[0]!.addresses[0]!
    const map = `"${process.execPath}" "${root}/dist/cli/main.js" map --exec true --no-mdns --bootstrap ${bootstrap}`
    const env = { ...process.env, ...cluster.env }
    const found: Exec = { lines, map: [], parallel: hasParallel ? [] : undefined }
    await timed(`seq 100 | ${map}`, env)
    for (let run = 1; run <= runs; run++) {
      found.map.push(await timed(`seq ${lines} | ${map}`, env))
      found.parallel?.push(await timed(`seq ${lines} | parallel --will-cite -j2 true`))
      tell(run, found)
    }
    return found
  })
}

async function timed(command: string, env = process.env): Promise<number> {
  const began = performance.now()
  const child = spawn('sh', ['-c', command], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
  return performance.now() - began
}
