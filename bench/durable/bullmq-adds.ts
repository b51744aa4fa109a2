/** Adds jobs to BullMQ, whose Redis syncs each change before it is answered. No worker takes them. */
import { bullMq } from '../throughput/bullmq.ts'
import { withRedis } from '../throughput/redis.ts'

/** Calls `use` with a function that adds jobs by several clients, one after the other at each. */
export async function withBullmqAdds<T>(
  folder: string,
  clients: number,
  use: (add: (jobsEach: number) => Promise<void>) => Promise<T>
): Promise<T> {
  return await withRedis(async port => {
    const { Queue } = bullMq()
    const queues = Array.from({ length: clients }, () => new Queue('add', { connection: { host: '127.0.0.1', port } }))
    try {
      await Promise.all(queues.map(queue => queue.waitUntilReady()))
      return await use(async jobsEach => {
        await Promise.all(
          queues.map(async queue => {
            for (let i = 0; i < jobsEach; i++) await queue.add('add', { n: i }, { removeOnComplete: true })
          })
        )
      })
    } finally {
      await Promise.all(queues.map(queue => queue.close()))
    }
  }, folder)
}
