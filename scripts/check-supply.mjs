// What somebody installs who installs this package: no scripts of ours, none of others but those that are listed, and every package by its hash.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Production dependencies that run a script when they are installed, each with its reason; docs/dependencies.md tells of them.
 * esbuild's looks whether its binary, which comes as a package for each platform, is the right one; without the script it works all the same.
 */
export const MAY_RUN_SCRIPTS = ['node_modules/esbuild']
/** What npm runs where a package is installed from a registry. (`prepare` runs only where it is installed from git, to build.) */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']

/** @returns what is wrong */
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
