// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is an expansion of sh
/** Real shells take every line as data, in whatever form of a command that is not refused. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandTemplate } from '../../src/exec/command-line.ts'
import fc from '../properties.ts'
import { folderOf } from '../tasks/helpers.ts'
import { worlds } from '../tier.ts'

const SHELLS = ['/bin/sh', '/bin/bash'].filter(existsSync)

/** Each leaves a file named CANARY where any of it is run. */
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
  '{}',
  '{a,b}',
  '*',
  '~',
  '~root',
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

/** What a shell prints for a script, in an empty folder. */
function outputOf(shell: string, script: string, cwd: string): string {
  const { stdout } = spawnSync(shell, ['-c', script], {
    cwd,
    env: { PATH: process.env.PATH, x: 'ex' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 20_000
  })
  return stdout.toString()
}

describe.each(SHELLS)('%s prints the line itself, and runs nothing of it:', shell => {
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
    ['line={}; printf "%s\\n" "$(printf "%s" "$line")"'],
    [`sh -c 'printf "%s\\n" "$1"' sh {}`],
    [`env -i /bin/sh -c 'printf "%s\\n" "$1"' sh "{}"`],
    ["case {} in {}) printf '%s\\n' '{}';; *) echo other;; esac"],
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

  it('whatever the command looks like that is not refused', async () => {
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
    let accepted = 0
    fc.assert(
      fc.property(templates, fc.constantFrom(...HOSTILE.slice(0, 10)), (template, line) => {
        let command: string
        try {
          command = commandTemplate(template)(line)
        } catch {
          return
        }
        accepted++
        outputOf(shell, command, cwd)
        expect(existsSync(join(cwd, 'CANARY')), command).toBe(false)
      }),
      { numRuns: worlds(2_000).length }
    )
    expect(accepted).toBeGreaterThan(10)
  })
})
