import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import hashSearch from '../../examples/hash-search.ts'
import { iterateInOneLoop } from './in-one-loop.ts'

const genesis = {
  nonce: 2083236893,
  hash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'
}

/** The header of the first block without the nonce, copied from the chain instead of computed by the example. */
const HEADER =
  `01000000${'00'.repeat(32)}3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d` as const

/** Runs the search as one loop with Node's own SHA-256. */
function findInOneLoop(from: number, end: number): { nonce: number; hash: string } | undefined {
  const header = Buffer.concat([Buffer.from(HEADER, 'hex'), Buffer.alloc(4)])
  for (let nonce = from; nonce < end; nonce++) {
    header.writeUInt32LE(nonce, 76)
    const once = createHash('sha256').update(header).digest()
    const hash = createHash('sha256').update(once).digest().reverse().toString('hex')
    if (hash.startsWith('00000000')) return { nonce, hash }
  }
  return undefined
}

test('the search and one loop with Node’s SHA-256 find the nonce of Bitcoin’s first block', async () => {
  const from = genesis.nonce - 2_000
  expect(findInOneLoop(from, genesis.nonce + 1)).toEqual(genesis)
  const { rounds, result } = await iterateInOneLoop(hashSearch, { block: 'genesis', from }, 1)
  expect(result).toEqual({ block: 'genesis', from, ...genesis, verified: true })
  expect(rounds).toBe(1)
})

test('the search can find the nonce in the second round, and ends after this round', async () => {
  // A round covers eight shards of 2^17 numbers, so the nonce is in the first shard of the second round.
  const from = genesis.nonce - 8 * 2 ** 17
  const { rounds, result } = await iterateInOneLoop(hashSearch, { from }, 1)
  expect(result).toEqual({ block: 'genesis', from, ...genesis, verified: true })
  expect(rounds).toBe(2)
})

test('the search finds the nonce of block 125552', async () => {
  const { result } = await iterateInOneLoop(hashSearch, { block: '125552', from: 2504433986 }, 1)
  expect(result).toMatchObject({
    nonce: 2504433986,
    hash: '00000000000000001e8d6829a8a21adc5d38d0a473b144b6765798e61f98bd1d',
    verified: true
  })
})

test('the search ends without a result when no nonce is left', async () => {
  const from = 2 ** 32 - 1_000
  const { rounds, result } = await iterateInOneLoop(hashSearch, { from }, 1)
  expect(result).toEqual({ block: 'genesis', from, nonce: null, hash: null, verified: false })
  expect(rounds).toBe(1)
})

test('a nonce that differs from the published nonce is not verified', async () => {
  const state = { name: 'genesis' as const, from: 0, next: 1, nonce: 1 }
  expect(await hashSearch.finish!(state)).toMatchObject({ nonce: 1, verified: false })
})

test('an unknown block and an invalid nonce are refused', () => {
  expect(() => hashSearch.start({ block: '1' })).toThrow('block must be "genesis" or "125552"')
  expect(() => hashSearch.start({ block: 'toString' })).toThrow('block must be')
  for (const from of [-1, 0.5, 2 ** 32, Number.NaN]) {
    expect(() => hashSearch.start({ from })).toThrow('from must be a whole number from 0 to 4294967295')
  }
})
