/** Checks that everything that a line names exists, since the tests have no Kubernetes. `npm run check:deploy` checks the manifest itself. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { createProgram } from '../../../src/cli/program.ts'
import { needs } from '../../needs.ts'
import { allBlocks, placeOf, root } from './block.ts'
import { blocksFor } from './scenarios.ts'

interface Manifest {
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
}

const manifest = readFileSync(join(root, 'deploy/kubernetes.yaml'), 'utf8')
const objects = parseAllDocuments(manifest).map(document => document.toJS() as Manifest)
const lines = blocksFor('kubernetes', allBlocks()).flatMap(block =>
  block.text.split('\n').map((line, i) => ({ place: placeOf({ ...block, line: block.line + i }), line }))
)

/** Returns the words after the verb of a command, without options and the values of options. */
function operands(words: string[]): string[] {
  const verb = { create: 3, rollout: 2 }[words[0]!] ?? 1
  return words
    .slice(verb)
    .filter((word, i, all) => !word.startsWith('-') && !['--filename', '--selector'].includes(all[i - 1]!))
}

/** Whether the manifest contains the object that an operand names, such as `statefulset/p2p-worker`, one of its pods, its secret or its volumes. */
function isKnown(name: string): boolean {
  const [kind, own] = name.includes('/') ? (name.split('/') as [string, string]) : [undefined, name]
  const isSecret = manifest.includes(`secretKeyRef:\n                  name: ${own}\n`)
  if (kind === 'secret') return isSecret
  if (kind !== undefined)
    return objects.some(object => object.kind.toLowerCase() === kind && object.metadata.name === own)
  const isPod = objects.some(object => object.kind === 'StatefulSet' && own === `${object.metadata.name}-0`)
  return isPod || isSecret || (own === 'persistentvolumeclaims' && manifest.includes('volumeClaimTemplates:'))
}

it.each(lines)('$place names objects of the manifest and options of the command (not run): $line', ({ line }) => {
  const [command, inside] = line.split(' -- ') as [string, string?]
  const [program, ...words] = command.split(' ')
  expect(program).toBe('kubectl')
  expect(operands(words).filter(name => !isKnown(name))).toEqual([])
  for (const [, file = ''] of line.matchAll(/--filename (\S+)/g)) expect(existsSync(join(root, file)), file).toBe(true)
  for (const [, name = '', value = ''] of line.matchAll(/--selector ([^=]+)=(\S+)/g)) {
    expect(objects.map(({ metadata }) => metadata.labels?.[name])).toContain(value)
  }
  for (const [, key = ''] of line.matchAll(/--from-file=(\w+)=/g)) expect(manifest).toContain(`key: ${key}\n`)
  if (inside !== undefined) {
    const [own, name, ...args] = inside.split(' ')
    expect(own).toBe('p2p-worker')
    const known = createProgram(() => {}).commands.find(each => each.name() === name)
    expect(known?.exitOverride().parseOptions(args).unknown).toEqual([])
  }
})

needs('kubectl').describe('kubectl', () => {
  it.each(lines)('kubectl knows the options of $place (not run): $line', ({ line }) => {
    const [command] = line.split(' -- ') as [string]
    const words = command.split(' ').slice(1)
    const options = words.filter(word => word.startsWith('--')).map(word => word.split('=')[0]!)
    const verbs = words.slice(0, words[0] === 'create' ? 3 : words[0] === 'rollout' ? 2 : 1)
    const { stdout } = spawnSync('kubectl', [...verbs, '--help'], { encoding: 'utf8' })
    for (const option of options) expect(stdout, `kubectl ${verbs.join(' ')} ${option}`).toContain(`${option}=`)
  })
})
