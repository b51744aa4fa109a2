// Writes the notices of the bundled packages, as their licences require.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const NOTICE = /^(licen[cs]e|copying|notice)([.-].*)?$/i

/** The MIT licence, for packages without a licence file. Their sources name the copyright holders. */
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"),
to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense,
and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.`
const COPYRIGHT = { 'yoga-layout': 'Copyright (c) Meta Platforms, Inc. and affiliates.' }

/** Returns the folders of the packages in a bundle, sorted by name. `metafile` is esbuild's description of the bundle. */
export function bundledPackages(metafile) {
  const files = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs))
  const folders = files.flatMap(file => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [])
  return [...new Set(folders)].sort()
}

/** Returns the licence text of a package. @throws Error if the text is neither in the package nor in this script */
function licenceOf(root, folder, { name, license }) {
  const files = readdirSync(join(root, folder)).filter(file => NOTICE.test(file))
  if (files.length > 0)
    return files
      .sort()
      .map(file => readFileSync(join(root, folder, file), 'utf8').trim())
      .join('\n\n')
  // Most packages of libp2p have no licence file. p2p-worker's LICENSE contains the same Apache licence.
  if (/\bApache-2\.0\b/.test(license)) {
    return 'Used here under the Apache License, Version 2.0, whose text is in the file LICENSE of p2p-worker.'
  }
  if (license === 'MIT' && name in COPYRIGHT) return `${COPYRIGHT[name]}\n\n${MIT}`
  throw new Error(
    `${folder} has no text of its licence (${license}): say in scripts/third-party.mjs whose copyright it is`
  )
}

/**
 * Takes the MIT licence out of a text, so that packages that differ only in its title, copyright lines and line breaks share one copy of it. Returns
 * undefined for any other text.
 */
function copyrightsUnderMit(text) {
  const at = text.search(/^\s*Permission is hereby granted/m)
  if (at < 0 || inOneLine(text.slice(at)) !== inOneLine(MIT)) return undefined
  const notices = text
    .slice(0, at)
    .split('\n')
    .filter(line => !/^\W*(the )?mit licen[cs]e\W*(\(mit\))?\W*$/i.test(line))
  return notices.join('\n').trim()
}

function inOneLine(text) {
  return text.replace(/\s+/g, ' ').trim()
}

/** Returns the name, version, licence and author of a package as text. */
function headOf({ name, version, license, author, repository }) {
  const by = typeof author === 'string' ? author : author?.name
  const from = typeof repository === 'string' ? repository : repository?.url
  const lines = [`${name} ${version}`, `Licence: ${license}`, by && `By: ${by}`, from && `From: ${from}`]
  return lines.filter(line => line !== undefined).join('\n')
}

/**
 * Returns the text of THIRD-PARTY.txt. Packages with the same licence text are listed together above that text.
 *
 * @param what - the name of the bundle, as the beginning of a sentence
 */
export function thirdPartyNotices(root, metafile, what) {
  const byText = new Map()
  for (const folder of bundledPackages(metafile)) {
    const own = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const whole = licenceOf(root, folder, own)
    const copyrights = copyrightsUnderMit(whole)
    const [head, text] = copyrights === undefined ? [headOf(own), whole] : [`${headOf(own)}\n${copyrights}`.trim(), MIT]
    byText.set(text, [...(byText.get(text) ?? []), head])
  }
  const bar = '-'.repeat(100)
  const parts = [...byText].map(([text, heads]) => `${bar}\n${heads.join('\n\n')}\n\n${text}`)
  const intro = `${what}, in this folder, contains code of the packages below. Each is under the licence that stands with it.`
  return `${intro}\n\n${parts.join('\n\n')}\n`
}
