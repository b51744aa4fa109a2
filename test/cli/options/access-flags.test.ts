import { describe, expect, it } from 'vitest'
import { encodeToken } from '../../../src/cli/keys/token.ts'
import { type AccessFlags, accessOf, onlyOneKey } from '../../../src/cli/options/access-flags.ts'
import { generateClusterKey } from '../../../src/network/cluster-key.ts'

const key = generateClusterKey()
const addresses = ['/dns4/seed/tcp/4001']
const content = { cluster: 'lab', key, addresses }
const token = encodeToken(content)
const open = encodeToken({ ...content, key: undefined })

/** Parses options from the command line and from the environment. The name of the cluster is always set. */
function access(cli: Partial<AccessFlags>, env: Partial<AccessFlags> = {}) {
  return accessOf({ cluster: 'default', ...env, ...cli }, name =>
    name in cli ? 'cli' : name in env ? 'env' : 'default'
  )
}

describe('the key of a command line', () => {
  it('the key of the command line overrides the key of the environment', () => {
    const sources: Record<string, string | undefined> = { key: 'env', keyFile: undefined, insecure: 'cli' }
    expect(onlyOneKey({ key: 'k', insecure: true }, name => sources[name])).toEqual({ insecure: true })
  })

  it('two key options from the same source are refused', () => {
    expect(() => onlyOneKey({ key: 'k', insecure: true }, () => 'cli')).toThrow(
      '--key and --insecure contradict each other'
    )
    expect(() => onlyOneKey({ key: 'k', keyFile: 'f' }, () => 'env')).toThrow('(in the environment)')
  })
})

describe('a token of a command line', () => {
  it('a token sets the cluster and the key, and its addresses are added to the bootstrap addresses', () => {
    expect(access({ token, bootstrap: ['/dns4/a/tcp/1'] })).toEqual({
      cluster: 'lab',
      bootstrap: ['/dns4/a/tcp/1', ...addresses],
      token: content
    })
  })

  it.each<[string, Partial<AccessFlags>]>([
    ['--key', { key }],
    ['--key-file', { keyFile: 'f' }],
    ['--insecure', { insecure: true }],
    ['--cluster', { cluster: 'lab' }]
  ])('a token contradicts %s on the command line, and overrides it from the environment', (name, other) => {
    expect(() => access({ token, ...other })).toThrow(`${name} and the token contradict each other`)
    expect(access({ token }, other)).toMatchObject({ cluster: 'lab', token: content })
    expect(access({ token }, other)).not.toHaveProperty('key')
    expect(access({ token }, other)).not.toHaveProperty('insecure')
  })

  it('a token from the environment is overridden by the command line', () => {
    expect(access({ key: 'k' }, { token })).toEqual({ cluster: 'default', key: 'k' })
    expect(access({ cluster: 'office' }, { token })).toEqual({ cluster: 'office' })
    expect(access({ cluster: 'lab' }, { token })).toMatchObject({ token: content })
  })

  it('a token from the environment may be combined with the same cluster name, but with no other name or key', () => {
    expect(access({}, { token, cluster: 'lab' })).toMatchObject({ cluster: 'lab', token: content })
    expect(() => access({}, { token, cluster: 'office' })).toThrow(
      '--cluster and the token contradict each other (in the environment)'
    )
    expect(() => access({}, { token, key })).toThrow('--key and the token contradict each other (in the environment)')
  })

  it('a token from the environment is decoded only if no option overrides it, and a decoding error names the variable', () => {
    expect(access({ key: 'k' }, { token: 'nonsense' })).toEqual({ cluster: 'default', key: 'k' })
    expect(access({ keyFile: 'f' }, { token: 'nonsense' })).toEqual({ cluster: 'default', keyFile: 'f' })
    expect(() => access({}, { token: 'nonsense' })).toThrow('P2P_WORKER_TOKEN: the token does not begin with')
  })

  it('a token of a cluster without a key requires --insecure', () => {
    expect(() => access({ token: open })).toThrow('add --insecure')
    for (const flags of [access({ token: open, insecure: true }), access({ token: open }, { insecure: true })]) {
      expect(flags).toEqual({ cluster: 'lab', bootstrap: addresses, insecure: true })
    }
  })
})
