/** Compares the tour of the rooms in docs/architecture.md with the folders of src/. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './blocks/block.ts'

const tour = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

/** The description of each room: an item of a list that begins with a link to the room. */
const described = new Map(
  [...tour.matchAll(/^- \*\*\[([a-z]+)\/\]\(\.\.\/src\/\1\)\*\*: .*(?:\n {2}.*)*/gm)].map(([item, room = '']) => [
    room,
    item
  ])
)

test('the tour describes every room of src/, and no room that src/ does not have', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter(entry => entry.isDirectory())
  expect([...described.keys()].sort()).toEqual(folders.map(({ name }) => name).sort())
})

test('the description of a room has at most three lines', () => {
  const long = [...described].filter(([, item]) => item.split('\n').length > 3).map(([room]) => room)
  expect(long).toEqual([])
})

test('the description of a room links to a file in the room where a reader can start', () => {
  // The room `wire` contains only schemas and generated code.
  const rooms = [...described].filter(([room]) => room !== 'wire')
  const closed = rooms.filter(([room, item]) => !item.includes(`](../src/${room}/`)).map(([room]) => room)
  expect(closed).toEqual([])
})
