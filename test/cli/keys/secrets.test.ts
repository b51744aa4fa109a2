import { expect, test } from 'vitest'
import { hideWords, withoutLongWords, withoutSecrets } from '../../../src/cli/keys/secrets.ts'
import { encodeToken } from '../../../src/cli/keys/token.ts'
import { generateClusterKey, replacementKey } from '../../../src/network/cluster-key.ts'

const key = generateClusterKey()

test('text in the form of a key or a token is hidden anywhere in messages', () => {
  const token = encodeToken({ cluster: 'lab', key, addresses: ['/dns4/a/tcp/1'] })
  const rotated = replacementKey('lab', key)
  expect(withoutSecrets(`unknown option '--kye=${key}', ${token}: ${rotated}.`)).toBe(
    "unknown option '--kye=***', ***: ***."
  )
})

test('PeerIds, ids of jobs, hashes and paths are not hidden', () => {
  const text = `12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDDUA2kj6vnc6iDEp 1c0f2d8e-6c39-4f9e-9f0a-0d5f4d0c8a57 ${'ab'.repeat(32)} /home/user/lab.key`
  expect(withoutSecrets(text)).toBe(text)
  const typed = text.replace(/(?:ab)+ /, '')
  expect(withoutLongWords(typed)).toBe(typed)
})

test('a part of a key, or a key attached to other text, is hidden in messages of commander', () => {
  for (const word of [key.slice(0, 34), `${key}x`, `--kye${key}`, key.slice(3)])
    expect(withoutLongWords(`unknown option '${word}'`)).toBe("unknown option '***'")
})

test('the values of secret options, and text that looks like a secret, are hidden in the arguments', () => {
  const token = encodeToken({ cluster: 'lab', key, addresses: [] })
  const words = ['run', '--key', 'a', '--key=b', '--token', 'c', '--key-file', 'f', key, `x=${token}`, '--key']
  expect(hideWords(words)).toEqual([
    'run',
    '--key',
    '***',
    '--key=***',
    '--token',
    '***',
    '--key-file',
    'f',
    '***',
    'x=***',
    '--key'
  ])
  expect(hideWords(['join', 'secret'], ['secret'])).toEqual(['join', '***'])
})
