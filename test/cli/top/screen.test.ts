import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Screen, type Terminal } from '../../../src/cli/top/screen.ts'

const folder = mkdtempSync(join(tmpdir(), 'p2p-worker-test-'))
const file = join(folder, 'terminal')
const fd = openSync(file, 'w')
let written: string[] = []
const terminal = { fd, write: (text: string) => written.push(text) } as unknown as Terminal

afterEach(() => {
  written = []
})

/** Takes the output since the last call. */
function output(): string {
  return written.splice(0).join('')
}

describe('the screen of top', () => {
  it('top draws on the alternate screen, and restores the previous content and the cursor at the end', () => {
    const screen = new Screen(terminal)
    screen.enter()
    expect(output()).toMatch(/\[\?1049h.*\[\?25l/)
    screen.leave()
    expect(readFileSync(file, 'utf8')).toMatch(/\[\?25h.*\[\?1049l$/)
  })

  it('the screen of top is restored when the process exits', () => {
    const before = process.listeners('exit')
    const screen = new Screen(terminal)
    screen.enter()
    const [leave] = process.listeners('exit').filter(each => !before.includes(each))
    leave!.call(process, 1)
    expect(screen.isOpen).toBe(false)
    screen.leave()
    expect(process.listeners('exit')).toEqual(before)
  })

  it('the screen of top writes only the rows that have changed', () => {
    const screen = new Screen(terminal)
    screen.enter()
    screen.draw(['one', 'two', 'three'])
    output()
    screen.draw(['one', 'TWO', 'three'])
    expect(output()).toMatch(/\[2;1H.*TWO/)
    screen.draw(['one', 'TWO', 'three'])
    expect(output()).toBe('')
    screen.clear()
    screen.draw(['one', 'TWO', 'three'])
    expect(output()).toMatch(/one.*TWO.*three/)
    screen.leave()
  })

  it('the screen of top never clears the scrollback of the terminal', () => {
    const screen = new Screen(terminal)
    screen.enter()
    screen.draw(['one'])
    screen.clear()
    screen.draw(['two'])
    screen.leave()
    expect(output() + readFileSync(file, 'utf8')).not.toContain('[3J')
  })

  it('the screen of top ignores rows after it is closed', () => {
    new Screen(terminal).draw(['one'])
    expect(output()).toBe('')
    closeSync(fd)
    rmSync(folder, { recursive: true })
  })
})
