import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { hideLive, makeWay, say, showLive } from '../../../src/cli/terminal/output.ts'

/** The output of both streams on a terminal. */
let written = ''
const wereTerminals = [process.stdout.isTTY, process.stderr.isTTY]

beforeEach(() => {
  written = ''
  process.stdout.isTTY = true
  process.stderr.isTTY = true
  vi.spyOn(process.stderr, 'write').mockImplementation(data => {
    written += String(data)
    return true
  })
})

afterEach(() => {
  hideLive()
  vi.restoreAllMocks()
  ;[process.stdout.isTTY, process.stderr.isTTY] = wereTerminals as [boolean, boolean]
})

function toStdout(data: string | Uint8Array): void {
  makeWay(data)
  written += String(data)
}

it('the live line disappears before a result is printed, and the next live line is drawn below the result', () => {
  showLive(() => 'one')
  toStdout('result\n')
  showLive(() => 'two')
  hideLive()
  expect(written).toBe('\r\u001b[Jone\r\u001b[Jresult\n\r\u001b[Jtwo\r\u001b[J')
})

it.each([
  ['text', 'half'],
  ['bytes', Buffer.from('half')]
])('no live line is drawn over %s without a line end, until the row is complete', (_, half) => {
  showLive(() => 'one')
  toStdout(half)
  showLive(() => 'two')
  hideLive()
  showLive(() => 'three')
  toStdout(' row\n')
  showLive(() => 'four')
  expect(written).toBe('\r\u001b[Jone\r\u001b[Jhalf row\n\r\u001b[Jfour')
})

it('a message begins on its own row, and the live line returns below the message', () => {
  toStdout('half')
  showLive(() => 'live')
  say('said')
  expect(written).toBe('half\nsaid\n\r\u001b[Jlive')
})
