import { describe, expect, it } from 'vitest'
import { fill, oneLine } from '../../../src/cli/terminal/text-width.ts'

describe('text in the cells of a terminal', () => {
  it('fills them exactly, to the left or to the right, and says where it was cut off', () => {
    expect(fill('one', 5)).toBe('one  ')
    expect(fill('one', 5, 'right')).toBe('  one')
    expect(fill('a longer one', 5)).toBe('a lo…')
    // Two cells each: one cell is left.
    expect(fill('数据处理', 4)).toBe('数… ')
  })

  it('is one line without colours and control characters, whoever wrote it', () => {
    expect(oneLine('\u001b[31mred\u001b[0m\nnext\t\u0007line')).toBe('red next line')
  })

  it('has nothing that turns its direction, or is drawn onto what stands beside it', () => {
    expect(oneLine('\u202eevil')).toBe('evil')
    expect(oneLine('\u0301\u0d46a e\u0301 \u0301b')).toBe('a e\u0301 b')
    expect(oneLine('\u{1f3fb}x\ufe0f')).toBe('x')
  })
})
