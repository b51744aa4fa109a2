import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, Served } from './served.ts'

/** The length of a header in characters, near Node's limit of 16 KiB for all headers. */
const LENGTH = 15_000
/** Texts whose repetition makes some regular expressions backtrack. */
const UNITS = [
  ' ',
  '\t',
  ', ',
  ',',
  ';',
  ' ;',
  '; q=0',
  'a ',
  '"',
  'W/',
  'W/",',
  '=',
  '.',
  ':',
  '/',
  '%',
  '%ff',
  '-',
  '1',
  '&',
  '[',
  '://'
]
/** The headers that routes read, each with a route that reads the header. */
const HEADERS = [
  ['If-None-Match', 'GET', '/'],
  ['Accept-Encoding', 'GET', '/'],
  ['Host', 'GET', '/'],
  ['Origin', 'GET', '/'],
  ['Sec-Fetch-Site', 'GET', '/'],
  ['Sec-Fetch-Mode', 'GET', '/'],
  ['Sec-Fetch-Dest', 'GET', '/'],
  ['Authorization', 'GET', '/api/jobs'],
  ['Content-Type', 'POST', '/api/jobs']
] as const
/** Paths to which the test appends a hostile text without blanks. */
const TARGETS = [
  '/',
  '/dashboard/',
  '/api/jobs/',
  '/api/chunks/',
  '/api/jobs/x/result?wait=',
  '/api/jobs/x/result?',
  '/?'
]

/** Returns the CPU time of a request, in µs. CPU time does not depend on other processes. */
async function costOf(ask: () => Promise<Answer>): Promise<number> {
  const before = process.cpuUsage()
  await ask()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

describe('a request', () => {
  let served: Served

  beforeAll(async () => {
    served = await Served.start()
  })

  afterAll(() => served.stop())

  /**
   * Expects that the cheapest of five hostile requests costs less CPU time than 20 short requests. Only the cheapest request counts, because
   * the peer may do other work during a request. With a quadratic pattern, a request takes hundreds of times as long as a short request.
   */
  async function expectAsCheap(hostile: () => Promise<Answer>, short: () => Promise<Answer>): Promise<void> {
    let cost = Number.POSITIVE_INFINITY
    const usual = Math.min(await costOf(short), await costOf(short))
    for (let i = 0; i < 5 && cost >= 20 * usual; i++) cost = Math.min(cost, await costOf(hostile))
    expect(cost).toBeLessThan(20 * usual)
  }

  it.each(HEADERS)(
    'a hostile value of the header %s does not make a request much slower',
    async (name, method, path) => {
      const ask = (value: string) => () => served.own(path, { method, headers: { [name]: value } })
      for (const unit of UNITS) {
        const filled = unit.repeat(Math.floor((LENGTH - 2) / unit.length))
        await expectAsCheap(ask(`a${filled}b`), ask('a'))
      }
    }
  )

  it.each(TARGETS)('a hostile text after the path %s does not make a request much slower', async path => {
    const ask = (rest: string) => () => served.own(path + rest)
    const short = ask('a')
    for (const unit of [...UNITS.filter(unit => !/\s/.test(unit)), 'wait=1&', '&wait', '?', '//', '..', '%2e%2e%2f']) {
      await expectAsCheap(ask(unit.repeat(Math.floor((LENGTH - 1) / unit.length))), short)
    }
  })
})
