/** A temporary copy of this checkout, in which the product can be broken. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transform } from 'esbuild'
import type { Patch } from './patch.ts'

export class Checkout {
  readonly root: string

  constructor(origin: string) {
    this.root = mkdtempSync(join(tmpdir(), 'p2p-worker-mutations-'))
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: origin
    })
    for (const file of listed.toString().split('\0')) {
      if (file === '') continue
      mkdirSync(dirname(join(this.root, file)), { recursive: true })
      cpSync(join(origin, file), join(this.root, file), { force: true })
    }
    cpSync(join(origin, 'dist'), join(this.root, 'dist'), { recursive: true })
    symlinkSync(join(origin, 'node_modules'), join(this.root, 'node_modules'))
  }

  /** Breaks the product in the copy. Resolves with a function that repairs the product. */
  async break({ file, find, replace, test }: Patch): Promise<() => Promise<void>> {
    const path = join(this.root, file)
    const whole = readFileSync(path, 'utf8')
    const [before, after, ...more] = whole.split(find)
    if (after === undefined || more.length > 0)
      throw new Error(`the text to break is gone, or is there more than once, in ${file}: ${find}`)
    await this.#write(file, before! + replace + after, test.path)
    return () => this.#write(file, whole, test.path)
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  /**
   * Writes a source file, and also its built file in dist/, from which threads and processes run. If the test needs it, bundles the command line
   * again.
   */
  async #write(file: string, text: string, test: string): Promise<void> {
    writeFileSync(join(this.root, file), text)
    if (!file.startsWith('src/cli/')) {
      const { code } = await transform(builtImports(text), { loader: 'ts', format: 'esm', target: 'es2023' })
      writeFileSync(join(this.root, file.replace(/^src/, 'dist').replace(/\.ts$/, '.js')), code)
    }
    if (usesCommandLine(test)) await bundle(this.root)
  }
}

/** Returns whether a test starts peers and commands from the bundled command line, as a user does. */
export function usesCommandLine(test: string): boolean {
  return /^test\/(cluster|faults)\//.test(test)
}

/** Rewrites imports in the same way as the compiler: `./a.ts` becomes `./a.js`. */
function builtImports(text: string): string {
  return text.replaceAll(/((?:from|import\(?) ?')(\.{1,2}\/[^']+)\.ts'/g, "$1$2.js'")
}

/** Bundles the command line with the checkout's own script. */
async function bundle(root: string): Promise<void> {
  const { peerDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    peerDependencies?: Record<string, string>
  }
  const script = pathToFileURL(join(root, 'scripts', 'bundle-cli.mjs')).href
  const { bundleCli } = (await import(script)) as {
    bundleCli(root: string, options: { optional: string[] }): Promise<unknown>
  }
  await bundleCli(root, { optional: Object.keys(peerDependencies) })
}
