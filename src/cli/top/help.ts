import { fillLines, type Line, lineOf, piece } from './line.ts'

const KEYS: Array<[keys: string, what: string]> = [
  ['↑ ↓  k j', 'select a row'],
  ['PgUp PgDn', 'a page up, a page down'],
  ['Home g, End G', 'the first row, the last one'],
  ['Tab', 'between members and jobs'],
  ['c', 'cancel the selected job (asks first)'],
  ['Ctrl-L', 'draw the screen anew'],
  ['Ctrl-Z', 'stop; fg goes on'],
  ['q  Ctrl-C', 'quit']
]
const SIGNS = [
  '★ leads.  BUSY: chunks running, of its slots.',
  'RTT: from the peer that top is attached to.',
  'PER S and ETA: by the last seconds.'
]

/** Returns the help screen: the meaning of the keys and signs, in exactly `rows` lines. */
export function helpLines(columns: number, rows: number): Line[] {
  const keys = KEYS.map(([names, what]) => lineOf([piece(` ${names.padEnd(14)}`, 'strong'), piece(what)], columns))
  const signs = SIGNS.map(text => lineOf([piece(` ${text}`)], columns))
  return fillLines([...keys, ...signs], rows, columns)
}
