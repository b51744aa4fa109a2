import { describe, expect, it } from 'vitest'
import { fill, oneLine } from '../../../src/cli/terminal/text-width.ts'

describe('text in the cells of a terminal', () => {
  it('fills its cells exactly, left or right aligned, and marks a cut with an ellipsis', () => {
    expect(fill('one', 5)).toBe('one  ')
    expect(fill('one', 5, 'right')).toBe('  one')
    expect(fill('a longer one', 5)).toBe('a lo…')
    // Two cells each: one cell is left.
    expect(fill('数据处理', 4)).toBe('数… ')
  })

  it('is one line without colours and control characters, whatever its source', () => {
    expect(oneLine('\u001b[31mred\u001b[0m\nnext\t\u0007line')).toBe('red next line')
  })

  it('contains no characters that change its direction or combine with their neighbours', () => {
    expect(oneLine('\u202eevil')).toBe('evil')
    expect(oneLine('\u0301\u0d46a e\u0301 \u0301b')).toBe('a e\u0301 b')
    expect(oneLine('\u{1f3fb}x\ufe0f')).toBe('x')
  })
})
