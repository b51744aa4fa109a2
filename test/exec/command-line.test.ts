// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text is an expansion of sh
import { execFileSync } from 'node:child_process'
import { describe, expect, it, test } from 'vitest'
import { InvalidOptionError } from '../../src/common/errors.ts'
import { commandTemplate, quoted } from '../../src/exec/command-line.ts'
import fc, { anyText } from '../properties.ts'

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
  // An unquoted line would merge with the text beside the placeholder.
  ['echo {}>out', '2', "echo '2'>out"],
  ['echo $x{}', 'y', "echo $x'y'"],
  ['echo "$x{}"', 'y', 'echo "$x"y""'],
  ['{} --check', 'while', "'while' --check"],
  ['{}=1 env', 'PATH', "'PATH'=1 env"],
  ['case x in {}) echo;; esac', 'esac', "case x in 'esac') echo;; esac"],
  // The name of the program is certain, so the line is an argument.
  ['nice -n 5 gzip', 'x', 'nice -n 5 gzip x'],
  ['timeout -k 1 5 gzip', 'x', 'timeout -k 1 5 gzip x'],
  ['xargs -n1 gzip', 'x', 'xargs -n1 gzip x'],
  ['sudo -u bob gzip', 'x', 'sudo -u bob gzip x']
])('the template `%s` turns the line %j into `%s`', (template, line, command) => {
  expect(commandTemplate(template)(line)).toBe(command)
})

test('sh reads a quoted line as one unchanged word', () => {
  const line = anyText().map(text => text.replace(/[\0\n\ud800-\udfff]/g, ''))
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

describe('--exec refuses a command in which sh would run a line:', () => {
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
      'su --session-command={}',
      'su -c id {}',
      'su bob {} x',
      'script -qc make {}',
      "fish -c 'echo $argv' {}",
      'fish {}',
      'fish -C {}',
      'watch fish -c "echo {}"',
      'pwsh -Command "{}"',
      'pwsh -c x {}',
      'sh +c {}',
      'bash -o pipefail "$x" "$y"',
      'sh -{} x',
      'sh -c'
    ],
    [
      'code in "…" with backslashes',
      `sh -c "echo \\'; eval \\"\\$1\\"; echo \\'" sh {}`,
      'sh -c "grep -c \\# f; eval \\"\\$1\\"" sh {}',
      `trap "echo \\'; eval \\"\\$x\\"; echo \\'" EXIT; x={}`
    ],
    [
      'an expansion with a / in its braces',
      '"${SH:-/bin/sh}" -c "echo {}"',
      'x={}; "${x%%/*}" "${x#*/}"',
      'x={}; sh "${x%%/*}" "${x#*/}"'
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
    ['unterminated quotes', 'echo "{}', "echo '{}", 'echo "', "echo '", 'echo {} "', "echo {} '"],
    ['a line in command position', 'true;', 'true\n', 'true |', 'true &&', 'if', 'x=1'],
    [
      'a command that evaluates a name or variable',
      "trap '{}' EXIT",
      'PS4={} sh x',
      'env BASH_ENV={} bash x',
      "env 'BASH_FUNC_ls%%={}' bash -c ls",
      'RANDOM={}',
      'OPTIND={}',
      'for RANDOM in {}; do :; done',
      'test -v {}',
      '[ {-v,{}} ]',
      '[ {} "$x" ]',
      'printf -v{} x',
      'printf {} x',
      'printf "$format" {}',
      'printf',
      'command -p let {}',
      'command -p declare {}=1',
      'time { let {}; }',
      'for i do let {}; done',
      'wait -n -p {}',
      'f() { local {}=1; }; f',
      'compgen -W {}',
      'export {}',
      'readonly -a a={}',
      'read {}',
      'unset {}',
      'getopts a {}',
      'mapfile -C {} a',
      'jobs -x eval {}',
      '. {}',
      'for {} in a; do :; done',
      'echo >& {}',
      ': {a[{}]}>f'
    ],
    [
      '[[',
      '[[ {} -gt 1 ]]',
      '[[ -n y && {} -gt 5 ]]',
      'if [[ -f x || {} -gt 1 ]]; then :; fi',
      '[[ ( {} -gt 5 ) ]]',
      '! [[ {} -gt 5 ]]',
      'x={}; [[ $x -gt 5 ]]'
    ],
    ['arrays', 'a=([{}]=1)', 'a+=({})', 'a[0]={}', 'x={}; a[$x]=1'],
    [
      'syntax that only some shells know',
      'coproc declare {}=1',
      'function f { let {}; }',
      'let <(x) {}',
      '$"eval" {}',
      'x &>f {}'
    ],
    [
      'a variable that may hold a line',
      'n={}; echo $((n * 2))',
      'x={}; echo ${y:x}',
      'x={}; echo ${x@P}',
      'x={}; echo ${!x}',
      'x={}; echo ${y[x]}',
      'x={}; eval "$x"',
      'x={}; $x',
      'x={}; [ $x = a ]',
      'x={}; printf $x y',
      'x={}; trap "$x" EXIT',
      "x={}; trap 'echo $((x))' EXIT",
      'x={}; PS4=$x; set -x',
      'x={}; unset "$x"',
      'x={}; sh -c "echo $x"',
      'x={}; sh $x',
      'x={}; env A=$x gzip',
      'set -- {}; echo $(($1))',
      "sh -c 'echo $(($1 + 1))' sh {}",
      `sh -c 'eval "$1"' sh {}`,
      "bash -c '[[ $1 -gt 5 ]]' sh {}"
    ],
    [
      'a program whose name is unknown before the run',
      'e=eval; $e {}',
      '"$e" {}',
      '{eval,x} {}',
      'ev*l {}',
      'alias x=eval; x {}',
      "x={}; 'case' x in | $x",
      'x={}; case x in esac | $x',
      'x={}; ( case x in y) ;; esac; $x )',
      'x={}; case x in y) ;; $(eval "$x")) ;; esac'
    ],
    [
      'a keyword in quotes',
      '""case a in | eval {} | cat',
      '"./"case a in | eval {} | cat',
      '""{ case a in | eval {} | cat'
    ],
    [
      "a launcher's options",
      'env BASH_{} bash x',
      'env LC_{} sort',
      'env -{} bash x',
      'env {} bash x',
      'env -S {}',
      'sudo {} x',
      'printf %s {} | xargs sh -c'
    ],
    [
      'a line in program position after options',
      'nice -n 5',
      'timeout 5',
      'timeout -k 1 5',
      'xargs -n1',
      'xargs -n 1',
      'sudo -u bob',
      'sudo --user bob',
      'env -u A',
      'exec -a x',
      'time -p'
    ],
    ['syntax that the checker does not follow', 'echo "$(case x in x) echo "a" {};; esac)"', 'echo $(echo # )\n) {}']
  ])('%s', (_, ...templates) => {
    for (const template of templates) expect(() => commandTemplate(template), template).toThrow(InvalidOptionError)
  })
})

describe('--exec accepts a command in which the line is an argument:', () => {
  it.each([
    [
      'names of evaluators as words',
      'grep -l eval {}',
      'echo let {}',
      'grep -c declare {}',
      "grep '[[:digit:]]' {}",
      'echo "[[ {} ]]"'
    ],
    [
      'programs',
      '{} --check',
      './{} x',
      'timeout 10 ./{}',
      '"$HOME/bin/tool" {}',
      './*.sh {}',
      'command -v gzip && gzip {}'
    ],
    [
      'case',
      'case {} in *.gz) zcat {};; *.z|"$x"*) cat {};; *) cat {};; esac',
      'case {} in\n*.gz) zcat {};;\n"$x") cat {};;\n*) cat {}\nesac',
      "case {} in ''|*[!0-9]*) exit 1;; *) expr {} + 1;; esac"
    ],
    ['arithmetic', `sh -c 'expr "$1" + 1' sh {}`, 'n={}; echo "$(expr "$n" + 1)"', 'sleep 0.$(($$ % 5)); echo {}'],
    ['tests', '[ "$x" = {} ]', 'test -n {} -a -f {}', '[ $# -gt 0 ] || echo {}'],
    [
      'names',
      'export A={} B="x$y"',
      'read -r a b < {}',
      'IFS=: read -r a < {}',
      'f() { local a="$1"; }; f {}',
      'x & wait $!; echo {}'
    ],
    [
      'shells',
      `bash -eu -o pipefail -c 'echo "$1"' sh {}`,
      'sh x.sh {}',
      "printf '%s\\n' {} | sh",
      'flock "$lock" gzip {}'
    ],
    [
      'variables',
      'ENV=prod deploy {}',
      'PS4="+ "; set -x; gzip {}',
      'echo "${x%.wav}" "${x:-y}" "${#x}" {}',
      'docker run -e ENV {}'
    ],
    ['redirection', 'gzip {} >f 2>&1', 'gzip <{} >{}.gz', 'cp {}{,.bak}', 'gzip {} 2>&-']
  ])('%s', (_, ...templates) => {
    for (const template of templates) expect(() => commandTemplate(template), template).not.toThrow()
  })
})

describe('the refusal of a command suggests a replacement:', () => {
  it.each([
    ['echo $(({} + 1))', /expr "\$n" \+ 1/],
    ['[[ {} -gt 5 ]]', /\[ "\$x" = y \]/],
    ['x={}; [ $x = a ]', /put "…" around it/],
    ['sh -c "echo {}"', /sh -c 'COMMAND "\$1"' sh \{\}/],
    ['printf {}', /printf '%s\\n' \{\}/],
    ['nice -n 5', /say by \{\} where it goes/]
  ])('%s', (template, advice) => {
    expect(() => commandTemplate(template)).toThrow(advice)
  })
})
