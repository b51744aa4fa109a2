/** Compares the tour of the rooms in docs/architecture.md with src/. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './blocks/block.ts'

const tour = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

/** The description of each room: an item of a list, which begins with a link to the room. */
const described = new Map(
  [...tour.matchAll(/^- \*\*\[([a-z]+)\/\]\(\.\.\/src\/\1\)\*\*: .*(?:\n {2}.*)*/gm)].map(([item, room = '']) => [
    room,
    item
  ])
)

test('the tour describes every room of src/, and no other', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter(entry => entry.isDirectory())
  expect([...described.keys()].sort()).toEqual(folders.map(({ name }) => name).sort())
})

test('the description of a room has at most three lines', () => {
  const long = [...described].filter(([, item]) => item.split('\n').length > 3).map(([room]) => room)
  expect(long).toEqual([])
})

test('the description of a room links to a file in the room by which a reader enters', () => {
  // The files of `wire` are schemas and what is generated from them.
  const rooms = [...described].filter(([room]) => room !== 'wire')
  const closed = rooms.filter(([room, item]) => !item.includes(`](../src/${room}/`)).map(([room]) => room)
  expect(closed).toEqual([])
})
