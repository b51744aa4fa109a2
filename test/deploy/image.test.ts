import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

function lines(file: string): string[] {
  return readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8').split('\n')
}

it('docker is shown every file that the image is made of', () => {
  const shown = lines('.dockerignore').flatMap(line => (line.startsWith('!') ? [line.slice(1)] : []))
  const copied = lines('Dockerfile')
    .filter(line => /^COPY (?!--from)/.test(line))
    .flatMap(line => line.split(/\s+/).slice(1, -1))
  expect(copied).toContain('scripts/build.mjs')
  expect(copied.filter(path => !shown.includes(path))).toEqual([])
})

it('the image is built with every script that the build is made of', () => {
  const copied = lines('Dockerfile').join(' ')
  const imported = (script: string): string[] =>
    lines(script).flatMap(line => {
      const [, path] = /from '\.\/([\w-]+\.mjs)'/.exec(line) ?? []
      return path === undefined ? [] : [`scripts/${path}`, ...imported(`scripts/${path}`)]
    })
  const scripts = imported('scripts/build.mjs')
  expect(scripts.length).toBeGreaterThan(0)
  for (const script of scripts) expect(copied).toContain(script)
})
