/** A table for people: columns as wide as their widest cell, numbers to the right. */
import { stripVTControlCharacters } from 'node:util'

export interface Column {
  title: string
  align?: 'left' | 'right'
}

const width = (text: string): number => [...stripVTControlCharacters(text)].length

export function table(columns: Column[], rows: string[][]): string {
  const widths = columns.map((column, index) =>
    Math.max(width(column.title), ...rows.map(row => width(row[index] ?? '')))
  )
  const line = (cells: string[]): string =>
    columns
      .map((column, index) => {
        const cell = cells[index] ?? ''
        const padding = ' '.repeat(widths[index]! - width(cell))
        return column.align === 'right' ? padding + cell : cell + padding
      })
      .join('  ')
      .trimEnd()
  return [line(columns.map(column => column.title)), ...rows.map(line)].join('\n')
}
