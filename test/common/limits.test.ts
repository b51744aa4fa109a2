import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { limitValues } from '../../src/cli/options/options.ts'
import { InvalidOptionError } from '../../src/common/errors.ts'
import { DEFAULT_LIMITS, LIMITS, type LimitName, limitsWith } from '../../src/common/limits.ts'
import { OutcomeRetention } from '../../src/jobs/leader/outcome-retention.ts'
import { AddressBook } from '../../src/network/discovery/address-book.ts'
import { ByteBudget } from '../../src/network/guard/byte-budget.ts'
import { parseMultiaddr } from '../../src/network/multiaddr.ts'
import { IDS } from '../jobs/fake-cluster.ts'

const names = Object.keys(LIMITS) as LimitName[]
const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('docs/limits.md lists every limit with its value', () => {
  const rows = [...text('docs/limits.md').matchAll(/^\| `(\w+)` \| ([\d,]+) (.*?) \| ([\d,]+) \| (.*?) \|$/gm)]
  const number = (digits = '') => Number(digits.replaceAll(',', ''))
  const documented = rows.map(([, name, value, unit, least, of]) => [name, number(value), unit, number(least), of])
  expect(documented).toEqual(
    names.map(name => [name, LIMITS[name].value, LIMITS[name].unit, LIMITS[name].least, LIMITS[name].of])
  )
})

test('the source code reads every limit', () => {
  const sources = readdirSync(new URL('../../src', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && path !== 'common/limits.ts' && !path.startsWith('wire/'))
    .map(path => text(`src/${path}`))
    .join('\n')
    // A use of DEFAULT_LIMITS does not count, because such code ignores the configured limits of the peer.
    .replaceAll(/DEFAULT_LIMITS\.\w+/g, '')
  const read = (name: string) =>
    new RegExp(`\\blimits\\.${name}\\b`, 'i').test(sources) ||
    new RegExp(`const \\{[^}]*\\b${name}\\b[^}]*\\} = (?:this\\.#?(?:init\\.)?|)#?limits\\b`, 'i').test(sources) ||
    new RegExp(`\\{ [^}]*\\b${name}\\b[^}]* \\}: Limits`).test(sources)
  expect(names.filter(name => !read(name))).toEqual([])
})

test('the default of each limit lies within the bounds of the limit, and limitsWith() refuses values outside the bounds', () => {
  for (const name of names) {
    const { value, least, most } = LIMITS[name]
    expect(value, name).toBeGreaterThanOrEqual(least)
    expect(value, name).toBeLessThanOrEqual(most)
    expect(limitsWith({ [name]: least })[name]).toBe(least)
    expect(() => limitsWith({ [name]: most + 1 })).toThrow(InvalidOptionError)
    expect(() => limitsWith({ [name]: least - 1 })).toThrow(InvalidOptionError)
  }
})

test('limits that are not set keep their defaults', () => {
  expect(limitsWith()).toEqual(DEFAULT_LIMITS)
  expect(limitsWith({ jobs: undefined } as never)).toEqual(DEFAULT_LIMITS)
  expect(limitsWith({ jobs: 3 })).toEqual({ ...DEFAULT_LIMITS, jobs: 3 })
})

test.each([
  [{ job: 3 }, '"job" is no limit. The limits are membershipRate, '],
  [{ toString: 3 }, '"toString" is no limit'],
  [{ jobs: 1.5 }, 'The limit jobs must be a whole number from 1 to '],
  [{ jobs: '3' }, 'The limit jobs must be a whole number'],
  [{ slowReaderMs: 10 }, 'from 1000 to 2147483647 (ms)'],
  [null, '`limits` must be an object']
])('limitsWith(%j) throws an error that states the reason', (limits, said) => {
  expect(() => limitsWith(limits as never)).toThrow(InvalidOptionError)
  expect(() => limitsWith(limits as never)).toThrow(said)
})

test('the command line accepts several limits, given one by one or separated by commas, and refuses malformed limits', () => {
  expect(limitValues('jobs=3, workRate=10', limitValues('clients=2'))).toEqual({ jobs: 3, workRate: 10, clients: 2 })
  for (const wrong of ['jobs', 'jobs=', '=3', 'jobs=3x', 'jobs=-1', 'nothing=1', 'jobs=0', '']) {
    expect(() => limitValues(wrong), wrong).toThrow(InvalidOptionError)
  }
})

test('an AddressBook and an OutcomeRetention keep entries only up to their limits', () => {
  const book = new AddressBook(limitsWith({ addresses: 2 }))
  const addresses = [1, 2, 3].map(port => `/ip4/10.0.0.1/tcp/${port}`)
  book.announce('peer', addresses, undefined)
  expect(book.toDial('peer')).toHaveLength(2)
  book.find(
    'other',
    addresses.map(address => parseMultiaddr(address, 'a test'))
  )
  expect(book.toDial('other')).toHaveLength(2)

  const dropped: string[] = []
  const forgotten: string[] = []
  const retention = new OutcomeRetention({
    onDrop: job => {
      dropped.push(job)
      retention.bury(job)
    },
    onForget: job => forgotten.push(job),
    limits: limitsWith({ outcomes: 1, endedJobs: 1, outcomeBytes: 2 ** 20 })
  })
  for (const job of ['a', 'b', 'c']) retention.keep(job, 1, 60_000)
  expect(dropped).toEqual(['a', 'b'])
  expect(forgotten).toEqual(['a'])
  retention.keep('d', 2 ** 20, 120_000)
  expect(dropped).toEqual(['a', 'b', 'c'])
  retention.stop()
})

test('all channels of a peer share one inbox budget, and every other peer has a separate budget', () => {
  const budget = new ByteBudget(100)
  const [one, two, other] = [budget.of(IDS[0]!), budget.of(IDS[0]!), budget.of(IDS[1]!)]
  expect(one.take(60)).toBe(true)
  expect(two.take(60)).toBe(false)
  expect(other.take(100)).toBe(true)
  one.give(60)
  expect(two.take(60)).toBe(true)
})
