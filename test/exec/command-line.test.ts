import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commandFor, quoted } from '../../src/exec/command-line.ts'
import fc from '../properties.ts'

test.each([
  ['echo {}', 'plain-1.0_x/y', 'echo plain-1.0_x/y'],
  ['echo {}', 'a b', "echo 'a b'"],
  ['echo {}', '', "echo ''"],
  ['echo {}', "it's", "echo 'it'\\''s'"],
  ['echo {}', '$&$1', "echo '$&$1'"],
  ['cp {} {}.bak', 'a;b', "cp 'a;b' 'a;b'.bak"],
  ['gzip -k', 'a b', "gzip -k 'a b'"]
])('%s for %j is %s', (template, line, command) => {
  expect(commandFor(template, line)).toBe(command)
})

test('sh takes any line as the very word that it is', () => {
  const line = fc.string({ unit: 'binary' }).map(text => text.replace(/[\0\n\ud800-\udfff]/g, ''))
  const tricky = fc.array(
    fc.constantFrom("'", '"', '\\', '$', '`', ' ', '*', '~', '!', '-', 'a', '\t', '\r', '#', ';', '€')
  )
  fc.assert(
    fc.property(
      fc.oneof(
        line,
        tricky.map(all => all.join(''))
      ),
      text => {
        const printed = execFileSync('/bin/sh', ['-c', `printf %s ${quoted(text)}`])
        expect(printed.toString()).toBe(text)
      }
    ),
    { numRuns: 200 }
  )
})
