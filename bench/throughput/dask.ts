import { using } from '../membership/resources.ts'
import { type Python, PythonProcess, script } from './python.ts'
import { checkSum, type Rate } from './rate.ts'

/** Measures Dask.distributed with two worker processes of one thread. A script submits the tasks and gathers the results. */
export async function daskRate(python: Python, tasks: number): Promise<Rate> {
  const process = new PythonProcess(python, [script('dask_no_op.py'), `${tasks}`])
  const { ms, sum } = await using(Promise.resolve(process), submitter =>
    submitter.result<{ ms: number; sum: number }>()
  )
  checkSum('Dask.distributed', tasks, sum)
  return { tasks, ms }
}
