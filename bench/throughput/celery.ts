import { using } from '../membership/resources.ts'
import { type Python, PythonProcess, script } from './python.ts'
import { checkSum, type Rate } from './rate.ts'
import { withRedis } from './redis.ts'

const WORKER = ['-m', 'celery', '-A', 'celery_no_op', 'worker', '--pool', 'prefork', '--concurrency', '2']
/** Options that disable features which a cluster of one worker does not need. */
const WITHOUT = ['--without-gossip', '--without-mingle', '--without-heartbeat']

/** Measures Celery with Redis and two processes. A script submits the tasks and receives the results through Redis. */
export async function celeryRate(python: Python, tasks: number): Promise<Rate> {
  return await withRedis(port => {
    const env = { REDIS: `redis://127.0.0.1:${port}/0` }
    return using(Promise.resolve(new PythonProcess(python, [...WORKER, ...WITHOUT], env)), async () => {
      const process = new PythonProcess(python, [script('celery_no_op.py'), `${tasks}`], env)
      const { ms, sum } = await using(Promise.resolve(process), submitter =>
        submitter.result<{ ms: number; sum: number }>()
      )
      checkSum('Celery', tasks, sum)
      return { tasks, ms }
    })
  })
}
