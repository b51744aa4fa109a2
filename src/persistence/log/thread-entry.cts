/** The file of the thread of durable-log.ts. It is CommonJS for the reason that tasks/thread/thread-entry.cts gives. */
import threads = require('node:worker_threads')

const { parentPort, workerData } = threads

import('./log-thread.ts').then(({ serve }) => serve(parentPort!, workerData as string))
