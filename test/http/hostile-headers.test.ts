import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, Served } from './served.ts'

/** As much as fits into the headers that Node lets in. */
const LENGTH = 15_000
/** Each of these is what some pattern would look at again and again. */
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
/** All that a route reads of a request, and such a route. */
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
/** Those of which a request's target is made: no blanks. */
const TARGETS = [
  '/',
  '/dashboard/',
  '/api/jobs/',
  '/api/chunks/',
  '/api/jobs/x/result?wait=',
  '/api/jobs/x/result?',
  '/?'
]

/** The CPU time of a request, in µs: what else the machine does does not count. */
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
   * Of a few, as what the peer does besides may fall into one. A pattern that looks at all again for each character takes hundreds of times as long as
   * a request with one character.
   */
  async function expectAsCheap(hostile: () => Promise<Answer>, short: () => Promise<Answer>): Promise<void> {
    let cost = Number.POSITIVE_INFINITY
    const usual = Math.min(await costOf(short), await costOf(short))
    for (let i = 0; i < 5 && cost >= 20 * usual; i++) cost = Math.min(cost, await costOf(hostile))
    expect(cost).toBeLessThan(20 * usual)
  }

  it.each(HEADERS)('costs as much whatever its header %s holds', async (name, method, path) => {
    const ask = (value: string) => () => served.own(path, { method, headers: { [name]: value } })
    for (const unit of UNITS) {
      const filled = unit.repeat(Math.floor((LENGTH - 2) / unit.length))
      await expectAsCheap(ask(`a${filled}b`), ask('a'))
    }
  })

  it.each(TARGETS)('costs as much whatever stands behind %s', async path => {
    const ask = (rest: string) => () => served.own(path + rest)
    const short = ask('a')
    for (const unit of [...UNITS.filter(unit => !/\s/.test(unit)), 'wait=1&', '&wait', '?', '//', '..', '%2e%2e%2f']) {
      await expectAsCheap(ask(unit.repeat(Math.floor((LENGTH - 1) / unit.length))), short)
    }
  })
})
