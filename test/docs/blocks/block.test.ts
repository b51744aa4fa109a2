import { expect, it } from 'vitest'
import { blocksOf, placeOf } from './block.ts'
import { kindOf, nameOf, strayNotes, whyNotRun } from './scenarios.ts'

const read = (text: string) => blocksOf('docs/some.md', text)

it('the parser reads the language and line of a fenced block, and reads an indented block as sh', () => {
  const blocks = read('# Some\n\n```ts\nconst a = 1\n```\n\nText:\n\n    ls\n\n    pwd\n\nmore\n')
  expect(blocks.map(({ language, line, text }) => [language, line, text])).toEqual([
    ['ts', 3, 'const a = 1'],
    ['sh', 9, 'ls\n\npwd']
  ])
  expect(placeOf(blocks[1]!)).toBe('docs/some.md:9')
})

it('the parser reads a continued list item and a fence within a fence as text, not as blocks', () => {
  expect(read('- one\n    more of it\n\n````text\n```sh\n````\n').map(({ text }) => text)).toEqual(['```sh'])
})

it('a block has the notes of the comment before the block, with or without an empty line in between', () => {
  const [first, second] = read('<!-- until: a: b; host: 2 -->\n```sh\nls\n```\n\n<!-- exit: 3 -->\n\n    ls\n')
  expect(first!.notes).toEqual({ until: 'a: b', host: '2' })
  expect(second!.notes).toEqual({ exit: '3' })
})

it('the name of the file that a block contains is in the first line or in a note', () => {
  const [code, list] = read('```ts\n// a/b.ts\nexport {}\n```\n\n<!-- file: list.txt -->\n```text\n*\n```\n')
  expect([code, list].map(block => nameOf(block!))).toEqual(['a/b.ts', 'list.txt'])
})

it('a text block shows output if the block directly before it is a script', () => {
  const blocks = read('```sh\nls\n```\n```text\nREADME.md\n```\n```text\nof what?\n```\n')
  expect(blocks.map(block => kindOf(block, blocks))).toEqual(['script', 'output', undefined])
})

it.each([
  ['no language', '```\nls\n```', 'has no language'],
  ['a language that nothing runs', '```rust\nfn main() {}\n```', 'is rust, which nothing runs'],
  ['output of nothing', '```text\nhello\n```', 'shows output of nothing'],
  ['a file that nothing uses', '```ts\n// a.ts\nexport {}\n```', 'no later block of docs/some.md uses it'],
  ['an unknown scenario', '<!-- run: elsewhere -->\n```sh\nls\n```', 'there is no scenario "elsewhere"']
])('the check reports the place and the reason of a block that nothing runs: %s', (_, text, why) => {
  const blocks = read(text)
  expect(whyNotRun(blocks[0]!, blocks)).toMatch(/^docs\/some\.md:\d/)
  expect(whyNotRun(blocks[0]!, blocks)).toContain(why)
})

it('a proto block counts as described, and needs no note with a scenario', () => {
  const blocks = read('```proto\nmessage Ping {}\n```\n')
  expect(whyNotRun(blocks[0]!, blocks)).toBeUndefined()
})

it('the check reports a comment with notes that no block follows', () => {
  const text = '<!-- host: 2 -->\n\nNo block.\n\n<!-- exit: 1 -->\n```sh\nfalse\n```\n'
  expect(strayNotes('docs/some.md', text, read(text))).toEqual([
    'docs/some.md:1: a comment for a block that is not there'
  ])
})

it('the check reports a misspelt note', () => {
  const text =
    '<!-- host: 2; untill: up -->\n```sh\nls\n```\n\n<!-- hots: 2 -->\n\n```sh\nls\n```\n\n<!-- any other comment -->\n\nText.\n'
  expect(strayNotes('docs/some.md', text, read(text))).toEqual([
    'docs/some.md:1: "untill" is nothing that a comment can say of a block',
    'docs/some.md:6: "hots" is nothing that a comment can say of a block'
  ])
})

it.each([
  ['tildes', '~~~sh\nls\n~~~'],
  ['a quotation', '> ```sh\n> ls\n> ```'],
  ['more spaces than four', '       ls', '1. Text:\n\n'],
  ['the line of a list item', '- ```sh\n  ls\n  ```']
])('the check finds a block in a form that the parser does not read: %s', (_, block, before = '') => {
  const text = before + block
  const line = before.split('\n').length
  expect(strayNotes('docs/some.md', text, read(text))[0]).toContain(`docs/some.md:${line}: a block that is not read`)
})

it('the parser reads no block from the indented text of a nested list item', () => {
  const text = '1. One.\n   - Two.\n\n     More of two.\n\n   More of one.\n'
  expect(strayNotes('docs/some.md', text, read(text))).toEqual([])
})

it('the check reports a note with an impossible value', () => {
  const text = '<!-- host: 4; terminal: no -->\n```sh\nls\n```\n\n<!-- exit: one -->\n\n```sh\nls\n```\n'
  expect(strayNotes('docs/some.md', text, read(text))).toEqual([
    'docs/some.md:1: host can be no such value',
    'docs/some.md:1: terminal can be no such value',
    'docs/some.md:6: exit can be no such value'
  ])
})

it('a note or a fence within a block is part of the text of this block', () => {
  const text = '````text\n<!-- host: 2 -->\n~~~\n````\n'
  expect(strayNotes('docs/some.md', text, read(text))).toEqual([])
})
