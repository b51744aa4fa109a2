import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { allBlocks, documentPaths, root } from './block.ts'
import { SCENARIOS, scenarioOf, strayNotes, whyNotRun } from './scenarios.ts'

const blocks = allBlocks()

it('a scenario runs every block of the documents and of the TSDoc', () => {
  expect(blocks.length).toBeGreaterThan(80)
  expect(blocks.flatMap(block => whyNotRun(block, blocks) ?? [])).toEqual([])
})

it('every scenario has blocks to run', () => {
  const named = new Set(blocks.map(scenarioOf))
  expect(Object.keys(SCENARIOS).filter(name => !named.has(name))).toEqual([])
})

it('every comment with notes stands before a block', () => {
  const stray = documentPaths()
    .filter(path => path.endsWith('.md'))
    .flatMap(path => strayNotes(path, readFileSync(join(root, path), 'utf8'), blocks))
  expect(stray).toEqual([])
})
