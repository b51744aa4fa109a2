// Checks the supply chain of an installation: this package runs no install script, only listed dependencies run install scripts, and every package
// has a hash.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Production dependencies that may run an install script, each with its reason; docs/dependencies.md lists them.
 * The script of esbuild checks that esbuild's binary, which is in a separate package for each platform, fits this platform. esbuild also works
 * without the script.
 */
export const MAY_RUN_SCRIPTS = ['node_modules/esbuild']
/**
 * The scripts that npm runs when a package is installed from a registry. (The script `prepare` builds the package, and runs only for an installation
 * from git.)
 */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']

/** @returns the problems */
export function supplyProblems(root) {
  const read = file => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const scripts = Object.keys(read('package.json').scripts ?? {})
  const packages = Object.entries(read('package-lock.json').packages).filter(([path]) => path !== '')
  const running = packages.filter(([, each]) => each.hasInstallScript && !each.dev).map(([path]) => path)
  return [
    ...scripts.filter(name => INSTALL_SCRIPTS.includes(name)).map(name => `package.json must have no script "${name}"`),
    ...packages
      .filter(([, each]) => !/^sha512-/.test(each.integrity ?? ''))
      .map(([path]) => `package-lock.json has no hash of ${path}`),
    ...running
      .filter(path => !MAY_RUN_SCRIPTS.includes(path))
      .map(path => `${path} runs a script when it is installed, which is not listed in scripts/check-supply.mjs`),
    ...MAY_RUN_SCRIPTS.filter(path => !running.includes(path)).map(path => `${path} runs no script any more: unlist it`)
  ]
}
