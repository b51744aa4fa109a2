import { describe, expect, it } from 'vitest'
import { fill, oneLine } from '../../../src/cli/terminal/text-width.ts'

describe('text in the cells of a terminal', () => {
  it('text fills its cells exactly, aligned left or right, and an ellipsis marks a cut', () => {
    expect(fill('one', 5)).toBe('one  ')
    expect(fill('one', 5, 'right')).toBe('  one')
    expect(fill('a longer one', 5)).toBe('a lo…')
    // Each character takes two cells, so one cell is left.
    expect(fill('数据处理', 4)).toBe('数… ')
  })

  it('text in cells is one line without colours and control characters, whatever its source', () => {
    expect(oneLine('\u001b[31mred\u001b[0m\nnext\t\u0007line')).toBe('red next line')
  })

  it('text in cells has no characters that change its direction or combine with their neighbours', () => {
    expect(oneLine('\u202eevil')).toBe('evil')
    expect(oneLine('\u0301\u0d46a e\u0301 \u0301b')).toBe('a e\u0301 b')
    expect(oneLine('\u{1f3fb}x\ufe0f')).toBe('x')
  })
})
