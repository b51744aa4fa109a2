// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is an expansion of sh
import { execFileSync } from 'node:child_process'
import { describe, expect, it, test } from 'vitest'
import { InvalidOptionError } from '../../src/errors.ts'
import { commandTemplate, quoted } from '../../src/exec/command-line.ts'
import fc from '../properties.ts'

test.each([
  ['echo {}', 'plain-1.0_x/y', 'echo plain-1.0_x/y'],
  ['echo {}', 'a b', "echo 'a b'"],
  ['echo {}', '', "echo ''"],
  ['echo {}', "it's", "echo 'it'\\''s'"],
  ['echo {}', '$&$1', "echo '$&$1'"],
  ['cp {} {}.bak', 'a;b', "cp 'a;b' 'a;b'.bak"],
  ['gzip -k', 'a b', "gzip -k 'a b'"],
  ['echo "{}"', '$(id)', `echo ""'$(id)'""`],
  ['echo "a {} b"', 'x', 'echo "a "x" b"'],
  ["echo 'a {} b'", "it's", `echo 'a ''it'\\''s'' b'`],
  ['rm -- {}', '-r', 'rm -- -r'],
  // A plain line would be part of what stands beside it.
  ['echo {}>out', '2', "echo '2'>out"],
  ['echo $x{}', 'y', "echo $x'y'"],
  ['echo "$x{}"', 'y', 'echo "$x"y""'],
  ['{} --check', 'while', "'while' --check"],
  ['{}=1 env', 'PATH', "'PATH'=1 env"]
])('%s for %j is %s', (template, line, command) => {
  expect(commandTemplate(template)(line)).toBe(command)
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

describe('the command of --exec is refused where sh would run a line:', () => {
  it.each([
    ['$(…)', 'echo $(basename {})', 'echo "$(basename {})"', 'echo "$(echo "{}")"', "echo $(echo '{}')", 'echo $('],
    ['backquotes', 'echo `echo {}`', 'echo "`echo {}`"', 'echo `date` {}'],
    ['here-documents', 'cat <<EOF\n{}\nEOF', 'cat <<{}', 'cat <<-"E"\nx\nE', 'cat <<< {}', 'cat <<'],
    [
      'eval',
      'eval {}',
      'eval "echo {}"',
      'x=1 eval echo {}',
      'e"v"al {}',
      'command eval {}',
      'true; eval',
      '\\eval {}'
    ],
    [
      "a shell's -c",
      'sh -c {}',
      "sh -c 'echo {}'",
      '/bin/bash -lc "echo {}"',
      'bash -o pipefail -c "{}"',
      'bash -c -o pipefail {}',
      'sh -x -c -{}',
      'env A=1 sh -c {}',
      'xargs sh -ec {}',
      'find . -exec sh -c "{}" ";"',
      "sh >out -c '{}'",
      'sh 2>&1 -c {}',
      'sh &>out -c {}',
      'sh \\\n -c {}',
      '"$SHELL" -c {}',
      '${SHELL:-sh} -c {}',
      'su nobody -c {}',
      'su --command="echo {}"',
      'sh -c'
    ],
    ['${…}', 'echo ${x:-{}}', 'echo "${x:-{}}"', "echo ${x:-'}'} {}", 'echo ${x:-${y}} {}', 'echo ${ {}; }'],
    ['a dollar', 'echo ${}', 'echo "${}"', "echo $'{}'", "echo $'\\'' {}", 'echo $[{}]', 'echo $\\\n{}'],
    [
      'arithmetic',
      'echo $(({}))',
      'echo $(( \' )) " \')) {}"',
      '(( {} ))',
      'echo $((x',
      'echo $((x) )',
      'let x={}',
      'a[{}]=1'
    ],
    ['a comment', 'true # {}', 'true # it', 'echo {} # {}'],
    ['a backslash', 'echo \\{}', 'echo "\\{}"', 'echo \\'],
    ['quotes without an end', 'echo "{}', "echo '{}", 'echo "', "echo '", 'echo {} "', "echo {} '"],
    ['the place of a command', 'true;', 'true\n', 'true |', 'true &&', 'if', 'x=1'],
    [
      'what evaluates a name or variable',
      "trap '{}' EXIT",
      'PS4={} sh x',
      'env BASH_ENV={} bash x',
      '[[ {} -gt 1 ]]',
      'test -v {}'
    ],
    ['what is too hard to tell', 'echo "$(case x in x) echo "a" {};; esac)"', 'echo $(echo # )\n) {}']
  ])('%s', (_, ...templates) => {
    for (const template of templates) expect(() => commandTemplate(template), template).toThrow(InvalidOptionError)
  })
})
