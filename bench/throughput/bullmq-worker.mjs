// A worker process of BullMQ, which runs no-op jobs until SIGTERM.
import { Worker } from 'bullmq'

const [port, queue, concurrency] = process.argv.slice(2)
const worker = new Worker(queue, async job => job.data, {
  connection: { host: '127.0.0.1', port: Number(port) },
  concurrency: Number(concurrency)
})
await worker.waitUntilReady()
process.send?.('ready')
process.on('SIGTERM', () => worker.close().then(() => process.exit(0)))
