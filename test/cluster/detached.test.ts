import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProcessCluster } from './processes.ts'

/** A task that prints output continuously and never ends. */
const TALK = `export default {
  split: () => Array.from({ length: 10_000 }, (_, i) => i),
  run: async () => {
    console.log('still here')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}`

describe('a detached job', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.start(3)
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  it('any client that attaches to a detached job gets the result, even if the leader was killed', async () => {
    const until = `${cluster.home}/until`
    const input = JSON.stringify({ n: 400, ms: 250, until })
    const submitted = await cluster.run(['run', 'test/cluster/tasks/sleep-sum.ts', '--input', input, '--detach'])
    const id = submitted.stdout.trim()
    expect(submitted).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/),
      stderr: 'held by 3 peers, in memory only\n'
    })
    const [leader, next] = cluster.byRank()
    await leader!.end('SIGKILL')
    expect(leader!.events.filter(({ state }) => state === 'completed')).toEqual([])
    await next!.follows(next!.id)
    const result = cluster.spawn(['result', id])
    const { stdout } = await cluster.run(['jobs', '--json'])
    expect(JSON.parse(stdout)).toMatchObject([{ jobId: id, task: 'sleep-sum', ageMs: null }])
    await writeFile(until, '')
    expect(await result.ended).toMatchObject({ code: 0, stdout: `${(400 * 399) / 2}\n` })
    expect(await cluster.run(['cancel', id])).toMatchObject({ code: 0, stdout: `job ${id} has already completed\n` })
  })

  it('several clients can wait for a detached job: a waiting client that leaves does not end the job, and another client can cancel the job', async () => {
    const task = `${cluster.home}/talk.ts`
    await writeFile(task, TALK)
    const { jobId, state } = JSON.parse((await cluster.run(['run', task, '--detach', '--json'])).stdout)
    expect(state).toMatch(/^(accepted|running)$/)
    const [leaves, stays] = [cluster.spawn(['result', jobId]), cluster.spawn(['result', jobId, '--json'])]
    for (const each of [leaves, stays])
      await each.until('a line of the task', ({ stderr }) => stderr.includes('still here'))
    leaves.child.kill('SIGINT')
    expect((await leaves.ended).code).toBe(130)
    expect(await cluster.run(['cancel', jobId])).toMatchObject({ code: 0, stdout: `job ${jobId} is cancelled\n` })
    const { code, stdout } = await stays.ended
    expect(JSON.parse(stdout)).toMatchObject({ jobId, state: 'cancelled', result: null })
    expect(code).toBe(1)
  })

  it('a client that asks for the result or the cancellation of an unknown job exits 1 and reports that the job is unknown', async () => {
    for (const command of ['result', 'cancel']) {
      const { code, stdout, stderr } = await cluster.run([command, 'nobodys'])
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain('the cluster knows no job nobodys')
    }
  })
})
