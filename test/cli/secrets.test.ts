import { expect, test } from 'vitest'
import { withoutSecrets } from '../../src/cli/secrets.ts'
import { encodeToken } from '../../src/cli/token.ts'
import { generateClusterKey, replacementKey } from '../../src/network/cluster-key.ts'

const key = generateClusterKey()

test('what has the form of a key or a token is hidden in messages, wherever it stands', () => {
  const token = encodeToken({ cluster: 'lab', key, addresses: ['/dns4/a/tcp/1'] })
  const rotated = replacementKey('lab', key)
  expect(withoutSecrets(`unknown option '--kye=${key}', ${token}: ${rotated}.`)).toBe(
    "unknown option '--kye=***', ***: ***."
  )
})

test('PeerIds, ids of jobs, hashes and paths stay', () => {
  const text = `12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDDUA2kj6vnc6iDEp 1c0f2d8e-6c39-4f9e-9f0a-0d5f4d0c8a57 ${'ab'.repeat(32)} /home/user/lab.key`
  expect(withoutSecrets(text)).toBe(text)
})
