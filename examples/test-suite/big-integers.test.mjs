import assert from 'node:assert/strict'
import test from 'node:test'
import { bytesFrom, forManyCases } from './cases.mjs'

const bigIntegerFrom = random => BigInt(`0x${Buffer.from(bytesFrom(random, 64)).toString('hex')}`)

test('the quotient times the divisor plus the remainder equals the dividend', () => {
  forManyCases(random => {
    const [a, b] = [bigIntegerFrom(random), bigIntegerFrom(random) + 1n]
    assert.equal((a / b) * b + (a % b), a)
    assert.ok(a % b < b)
  })
})

test('a large integer is unchanged after it is printed and parsed', () => {
  forManyCases(random => {
    const a = bigIntegerFrom(random)
    assert.equal(BigInt(a.toString()), a)
  })
})
