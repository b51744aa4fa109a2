// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text is an expansion of sh
/** Every accepted form of a command runs in real shells, which must treat each line as data. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandTemplate } from '../../src/exec/command-line.ts'
import fc from '../properties.ts'
import { folderOf } from '../tasks/helpers.ts'
import { IS_REPLAY, worlds } from '../tier.ts'

const SHELLS = [['/bin/sh'], ['/bin/bash'], ['/bin/bash', '--posix']].filter(([path]) => existsSync(path!))

/** Lines that create a file named CANARY if a shell runs any part of them. */
const HOSTILE = [
  '$(: >CANARY)',
  '`: >CANARY`',
  '; : >CANARY;',
  "'; : >CANARY; '",
  '"; : >CANARY; "',
  `'"$(: >CANARY)"'`,
  `"'$(: >CANARY)'"`,
  "'$(: >CANARY)'",
  "\\'; : >CANARY; '",
  '\\"; : >CANARY; "',
  '\\$(: >CANARY)',
  ') : >CANARY',
  '); : >CANARY; (:',
  '} ; : >CANARY; {',
  '| : >CANARY',
  '&& : >CANARY',
  '>CANARY',
  '<(: >CANARY)',
  '${x:=$(: >CANARY)}',
  '$((a[$(: >CANARY)]))',
  'a[$(: >CANARY)]',
  '-va[$(: >CANARY)]',
  '-v a[$(:>CANARY)]',
  '-c :>CANARY',
  '-c/: >CANARY',
  'eval/: >CANARY',
  'eval :>CANARY',
  'BASH_ENV=$(: >CANARY)',
  "$'\\x27; : >CANARY; \\x27'",
  '\r: >CANARY'
]
const LINES = [
  ...HOSTILE,
  '',
  ' ',
  '-n',
  '-e',
  '--',
  '2',
  'while',
  'esac',
  'in',
  'do',
  '{}',
  '{a,b}',
  '*',
  '~',
  '~root',
  'root',
  '!!',
  '#',
  '$',
  '$x',
  '${x}',
  '\\',
  '\\\\',
  '\\n',
  '%s',
  "'",
  '"',
  '`',
  '\t',
  'naïve 漢字 🙂',
  '\u00a0#',
  '\u0001\u007f'
]

/** The output of a script that a shell runs in `cwd`. */
function outputOf([shell, ...options]: string[], script: string, cwd: string): string {
  const { stdout } = spawnSync(shell!, [...options, '-c', script], {
    cwd,
    env: { PATH: process.env.PATH, x: 'ex' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 20_000
  })
  return stdout.toString()
}

/** Asserts that a shell runs no input line as code in any of many random commands that commandTemplate accepts. */
function expectData(shell: string[], cwd: string, templates: fc.Arbitrary<string>, lines: fc.Arbitrary<string>): void {
  let accepted = 0
  fc.assert(
    fc.property(templates, lines, (template, line) => {
      let command: string
      try {
        command = commandTemplate(template)(line)
      } catch {
        return
      }
      accepted++
      rmSync(join(cwd, 'CANARY'), { force: true })
      outputOf(shell, command, cwd)
      expect(existsSync(join(cwd, 'CANARY')), command).toBe(false)
    }),
    { numRuns: worlds(1_000).length }
  )
  if (!IS_REPLAY) expect(accepted).toBeGreaterThan(10)
}

describe.each(SHELLS.map(words => [words.join(' '), words] as const))(
  '%s prints a line and never runs it:',
  (_, shell) => {
    it.each([
      ["printf '%s\\n' {}"],
      ["printf '%s\\n'"],
      ['printf "%s\\n" "{}"'],
      [`printf '%s\\n' '{}'`],
      ['printf "%s\\n" "a {} b"', 'a ', ' b'],
      [`printf '%s\\n' 'a {} b'`, 'a ', ' b'],
      [`printf '%s\\n' pre"{}"'post'`, 'pre', 'post'],
      ['printf "%s\\n" "$x{}$x"', 'ex', 'ex'],
      ['printf "%s\\n" "$(printf "%s" ")"){}${x%x}"', ')', 'e'],
      ['printf "%s\\n" "$((1 + (2 * 3))){}"', '7'],
      ["printf '%s\\n' \\'\\\"\\\\{}", `'"\\`],
      ['printf "%s\\n" "\\"\\$\\`\\\\{}"', '"$`\\'],
      ['printf "%s\\n" "\\d\\w{}"', '\\d\\w'],
      ["printf '%s\\n' ~{}", '~'],
      [`flock . printf '%s\\n' {}`],
      [`env -C . printf '%s\\n' {}`],
      ['line={}; printf "%s\\n" "$(printf "%s" "$line")"'],
      [`sh -c 'printf "%s\\n" "$1"' sh {}`],
      [`env -i /bin/sh -c 'printf "%s\\n" "$1"' sh "{}"`],
      ["case {} in {}) printf '%s\\n' '{}';; *) echo other;; esac"],
      ["case x in y|{}) ;; *) printf '%s\\n' {};; esac"],
      ["case x in\n{}) ;;\n*) printf '%s\\n' {}\nesac"],
      [`sh -c 'test "$1" -gt 5; [ "$1" = 5 ]; printf "%s\\n" "$1"' sh {} | tail -n 1`],
      ['n={}; m=$(expr "$n" + 1); printf \'%s\\n\' {}'],
      [`printf -- '%s\\n' {}`],
      [`f() { local a="$1"; printf '%s\\n' "$a"; }; f {}`],
      [`set -- {}; for a do printf '%s\\n' "$a"; done`],
      [`export A={}; printf '%s\\n' "$A"`],
      [`trap 'printf "%s\\n" "$a"' USR1; a={}; kill -USR1 $$`],
      [`timeout 5 printf '%s\\n' {}`],
      ["(printf '%s\\n' {})"],
      ["{ printf '%s\\n' '{}'; } # it's done"],
      ["# it's \"\nif true; then printf '%s\\n' {}; fi"],
      ['for i in {}; do printf \'%s\\n\' "$i"; done'],
      ["printf '%s\\n' {} | cat"],
      ["printf '%s\\n' \\\n  {}"]
    ])('%s', async (template, before = '', after = '') => {
      const cwd = await folderOf({})
      const printed = outputOf(shell, LINES.map(commandTemplate(template)).join('\n'), cwd)
      expect(printed).toBe(LINES.map(line => `${before}${line}${after}\n`).join(''))
      expect(readdirSync(cwd)).toEqual([])
    })

    it('the shell runs no input line as code in a random accepted command', async () => {
      const cwd = await folderOf({})
      const junk = fc
        .array(
          fc.constantFrom(
            ...[
              '{}',
              '{}',
              '{}',
              "'",
              '"',
              '\\',
              '$',
              '`',
              '{',
              '}',
              '(',
              ')',
              '$(',
              '$((',
              '))',
              '${x',
              '$$',
              '#',
              ' ',
              '\n',
              '\\\n',
              ';'
            ],
            ...[
              'a',
              '2',
              '=',
              '>',
              '<',
              '<<a\n',
              '[',
              ']',
              '~',
              '&&',
              '|',
              ' in ',
              'case ',
              'esac',
              'eval ',
              'sh -c ',
              'printf %s '
            ]
          ),
          { maxLength: 5 }
        )
        .map(parts => parts.join(''))
      const part = fc.oneof(
        junk,
        junk.map(text => `'${text}'`),
        junk.map(text => `"${text}"`),
        junk.map(text => `$(${text})`),
        junk.map(text => `"$(${text})"`),
        junk.map(text => `$((${text}))`),
        junk.map(text => `\${x:-${text}}`),
        junk.map(text => ` #${text}\n`),
        fc.constant(' {} '),
        fc.constant('"{}"')
      )
      const templates = fc.array(part, { maxLength: 5 }).map(parts => `printf %s ${parts.join('')}`)
      expectData(shell, cwd, templates, fc.constantFrom(...HOSTILE.slice(0, 10)))
    })

    it('the shell runs no input line as code in an accepted command that passes code to another shell', async () => {
      const cwd = await folderOf({})
      const part = fc.constantFrom("\\'", '\\#', '\\\\', "'", ' ', 'x', '\\$1', '; eval \\"\\$1\\"; ', '; [ \\$1 ]; ')
      const templates = fc
        .tuple(fc.constantFrom('sh -c', 'bash -ec', 'sh +c', 'trap'), fc.array(part, { minLength: 2, maxLength: 5 }))
        .map(([start, parts]) =>
          start === 'trap' ? `trap "${parts.join('')}" EXIT; set -- {}` : `${start} "${parts.join('')}" sh {}`
        )
      expectData(shell, cwd, templates, fc.constantFrom('$(: >CANARY)', ': >CANARY', 'a[$(: >CANARY)]'))
    })

    it('the shell runs no input line as code in an accepted command that evaluates an argument', async () => {
      const cwd = await folderOf({})
      const word = fc.constantFrom(
        ...[
          '{}',
          '"{}"',
          '$x',
          '"$x"',
          '"$@"',
          '${x:x}',
          '${x@P}',
          '${!x}',
          '$((x))',
          'a={}',
          'a[{}]=1',
          'PS4={}',
          '$e',
          '$v',
          '$c',
          '"${x%%/*}"',
          '"${x#*/}"',
          '"${s:-/bin/sh}"'
        ],
        ...[
          '-v',
          '-n',
          '-p',
          '-c',
          '-x',
          '-eq',
          '-gt',
          '1',
          '=',
          'a',
          'x',
          '%s',
          '--',
          '5',
          '>f',
          '>&',
          '<f',
          '&&',
          '||',
          '|',
          ';',
          '(',
          ')'
        ],
        ...'[ [[ test printf let declare local read export wait unset getopts trap jobs eval command builtin exec env'.split(
          ' '
        ),
        ...'time timeout sh bash set for in do done case esac ;; { } if then fi ! f() f coproc'.split(' ')
      )
      const known = 'x={}; set -- {}; e=eval; v=-v; c=-c; '
      const templates = fc.array(word, { minLength: 2, maxLength: 7 }).map(words => known + words.join(' '))
      const line = fc.constantFrom(...HOSTILE.filter(text => /^(?:a\[|-|eval|BASH_ENV)/.test(text)))
      expectData(shell, cwd, templates, line)
    })
  }
)
