import { expect, test } from 'vitest'
import { hideWords, withoutLongWords, withoutSecrets } from '../../../src/cli/keys/secrets.ts'
import { encodeToken } from '../../../src/cli/keys/token.ts'
import { environmentWithoutSecrets } from '../../../src/common/secrets.ts'
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

test.each([
  ['etcd:http://lab:secret@h:1,http://h:2', 'etcd:http://***@h:1,http://h:2'],
  ['etcd:lab:se@cret@h:1', 'etcd:***@h:1'],
  ['--election=etcd:http://lab:secret@h:1', '--election=etcd:http://***@h:1'],
  ['etcd:http://h:1', 'etcd:http://h:1'],
  ['postgres://lab:se,cr@et@h/lab', 'postgres://***@h/lab'],
  ['--election=postgres:postgres://h/lab?password=se@cret', '--election=postgres:postgres://h/lab'],
  ['mail=a@b', 'mail=a@b']
])('the user and the password in the address of a store are hidden: %s', (word, hidden) => {
  expect(hideWords([word])).toEqual([hidden])
})

test('the variables with secrets include the address of a store, which may hold a password', () => {
  expect(environmentWithoutSecrets({ P2P_WORKER_ELECTION: 'etcd:http://lab:secret@h', HOME: '/' })).toEqual({
    HOME: '/'
  })
})
