// A peer loads this module before p2p-worker (NODE_OPTIONS), to observe the shipped code. At each SIGUSR2 the peer writes the load of the event
// loop since the last signal to a file in its home folder. At the end of each job the peer writes the times of folds and checkpoints. With
// BENCH_NO_CHECKPOINTS the leader takes no checkpoints, so that the difference of the times is the cost of checkpoints.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const RESOLUTION_MS = 5
const { HOME: home, BENCH_DIST: dist, BENCH_NO_CHECKPOINTS: none } = process.env

if (isMainThread && dist !== undefined) {
  const { Checkpointer } = await import(new URL('jobs/leader/checkpointer.js', dist).href)
  // The checkpointer never learns of a fold, so it takes no checkpoint.
  if (none !== undefined) Checkpointer.prototype.folded = () => {}
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let since = performance.eventLoopUtilization()
  process.on('SIGUSR2', () => {
    const { utilization } = performance.eventLoopUtilization(since)
    const late = q => Math.max(0, delay.percentile(q) / 1e6 - RESOLUTION_MS)
    const seen = { utilization, p99: late(99), most: late(100) }
    writeFileSync(`${home}/observed-${process.pid}`, `${JSON.stringify(seen)}\n`, { flag: 'a' })
    since = performance.eventLoopUtilization()
    delay.reset()
  })
}

// The folding thread measures the times of checkpoints and of folds.
if (!isMainThread && dist !== undefined) {
  const { Folder } = await import(new URL('tasks/thread/folder.js', dist).href)
  const { fold, checkpoint, finish } = Folder.prototype
  let foldMs = 0
  let checkpointMs = 0
  let checkpoints = 0
  Folder.prototype.fold = async function (...args) {
    const began = performance.now()
    await fold.apply(this, args)
    foldMs += performance.now() - began
  }
  Folder.prototype.checkpoint = async function () {
    const began = performance.now()
    const taken = await checkpoint.call(this)
    checkpointMs += performance.now() - began
    checkpoints++
    return taken
  }
  Folder.prototype.finish = function () {
    const seen = { foldMs, checkpointMs, checkpoints }
    writeFileSync(`${home}/folded-${process.pid}`, `${JSON.stringify(seen)}\n`, { flag: 'a' })
    return finish.call(this)
  }
}
