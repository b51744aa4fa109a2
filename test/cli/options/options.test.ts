import { describe, expect, it } from 'vitest'
import {
  clusterName,
  duration,
  futureTime,
  jobId,
  json,
  list,
  oneOf,
  switchedOn,
  tags,
  timeFromNow,
  timeLimit,
  wholeNumber
} from '../../../src/cli/options/options.ts'
import { InvalidOptionError } from '../../../src/common/errors.ts'

describe('option values', () => {
  it('the duration parser reads ms, s, m and h, and a bare number as seconds', () => {
    expect(['500ms', '10s', '2m', '1h', '1.5s', '3', '0'].map(duration)).toEqual([
      500, 10_000, 120_000, 3_600_000, 1_500, 3_000, 0
    ])
  })

  it.each(['', 'x', '-1s', '10 years', '1e3s', '25d', '1000h', 'NaN'])('the duration parser refuses %j', text => {
    expect(() => duration(text)).toThrow(InvalidOptionError)
  })

  it('the time until a date may be longer than a timer, and ends with the last date', () => {
    expect(['720h', '100000h', '2s'].map(timeFromNow)).toEqual([2_592_000_000, 360_000_000_000, 2_000])
    const hours = Math.floor((8.64e15 - Date.now()) / 3_600_000)
    expect(timeFromNow(`${hours - 1}h`)).toBe((hours - 1) * 3_600_000)
    for (const text of ['', 'x', '-1s', 'tomorrow', `${hours + 1}h`])
      expect(() => timeFromNow(text), text).toThrow('It must be a duration, such as 500ms, 10s or 2m.')
  })

  it('the parser of time limits rounds to whole milliseconds, and refuses a limit below 1 ms', () => {
    expect(['500ms', '1.5', '1.6ms', '2m'].map(timeLimit)).toEqual([500, 1_500, 2, 120_000])
    for (const text of ['0', '0.4ms', 'soon', '-1s']) expect(() => timeLimit(text), text).toThrow(InvalidOptionError)
  })

  it('a time is local without an offset, and must be a real one in the future', () => {
    const at = (text: string): string => futureTime(text).toISOString()
    expect(at('2999-11-28T03:00Z')).toBe('2999-11-28T03:00:00.000Z')
    expect(at('2999-11-28 03:00:05.5+02:00')).toBe('2999-11-28T01:00:05.500Z')
    expect(at(' 2999-11-28t03:00 ')).toBe(new Date(2999, 10, 28, 3).toISOString())
    expect(at('2996-02-29T00:00Z')).toBe('2996-02-29T00:00:00.000Z')
    for (const text of [
      '',
      'noon',
      '03:00',
      '2999-11-28',
      '2999-02-29T00:00Z',
      '2999-13-01T00:00Z',
      '2999-11-28T24:30Z'
    ])
      expect(() => futureTime(text), text).toThrow('a date and time, such as')
    expect(() => futureTime('2020-11-28T03:00Z')).toThrow('2020-11-28T03:00:00.000Z has passed')
  })

  it('the id of a job may have the name and the due time of a schedule', () => {
    expect(jobId('nightly@2030-11-28T03:00:00Z')).toBe('nightly@2030-11-28T03:00:00Z')
    for (const text of ['', 'a/b', 'a b', 'x'.repeat(129)]) expect(() => jobId(text)).toThrow("a job's id")
  })

  it('whole numbers are accepted only within their range', () => {
    const slots = wholeNumber(1, 8)
    expect([slots('1'), slots('8')]).toEqual([1, 8])
    expect(wholeNumber(-5, 5)('-5')).toBe(-5)
    for (const text of ['0', '9', '1.5', '', ' ', 'abc', '0x2', '1e0', 'Infinity']) {
      expect(() => slots(text), text).toThrow('It must be a whole number from 1 to 8.')
    }
  })

  it('the list parser collects repeated and comma-separated values', () => {
    expect(list('/ip4/1.2.3.4/tcp/1, /dns4/a/tcp/2', ['/ip6/::1/tcp/3'])).toEqual([
      '/ip6/::1/tcp/3',
      '/ip4/1.2.3.4/tcp/1',
      '/dns4/a/tcp/2'
    ])
    expect(() => list(' , ')).toThrow('must not be empty')
  })

  it('the tag parser accepts values with an equals sign', () => {
    expect(tags('gpu=a100,zone=eu=1', { disk: 'ssd' })).toEqual({ disk: 'ssd', gpu: 'a100', zone: 'eu=1' })
    expect(() => tags('gpu')).toThrow('A tag is KEY=VALUE, which "gpu" is not.')
    expect(() => tags('=x')).toThrow(InvalidOptionError)
  })

  it('an error about an unknown value lists the allowed values', () => {
    expect(oneOf(['auto', 'worker'])('worker')).toBe('worker')
    expect(() => oneOf(['auto', 'worker'])('boss')).toThrow('It must be one of auto, worker.')
  })

  it('the JSON parser distinguishes null from no value', () => {
    expect(json('null')).toEqual({ value: null })
    expect(() => json('{class:W}')).toThrow('It is not JSON')
  })

  it('the cluster name must fit into file names and DNS labels', () => {
    expect(clusterName('lab-1.x_y')).toBe('lab-1.x_y')
    for (const text of ['', 'a/b', 'a b', 'ä', 'x'.repeat(64)])
      expect(() => clusterName(text)).toThrow(InvalidOptionError)
  })

  it('switchedOn() accepts the usual words for on and off, and refuses any other text', () => {
    expect(['1', 'true', 'YES', 'on'].map(text => switchedOn('X', text))).toEqual([true, true, true, true])
    expect(['0', 'false', 'No', 'off', ''].map(text => switchedOn('X', text))).toEqual([
      false,
      false,
      false,
      false,
      false
    ])
    expect(() => switchedOn('P2P_WORKER_INSECURE', 'maybe')).toThrow('P2P_WORKER_INSECURE must be 1 or 0')
  })
})
