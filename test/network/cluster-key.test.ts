import { expect, test } from 'vitest'
import { InvalidOptionError } from '../../src/common/errors.ts'
import {
  clusterIdentity,
  generateClusterKey,
  mdnsServiceTag,
  parseClusterKey,
  replacementKey
} from '../../src/network/cluster-key.ts'
import fc from '../properties.ts'

test('a generated cluster key has 43 characters of base64url and parses to 32 bytes', () => {
  const key = generateClusterKey()
  expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(parseClusterKey(`${key}\n`).secret.byteLength).toBe(32)
  expect(generateClusterKey()).not.toBe(key)
})

test('the parser refuses a malformed cluster key with a message that never shows the key', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 8, maxLength: 60 }), text => {
      try {
        parseClusterKey(text)
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidOptionError)
        expect((error as Error).message).not.toContain(text)
      }
    })
  )
  const key = generateClusterKey()
  expect(() => parseClusterKey(key.slice(1))).toThrow('42 characters')
  expect(() => parseClusterKey(`${key.slice(0, 42)}=`)).toThrow('not base64url')
  expect(() => parseClusterKey(`${'A'.repeat(42)}B`)).toThrow('damaged')
})

test('the same key and name always give the same cluster id, and another key or name gives another cluster id', () => {
  const key = parseClusterKey(generateClusterKey())
  const other = parseClusterKey(generateClusterKey())
  const ids = [clusterIdentity('lab', key), clusterIdentity('office', key), clusterIdentity('lab', other)]
  expect(new Set(ids.map(id => id.clusterId)).size).toBe(3)
  expect(new Set(ids.map(id => new TextDecoder().decode(id.psks[0]))).size).toBe(3)
  expect(clusterIdentity('lab', key)).toEqual(ids[0])
  expect(ids[0]?.clusterId).toMatch(/^[0-9a-f]{16}$/)
})

test('the id of an insecure cluster depends on the name of the cluster, and an insecure cluster has no pre-shared key', () => {
  const identity = clusterIdentity('lab', undefined)
  expect(identity.psks).toEqual([])
  expect(identity.clusterId).not.toBe(clusterIdentity('office', undefined).clusterId)
})

test('the mDNS tag is derived from the name of the cluster', () => {
  expect(mdnsServiceTag('lab')).toMatch(/^_p2pw-[0-9a-f]{8}\._udp\.local$/)
  expect(mdnsServiceTag('lab')).not.toBe(mdnsServiceTag('office'))
})

test.each(['', 'a b', 'ü', 'x'.repeat(64), 'a/b'])('the cluster name %j is refused', name => {
  expect(() => clusterIdentity(name, undefined)).toThrow(InvalidOptionError)
})

test('a replacement key belongs to the same cluster as the key that it replaces, also after a second replacement', () => {
  const made = generateClusterKey()
  const next = replacementKey('lab', made)
  const [first, second, third] = [made, next, replacementKey('lab', next)].map(parseClusterKey)
  const { clusterId, psks } = clusterIdentity('lab', [third!, second!, first!])
  expect(clusterId).toBe(clusterIdentity('lab', first).clusterId)
  expect(new Set(psks.map(psk => new TextDecoder().decode(psk))).size).toBe(3)
})

test('a list with keys of two different clusters is refused, and an empty list of keys is refused', () => {
  const [one, other] = [parseClusterKey(generateClusterKey()), parseClusterKey(generateClusterKey())]
  expect(() => clusterIdentity('lab', [one, other])).toThrow(/2 different clusters/)
  expect(() => clusterIdentity('lab', [])).toThrow(/at least one key/)
})

test('parsing a key with a damaged cluster id after the dot throws an error that does not show the key', () => {
  const key = generateClusterKey()
  for (const text of [`${key}.`, `${key}.xyz`, `${key}.0123456789abcdef.0`]) {
    expect(() => parseClusterKey(text)).toThrow(/damaged behind its dot/)
    expect(() => parseClusterKey(text)).not.toThrow(key)
  }
})
