import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** The memory of this process after a garbage collection, in bytes: objects, and buffers outside the heap. */
export async function bytesHeld(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collect()
    // Buffers are given back, and finalizers run, between turns.
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  const { heapUsed, external } = process.memoryUsage()
  // `external` counts those of ArrayBuffers, too.
  return heapUsed + external
}
