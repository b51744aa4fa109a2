import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toursIn } from '../../bench/examples/tours.ts'
import { root } from './blocks/block.ts'

const folder = join(root, 'examples')
const text = readFileSync(join(folder, 'README.md'), 'utf8')
const sections = new Map(
  text
    .split(/^## /m)
    .slice(1)
    .map(section => [section.split('\n', 1)[0]!, section])
)

/** Returns the cells of each row in a section's table, without the head of the table. */
function rowsOf(section: string): string[][] {
  return section
    .split('\n')
    .filter(line => /^\| [^-]/.test(line))
    .slice(1)
    .map(line => line.split('|').slice(1, -1))
    .map(cells => cells.map(cell => cell.trim()))
}

const listed = rowsOf(text.split(/^## /m)[0]!).map(([name = '']) => /^\[([\w-]+)\]\(#\1\)$/.exec(name)?.[1])

describe('examples/README.md', () => {
  it('examples/README.md has a section for each example in its list, in the order of the list', () => {
    expect([...sections.keys()]).toEqual(['How long they take', ...listed])
  })

  it('examples/README.md links to every file of examples/, and to existing files only', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => link!).filter(link => !link.includes('://'))
    const files = readdirSync(folder).filter(name => !['README.md', 'data'].includes(name))
    expect([...new Set(links)]).toEqual(expect.arrayContaining(files))
    expect(links.filter(link => !existsSync(join(folder, link)))).toEqual([])
  })

  it('examples/README.md has a row of times for each example and size that `npm run bench -- examples` measures', () => {
    const rows = rowsOf(sections.get('How long they take')!)
    expect(rows.map(([name, size]) => [name, size])).toEqual(toursIn('').map(({ name, size }) => [name, size]))
    for (const [name, , ...times] of rows)
      expect(times.join(' '), name).toMatch(/^(?:–|[\d.]+ s) [\d.]+ s [\d.]+ s [\d.]+$/)
  })

  it('examples/README.md shows a picture or the output of each example', () => {
    for (const name of listed) {
      const section = sections.get(name!)!
      expect(section, name).toMatch(/^```sh$/m)
      expect(section, name).toMatch(/^<img |^```(?:text|json)$/m)
    }
  })
})
