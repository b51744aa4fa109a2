// A peer loads this module before p2p-worker (NODE_OPTIONS). The module records when a job passes certain places of the shipped code. The times
// come from a clock that all processes of the machine share. At SIGUSR2 the module writes the records to a file in the peer's home folder. A place that no
// longer exists in the code is not recorded.
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const { HOME: home, BENCH_DIST: dist } = process.env

if (isMainThread && dist !== undefined) {
  const marks = []
  const load = async (file, name) => (await import(new URL(file, dist).href).catch(() => ({})))[name]?.prototype
  /** Records `place` before each call of the method, for the job that `jobOf` reads from the arguments. */
  const mark = (of, method, place, jobOf) => {
    const original = of?.[method]
    if (original === undefined) return
    of[method] = function (...args) {
      const job = jobOf(args)
      if (job !== undefined) marks.push(`${job} ${place} ${performance.timeOrigin + performance.now()}`)
      return original.apply(this, args)
    }
  }
  const requests = await load('jobs/leader/client-requests.js', 'ClientRequests')
  mark(requests, 'onSubmit', 'received', ([message]) => (message.type === 'submit' ? message.job : undefined))
  const manager = await load('jobs/leader/job-manager.js', 'JobManager')
  mark(manager, 'onAccepted', 'accepted', ([job]) => job.id)
  mark(manager, 'onEnded', 'ended', ([job]) => job.id)
  const bench = await load('jobs/worker/worker-core.js', 'WorkerCore')
  mark(bench, 'handle', 'given', ([message]) => (message.type === 'batch' ? message.job : undefined))
  const leaderJob = await load('jobs/leader/leader-job.js', 'LeaderJob')
  if (leaderJob !== undefined) {
    const { tell } = leaderJob
    leaderJob.tell = function (says) {
      if (says.type === 'completed') marks.push(`${this.id} told ${performance.timeOrigin + performance.now()}`)
      return tell.call(this, says)
    }
  }
  process.on('SIGUSR2', () => writeFileSync(`${home}/marks-${process.pid}`, `${marks.join('\n')}\n.\n`))
}
