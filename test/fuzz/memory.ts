import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Measures the memory of this process after a garbage collection, in bytes: the objects in the heap, and the buffers outside of the heap. */
export async function bytesHeld(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collect()
    // Node releases buffers and runs finalizers between turns of the event loop, so wait for a turn.
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  const { heapUsed, external } = process.memoryUsage()
  // `external` includes the ArrayBuffers.
  return heapUsed + external
}
