import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENDLESS, FAILS, Served, SUM } from './served.ts'

describe('jobs over HTTP', () => {
  let served: Served

  beforeAll(async () => {
    served = await Served.start()
    await served.leads()
  })

  afterAll(() => served.stop())

  async function result(id: string): Promise<unknown> {
    return (await served.own(`/api/jobs/${id}/result?wait=60`)).json
  }

  it('a job is submitted with a path, a file URL or its source', async () => {
    const path = await served.file('sum.ts', SUM)
    const input = { numbers: [1, 2, 3] }
    for (const named of [{ task: path }, { task: pathToFileURL(path).href }, { source: SUM }]) {
      const { status, json, headers } = await served.submit({ ...named, input })
      expect([status, json.state]).toEqual([201, 'accepted'])
      expect(headers.location).toBe(`/api/jobs/${json.jobId}`)
      expect(await result(json.jobId)).toBe(14)
    }
    expect(readdirSync(tmpdir()).filter(name => name.includes(`-${process.pid}-http-`))).toEqual([])
  })

  it('a job outlives the request that submitted it, is listed, and is cancelled with the token', async () => {
    const { json } = await served.submit({ source: ENDLESS, options: { id: 'endless' } })
    expect(json.jobId).toBe('endless')
    const { json: listed } = await served.own('/api/jobs')
    expect(listed).toContainEqual(expect.objectContaining({ jobId: 'endless', task: 'endless' }))
    expect((await served.own('/api/jobs/endless')).json).toMatchObject({ jobId: 'endless', task: 'endless' })
    const waiting = await served.own('/api/jobs/endless/result?wait=1')
    expect([waiting.status, waiting.json.jobId]).toEqual([202, 'endless'])
    expect((await served.own('/api/jobs/endless', { method: 'DELETE' })).json.state).toBe('cancelled')
    expect((await served.own('/api/jobs/endless', { method: 'DELETE' })).json.state).toBe('cancelled')
    const ended = await served.own('/api/jobs/endless/result')
    expect([ended.status, ended.json.error.name]).toEqual([409, 'JobCancelledError'])
  })

  it('a DELETE request cancels a job of another client', async () => {
    const job = await served.peer.submit(await served.file('endless.ts', ENDLESS), undefined)
    expect((await served.own(`/api/jobs/${job.id}`, { method: 'DELETE' })).json.state).toBe('cancelled')
    await expect(job.result()).rejects.toMatchObject({ name: 'JobCancelledError' })
  })

  it('a repeated submission joins the job with the same id, and a submission with the same id but other content is refused', async () => {
    const same = { source: SUM, input: { numbers: [2] }, options: { id: 'once' } }
    expect((await served.submit(same)).status).toBe(201)
    expect((await served.submit(same)).status).toBe(201)
    expect(await result('once')).toBe(4)
    for (const at of [{}, { at: Date.now() + 3_600_000 }]) {
      const other = await served.submit({ ...same, input: { numbers: [3] }, options: { ...same.options, ...at } })
      expect([other.status, other.json.error.name]).toEqual([409, 'IdTakenError'])
    }
  })

  it('the answer to a submission says at how many peers the job is held', async () => {
    const { json } = await served.submit({ source: SUM, input: { numbers: [2] } })
    expect(json.durability).toEqual({ memory: 1, disk: 0 })
  })

  it('a failed job reports its error with the stack of the task', async () => {
    const { json } = await served.submit({ source: FAILS })
    expect(await result(json.jobId)).toEqual({
      error: {
        name: 'JobFailedError',
        message: expect.stringContaining('too far'),
        function: 'run',
        index: 0,
        stack: expect.stringContaining('task.ts')
      }
    })
  })

  it('a result that JSON cannot represent is tagged', async () => {
    const source =
      'export default { split: () => [1], run: () => 12n, finish: ([n]) => ({ n, at: new Map([[1, NaN]]) }) }'
    const { json } = await served.submit({ source })
    expect(await result(json.jobId)).toEqual({ n: { $bigint: '12' }, at: { $map: [[1, { $number: 'NaN' }]] } })
  })

  const WRONG: [what: string, body: unknown, message: RegExp][] = [
    ['an array as the body', [1], /must be an object/],
    ['an empty object', {}, /give one of `task`/],
    ['task and source', { task: 'a', source: 'b' }, /give one of `task`/],
    ['a number as the task', { task: 7 }, /`task` must be the path/],
    ['an unknown field', { source: SUM, inputs: 1 }, /"inputs"/],
    ['an unknown option', { source: SUM, options: { retry: 1 } }, /"retry"/],
    ['an option named like a prototype property', { source: SUM, options: { constructor: 1 } }, /"constructor"/],
    ['an option of another type', { source: SUM, options: { retries: '1' } }, /`options.retries` must be a number/],
    ['an option out of range', { source: SUM, options: { priority: 1_000 } }, /`priority` must be a whole number/],
    ['malformed tags', { source: SUM, options: { requires: { gpu: 1 } } }, /`requires`/],
    ['a malformed id', { source: SUM, options: { id: '../x' } }, /`id` must have/]
  ]

  it.each(WRONG)('a submission with %s is refused', async (_, body, message) => {
    const { status, json } = await served.own('/api/jobs', { method: 'POST', body: JSON.stringify(body) })
    expect([status, json.error.name]).toEqual([400, 'InvalidOptionError'])
    expect(json.error.message).toMatch(message)
  })

  it.each(['', '{', 'nul', '{"source":"x"}}', '\u0000'])(
    'a submission whose body is not JSON is refused: %j',
    async body => {
      const { status, json } = await served.own('/api/jobs', { method: 'POST', body })
      expect([status, json.error.message]).toEqual([400, expect.stringContaining('the body is not JSON')])
    }
  )

  it('a submission whose Content-Type is not JSON is refused, because a web page could send the submission without a preflight', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonp'
    ]) {
      const headers = { 'Content-Type': type }
      expect((await served.own('/api/jobs', { method: 'POST', body: '{}', headers })).status).toBe(415)
    }
  })

  it('a submission whose task does not compile or does not exist is refused', async () => {
    for (const body of [
      { source: 'x(' },
      { source: 'export default 1' },
      { task: '/none.ts' },
      { task: 'http://x/y.ts' }
    ]) {
      const { status, json } = await served.submit(body)
      expect([status, json.error.name]).toEqual([422, 'TaskLoadError'])
    }
  })

  it('the server reads at most 32 MiB of a body, whatever Content-Length the client sends', async () => {
    const large = await served.submit({ source: 'x'.repeat(2 ** 25) })
    expect([large.status, large.json.error.name]).toEqual([413, 'BodyTooLarge'])
    // A chunked body has no Content-Length, and this body never ends.
    const { hostname, port } = new URL(served.http.url)
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', data => {
      answer += data
    })
    socket.on('error', () => {})
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.write(
      `POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${served.http.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    )
    const chunk = `100000\r\n${'x'.repeat(2 ** 20)}\r\n`
    let open = true
    socket.once('close', () => {
      open = false
    })
    for (let sent = 0; open && sent < 200; sent++) {
      await new Promise<void>(resolve => socket.write(chunk, () => resolve()))
    }
    await closed
    expect(open).toBe(false)
    if (answer !== '') expect(answer).toMatch(/^HTTP\/1.1 413 /)
    expect((await served.ask('/healthz')).status).toBe(200)
  })

  it.each(['..', '%2e%2e', '..%2f..%2fetc%2fpasswd', 'a%00b', 'x%0d%0aSet-Cookie:a', '%ff', 'a'.repeat(129)])(
    'a request for a job with the id %s is refused',
    async id => {
      for (const path of [`/api/jobs/${id}`, `/api/jobs/${id}/result`]) {
        const { status, headers } = await served.own(path)
        expect([400, 404]).toContain(status)
        expect(headers).not.toHaveProperty('set-cookie')
      }
      expect([400, 404, 405]).toContain((await served.own(`/api/jobs/${id}`, { method: 'DELETE' })).status)
    }
  )

  it.each(['61', '-1', 'x', '1.5', '1e1', '30m'])('a request with the wait time %s is refused', async wait => {
    expect((await served.own(`/api/jobs/x/result?wait=${wait}`)).status).toBe(400)
  })

  it('a request that waits for a job ends when the server stops', async () => {
    const other = await Served.start({ cluster: `http-stop-${process.pid}` })
    await other.leads()
    await other.submit({ source: ENDLESS, options: { id: 'e' } })
    const waiting = other.own('/api/jobs/e/result?wait=60')
    await new Promise(resolve => setImmediate(resolve))
    await other.http.stop()
    const outcome = await waiting.then(
      ({ status }) => status,
      () => 'closed'
    )
    expect([503, 'closed']).toContain(outcome)
    await other.stop()
  })
})
