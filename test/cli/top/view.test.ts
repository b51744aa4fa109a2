import { PassThrough } from 'node:stream'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { lineOf, piece } from '../../../src/cli/top/line.ts'
import { startView, type View } from '../../../src/cli/top/view.tsx'

// Ink checks only when it loads whether the terminal has colours, and a test has no terminal.
const before = vi.hoisted(() => {
  const { FORCE_COLOR } = process.env
  process.env.FORCE_COLOR = '1'
  return FORCE_COLOR
})

// Restores the environment, because other tests in this process start commands, which would otherwise write colours.
afterAll(() => {
  if (before === undefined) delete process.env.FORCE_COLOR
  else process.env.FORCE_COLOR = before
})

let view: View | undefined
afterEach(() => view?.stop())

function start(styled = false) {
  const drawn: string[][] = []
  const keys: string[] = []
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: vi.fn(), ref: vi.fn(), unref: vi.fn() })
  view = startView({
    stdin: stdin as unknown as NodeJS.ReadStream,
    stderr: process.stderr,
    styled,
    onKey: key => keys.push(key),
    onDrawn: rows => drawn.push(rows)
  })
  return { view, drawn, keys, stdin }
}

describe('the Ink view of top', () => {
  it('the Ink view of top draws each frame once, with a string for each row', () => {
    const { view, drawn } = start()
    view.show([lineOf([piece('one')], 10), lineOf([piece('two', 'bad')], 10)], 10)
    expect(drawn.at(-1)).toEqual(['one', 'two'])
    const { length } = drawn
    view.show([lineOf([piece('one')], 20), lineOf([piece('a longer one')], 20)], 20)
    expect(drawn.slice(length)).toEqual([['one', 'a longer one']])
  })

  it('the Ink view of top draws no row longer than the terminal is wide', () => {
    const { view, drawn } = start()
    view.show([lineOf([piece('x'.repeat(30))], 30)], 10)
    expect(drawn.at(-1)![0]).toHaveLength(10)
    expect(drawn.at(-1)).toHaveLength(1)
  })

  it('the Ink view of top writes no escape sequences when colours are switched off', () => {
    const line = { ...lineOf([piece('dead', 'bad'), piece('title', 'title')], 20), selected: true }
    const plain = start(false)
    plain.view.show([line], 20)
    expect(plain.drawn.at(-1)).toEqual(['deadtitle'])
    plain.view.stop()
    const coloured = start(true)
    coloured.view.show([line], 20)
    expect(coloured.drawn.at(-1)![0]).toContain('\u001b[')
  })

  it('the Ink view of top reports each key by its name, even when one input contains several keys', async () => {
    const { stdin, keys } = start()
    const typed = ['q', '\u001b[A', '\u001b[B', '\u001b[5~', '\u001b[6~', '\t', '\u0003', '\u001a', '\u000c', 'jk']
    for (const each of typed) {
      stdin.write(each)
      await new Promise(resolve => setImmediate(resolve))
    }
    await vi.waitFor(() =>
      expect(keys).toEqual(['q', 'up', 'down', 'pageUp', 'pageDown', 'tab', 'ctrl-c', 'ctrl-z', 'ctrl-l', 'j', 'k'])
    )
  })

  it('the Ink view of top reads the keys of the terminal while it runs, and restores the terminal', () => {
    const { view, stdin } = start()
    expect(stdin.setRawMode).toHaveBeenLastCalledWith(true)
    view.stop()
    expect(stdin.setRawMode).toHaveBeenLastCalledWith(false)
  })
})
