import { afterEach, describe, expect, it, vi } from 'vitest'
import { decodeToken } from '../../../src/cli/keys/token.ts'
import { tellKey } from '../../../src/cli/peers/tell-key.ts'
import { generateClusterKey } from '../../../src/network/cluster-key.ts'

describe('a new key', () => {
  const key = generateClusterKey()
  const before = process.stderr.isTTY

  afterEach(() => {
    process.stderr.isTTY = before
    vi.restoreAllMocks()
  })

  /** The message about the key of a peer with one address. */
  function told(isTerminal: boolean, address: string): string {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    process.stderr.isTTY = isTerminal
    tellKey({ cluster: 'lab', addresses: () => [address] }, { key, file: '/keys/lab.key' })
    return write.mock.calls.map(([text]) => text).join('')
  }

  it('a terminal shows a new key as a token for other machines', () => {
    const text = told(true, '/ip4/192.0.2.7/tcp/4001/p2p/12D3KooW')
    expect(text).toContain('saved in /keys/lab.key')
    const [, token = ''] = /npx p2p-worker join (p2pw1_[A-Za-z0-9_-]+)/.exec(text) ?? []
    expect(decodeToken(token)).toEqual({ cluster: 'lab', key, addresses: ['/ip4/192.0.2.7/tcp/4001'] })
    expect(text).not.toContain('this machine only')
  })

  it('a terminal shows a warning when the addresses of the token work on this machine only', () => {
    expect(told(true, '/ip4/127.0.0.1/tcp/4001')).toContain('listens on this machine only')
  })

  it('without a terminal, the message contains neither the new key nor a token, but the command that prints a token', () => {
    const text = told(false, '/ip4/192.0.2.7/tcp/4001')
    expect(text).toContain('saved in /keys/lab.key')
    expect(text).toContain('`p2p-worker invite --cluster lab`')
    expect(text).not.toContain('p2pw1_')
    expect(text).not.toContain(key)
  })
})
