import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { allBlocks, documentPaths, root } from './block.ts'
import { SCENARIOS, scenarioOf, strayNotes, whyNotRun } from './scenarios.ts'

const blocks = allBlocks()

it('every block of a document, and of TSDoc, is run by a scenario', () => {
  expect(blocks.length).toBeGreaterThan(80)
  expect(blocks.flatMap(block => whyNotRun(block, blocks) ?? [])).toEqual([])
})

it('every scenario has blocks to run', () => {
  const named = new Set(blocks.map(scenarioOf))
  expect(Object.keys(SCENARIOS).filter(name => !named.has(name))).toEqual([])
})

it('every comment that says how a block is run stands before one', () => {
  const stray = documentPaths()
    .filter(path => path.endsWith('.md'))
    .flatMap(path => strayNotes(path, readFileSync(join(root, path), 'utf8'), blocks))
  expect(stray).toEqual([])
})
