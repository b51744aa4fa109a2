import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bareEnvironment, start } from '../process.ts'

const task = (imports: string): string => `${imports}\nexport default { run: () => [used] }\n`

/** The folder of a user, with packages as npm installs them. */
const FILES: Record<string, string> = {
  'missing-file.ts': task("import { used } from './beside.ts'"),
  'missing-later.ts': 'export default { run: async () => (await import("./later.ts")).default }',
  'missing-package.ts': task("import used from 'not-installed'"),
  'missing-scoped.ts': task("import { used } from './helper.ts'"),
  'helper.ts': "import deep from '@scope/not-installed/deep'\nexport const used = deep",
  'native.ts': task("import used from './fast.node'"),
  'fast.node': 'ELF',
  'native-package.ts': task("import used from 'native'"),
  'node_modules/native/package.json': '{ "name": "native", "main": "index.js" }',
  'node_modules/native/index.js': "module.exports = require('./build/native.node')",
  'node_modules/native/build/native.node': 'ELF',
  'unbuilt-package.ts': task("import used from 'unbuilt'"),
  'node_modules/unbuilt/package.json': '{ "name": "unbuilt", "main": "index.js" }',
  'node_modules/unbuilt/index.js': "module.exports = require('./build/unbuilt.node')",
  'computed-package.ts': task("import used from '@scope/computed'"),
  'node_modules/@scope/computed/package.json': '{ "name": "@scope/computed", "main": "index.js" }',
  'node_modules/@scope/computed/index.js':
    "const { join } = require('path')\nmodule.exports = require(join(__dirname, 'build', 'computed.node'))",
  'searching-package.ts': task("import used from 'searching'"),
  'node_modules/searching/package.json': '{ "name": "searching", "main": "index.js" }',
  'node_modules/searching/index.js': "module.exports = require('finder')()",
  'node_modules/finder/package.json': '{ "name": "finder", "main": "index.js" }',
  'node_modules/finder/index.js': "module.exports = () => { throw new Error('No native build was found') }",
  'own-require.ts': task(
    "import { createRequire } from 'node:module'\nconst used = createRequire(import.meta.url)('./fast.node')"
  ),
  'no-builtin.ts': task("import used from 'node:nothing'"),
  'from-afar.ts': task("import used from 'https://example.org/used.js'"),
  'broken.ts': 'export default {\n  run( => 1\n}',
  'data.json': '{ "run": 1 }',
  'folder/task.ts': task('const used = 1')
}

const leaves = (name: string): string => `--external ${name} leaves it out of the bundle`

describe('run ends with exit code 2 when a task cannot be bundled', () => {
  let folder: string

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'p2p-worker-test-')))
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), text)
    }
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each<[string, string, string[]]>([
    ['which file is missing', 'missing-file.ts', ['"./beside.ts"', 'missing-file.ts:1:21', '--external does not help']],
    [
      'which file is missing later',
      'missing-later.ts',
      ['"./later.ts"', 'missing-later.ts:1:', '--external does not help']
    ],
    [
      'which package is missing',
      'missing-package.ts',
      ['"not-installed"', 'missing-package.ts:1:17', 'npm install not-installed', leaves('not-installed')]
    ],
    [
      'which import of an imported file is wrong',
      'missing-scoped.ts',
      ['"@scope/not-installed/deep"', 'helper.ts:1:17', leaves('@scope/not-installed')]
    ],
    ['which import is native', 'native.ts', ['"./fast.node" is a native module', 'native.ts:1:17', leaves('PACKAGE')]],
    [
      'which package is native',
      'native-package.ts',
      ['"./build/native.node" is a native module', 'node_modules/native/index.js:1:', leaves('native')]
    ],
    [
      'which package is not built',
      'unbuilt-package.ts',
      ['"./build/unbuilt.node"', 'node_modules/unbuilt/index.js:1:', leaves('unbuilt')]
    ],
    [
      'which package loads a file beside itself',
      'computed-package.ts',
      [
        "'./build/computed.node'",
        'node_modules/@scope/computed/index.js:2:',
        'computed-package.ts:1:',
        leaves('@scope/computed')
      ]
    ],
    [
      'which package searches for a build',
      'searching-package.ts',
      ['No native build was found', 'node_modules/finder/index.js:1:', 'searching-package.ts:1:', leaves('searching')]
    ],
    ['what the task requires by itself', 'own-require.ts', ["'./fast.node'", 'own-require.ts:2:', leaves('PACKAGE')]],
    ['that Node has no such module', 'no-builtin.ts', ['"node:nothing" is no module of Node v', 'no-builtin.ts:1:']],
    [
      'that modules cannot be imported from the network',
      'from-afar.ts',
      ['"https://example.org/used.js"', 'from-afar.ts:1:']
    ],
    ['where the syntax is wrong', 'broken.ts', ['broken.ts:2:7', 'Expected identifier']],
    ['that JSON is not a task', 'data.json', ['`run` is a number']],
    ['that there is no such file', 'nowhere.ts', ['nowhere.ts does not exist']],
    ['that a folder is not a module', 'folder', ['folder is no file']]
  ])('the error states %s', async (_, file, says) => {
    const environment = bareEnvironment(folder)
    const { code, stdout, stderr } = await start(['run', file, '--insecure', '--no-mdns'], environment, true, folder)
      .finished
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    for (const words of says) expect(stderr).toContain(words)
    // The error has no stack, no path of the bundle, and no advice that esbuild gives its own users.
    expect(stderr).not.toMatch(/^ +at .*\(|p2p-worker-code|Require stack|mark the path/m)
  })
})
