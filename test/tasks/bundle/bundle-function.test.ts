import { describe, expect, it } from 'vitest'
import { InvalidOptionError } from '../../../src/common/errors.ts'
import { bundleFunction } from '../../../src/tasks/bundle/bundle-function.ts'
import { executorOf, runValues } from '../helpers.ts'

// biome-ignore lint/suspicious/noExplicitAny: the function may have any parameters
type AnyFunction = (...values: any[]) => unknown

async function run(fn: AnyFunction, ...chunks: unknown[]): Promise<unknown[]> {
  const bundle = await bundleFunction(fn, {})
  const { partials, errors } = await runValues(await executorOf([bundle]), bundle, chunks)
  for (const { message } of errors.values()) throw new Error(message)
  return chunks.map((_, index) => partials.get(index))
}

const outside = 3

describe('bundling a function', () => {
  const methods = {
    double(x: number) {
      return 2 * x
    },
    async later(x: number) {
      return 3 * x
    },
    ['com' + 'puted'](x: number) {
      return 4 * x
    }
  }

  it.each<[string, AnyFunction, number]>([
    ['an arrow', x => x + 1, 6],
    ['an async arrow', async x => x + 2, 7],
    [
      'a function expression',
      function old(x) {
        return x + 3
      },
      8
    ],
    ['a method', methods.double, 10],
    ['an async method', methods.later, 15],
    ['a method with a computed name', methods.computed!, 20],
    [
      'a function that contains functions',
      x => {
        const inner = (y: number) => y * y
        return inner(x)
      },
      25
    ]
  ])('a bundled function may be %s', async (_, fn, expected) => {
    expect(await run(fn, 5)).toEqual([expected])
  })

  it('a bundled function may import modules of Node in its body', async () => {
    const size = async (text: string) => {
      const { gzipSync } = await import('node:zlib')
      return gzipSync(text).byteLength > 0
    }
    expect(await run(size, 'x')).toEqual([true])
  })

  it('a bundled function cannot use the variables of its module', async () => {
    await expect(run(x => x * outside, 1)).rejects.toThrow('outside is not defined')
  })

  it.each<[string, AnyFunction]>([
    ['a native function', Math.sqrt],
    ['a bound function', ((x: number) => x).bind(null)],
    ['a class', class {} as unknown as AnyFunction]
  ])('a bundled function may not be %s', async (_, fn) => {
    await expect(bundleFunction(fn, {})).rejects.toThrow(InvalidOptionError)
  })

  it('a bundled function keeps its name, and two bundles of one function have the same hash', async () => {
    const fn = function square(x: number) {
      return x * x
    }
    const [one, two] = await Promise.all([bundleFunction(fn, {}), bundleFunction(fn, {})])
    expect(one.name).toBe('square')
    expect(one.sha256).toBe(two.sha256)
    expect((await bundleFunction(x => x, {})).name).toBe('map')
  })
})
