import { Text } from 'ink'
import { memo, type ReactElement } from 'react'
import { palette } from '../terminal/palette.ts'
import type { Line, Piece, PieceTone } from './line.ts'

interface Look {
  color?: string
  bold?: boolean
  inverse?: boolean
}

const LOOKS: Record<PieceTone, Look> = {
  plain: {},
  strong: { bold: true },
  title: { bold: true, inverse: true },
  good: { color: palette.good.hex },
  caution: { color: palette.caution.hex },
  bad: { color: palette.bad.hex, bold: true },
  gone: { color: palette.gone.hex }
}

interface RowProps {
  line: Line
  /** Whether colours are used; false if NO_COLOR is set. Signs and words contain the same information. */
  styled: boolean
}

function same(a: Piece, b: Piece | undefined): boolean {
  return a.text === b?.text && a.tone === b.tone
}

/** One row of the screen. Ink renders a row again only when the row has changed. */
export const Row = memo(
  function Row({ line, styled }: RowProps): ReactElement {
    const looks = (tone: PieceTone): Look => (styled ? { ...LOOKS[tone], ...(line.selected && { inverse: true }) } : {})
    return (
      <Text wrap="truncate-end">
        {line.pieces.map(({ text, tone }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece is nothing but its place in the row
          <Text key={index} {...looks(tone)}>
            {text}
          </Text>
        ))}
      </Text>
    )
  },
  (before, after) =>
    before.styled === after.styled &&
    before.line.selected === after.line.selected &&
    before.line.pieces.length === after.line.pieces.length &&
    before.line.pieces.every((each, index) => same(each, after.line.pieces[index]))
)
