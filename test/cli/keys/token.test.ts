import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decodeToken, encodeToken, MOST_ADDRESSES } from '../../../src/cli/keys/token.ts'
import { generateClusterKey, replacementKey } from '../../../src/network/cluster-key.ts'
import fc from '../../properties.ts'

const addresses = [
  '/ip4/192.0.2.7/tcp/4001',
  '/ip4/255.0.0.1/tcp/65535',
  '/ip6/2001:db8::7/tcp/1',
  '/dns4/seed/tcp/4001'
]
const key = generateClusterKey()
const token = encodeToken({ cluster: 'lab-1.x_y', key, addresses })

describe('a token', () => {
  it('a token contains the name, the key and the addresses of a cluster, in characters that no shell and no URL changes', () => {
    expect(token).toMatch(/^p2pw1_[A-Za-z0-9_-]+$/)
    expect(encodeURIComponent(token)).toBe(token)
    expect(token.length).toBeLessThan(180)
    expect(decodeToken(`${token}\n`)).toEqual({ cluster: 'lab-1.x_y', key, addresses })
  })

  it('a token contains a key that replaced another key, with the id of the cluster', () => {
    const replaced = replacementKey('lab', key)
    expect(decodeToken(encodeToken({ cluster: 'lab', key: replaced, addresses: [] })).key).toBe(replaced)
  })

  it('a token represents a cluster without a key', () => {
    expect(decodeToken(encodeToken({ cluster: 'lab', key: undefined, addresses }))).toEqual({
      cluster: 'lab',
      key: undefined,
      addresses
    })
  })

  it('encodeToken() refuses a host name in another alphabet, and suggests the xn-- form', () => {
    const encode = (name: string) => encodeToken({ cluster: 'lab', key, addresses: [`/dns4/${name}/tcp/4001`] })
    for (const name of ['bücher.example', 'пример.example', 'a\u00a0b'])
      expect(() => encode(name)).toThrow('its xn-- form')
    expect(decodeToken(encode('xn--bcher-kva.example')).addresses).toEqual(['/dns4/xn--bcher-kva.example/tcp/4001'])
  })

  it('a decoded token equals the encoded content, for any name and any addresses', () => {
    const port = fc.integer({ min: 0, max: 65_535 })
    const address = fc.oneof(
      fc.tuple(fc.ipV4(), port).map(([ip, at]) => `/ip4/${ip}/tcp/${at}`),
      fc.tuple(fc.ipV6(), port).map(([ip, at]) => `/ip6/${ip}/tcp/${at}`),
      fc
        .tuple(fc.domain(), port)
        .filter(([name]) => name.length < 200)
        .map(([name, at]) => `/dns/${name}/tcp/${at}`)
    )
    const name = fc.stringMatching(/^[A-Za-z0-9._-]{1,63}$/)
    fc.assert(
      fc.property(name, fc.boolean(), fc.array(address, { maxLength: MOST_ADDRESSES }), (cluster, isOpen, list) => {
        const content = { cluster, key: isOpen ? undefined : generateClusterKey(), addresses: list }
        expect(decodeToken(encodeToken(content))).toEqual(content)
      })
    )
  })

  it('a token is refused if any one of its characters is changed or left out, or if a character is added', () => {
    for (let at = 0; at < token.length; at++) {
      const others = ['A', 'B', '_', '', `x${token[at]}`]
      for (const other of others.filter(text => text !== token[at])) {
        expect(() => decodeToken(token.slice(0, at) + other + token.slice(at + 1)), `at ${at}: ${other}`).toThrow(
          /^the token /
        )
      }
    }
    for (const text of [`${token}A`, `${token}====`, '', 'p2pw1_', 'p2pw1_AAAA', 'p2pw1_ü', 'x'.repeat(10_000)]) {
      expect(() => decodeToken(text)).toThrow(/^the token /)
    }
    expect(() => decodeToken(`p2pw1_${'A'.repeat(10_000)}`)).toThrow('too long')
    expect(() => decodeToken(token.replace('p2pw1', 'p2pw2'))).toThrow('another version')
  })

  it('decodeToken() throws only an InvalidOptionError for any bytes with a valid checksum', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), content => {
        try {
          const { cluster, addresses: list } = decodeToken(signed(content))
          expect(cluster).toMatch(/^[A-Za-z0-9._-]{1,63}$/)
          expect(list.length).toBeLessThanOrEqual(MOST_ADDRESSES)
        } catch (error) {
          expect(error).toMatchObject({ name: 'InvalidOptionError' })
        }
      })
    )
    // These contents are a name with a control character, too many addresses, and extra bytes after the end.
    const open = (...bytes: number[]): string => signed(Uint8Array.of(0, ...bytes))
    expect(decodeToken(open(1, 65, 0))).toEqual({ cluster: 'A', key: undefined, addresses: [] })
    for (const content of [
      [1, 7, 0],
      [0, 0],
      [1, 65, 200],
      [1, 65, 0, 0],
      [1, 65, 1, 3, 65, 66, 67],
      [2, 65]
    ]) {
      expect(() => decodeToken(open(...content)), String(content)).toThrow(
        expect.objectContaining({ name: 'InvalidOptionError' })
      )
    }
  })

  it('encodeToken() refuses content that does not fit into a token', () => {
    expect(() => encodeToken({ cluster: 'a b', key, addresses })).toThrow('cluster name')
    expect(() => encodeToken({ cluster: 'lab', key, addresses: Array<string>(9).fill('/dns4/a/tcp/1') })).toThrow(
      'at most 8'
    )
    expect(() => encodeToken({ cluster: 'lab', key, addresses: ['lab:4001'] })).toThrow('lab:4001')
  })

  it('an error never shows a token or its key', () => {
    const half = token.slice(0, 40)
    for (const text of [half, token.slice(0, -1), `${token}x`]) {
      try {
        decodeToken(text)
        expect.unreachable()
      } catch (error) {
        expect(String(error)).not.toContain(text.slice(10, 30))
        expect(String(error)).not.toContain(key)
      }
    }
  })
})

/** Adds a valid checksum to any content, as an attacker who knows the format could. */
function signed(content: Uint8Array): string {
  const sum = createHash('sha256').update('p2p-worker token 1\0').update(content).digest().subarray(0, 6)
  return `p2pw1_${Buffer.concat([content, sum]).toString('base64url')}`
}
