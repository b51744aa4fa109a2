import { describe, expect, expectTypeOf, it } from 'vitest'
import type { TaskReference } from '../../../src/api/types.ts'
import { defineTask } from '../../../src/tasks/define/define-task.ts'
import type { IterationDefinition } from '../../../src/tasks/define/iteration.ts'
import type { RunContext, TaskDefinition } from '../../../src/tasks/define/types.ts'

describe('the types of a task', () => {
  it('defineTask infers the types of a generator split, an initial value, reduce and finish', () => {
    const task = defineTask({
      name: 'count-primes',
      *split(limit: number, { slots }) {
        expectTypeOf(slots).toEqualTypeOf<number>()
        for (let from = 0; from < limit; from += 10) yield { from, to: from + 10 }
      },
      run({ from, to }, { signal, index, log }) {
        expectTypeOf(from).toEqualTypeOf<number>()
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
        expectTypeOf(index).toEqualTypeOf<number>()
        expectTypeOf(log).toEqualTypeOf<RunContext['log']>()
        return [from, to]
      },
      combine(a, b) {
        expectTypeOf([a, b]).toEqualTypeOf<number[][]>()
        return [...a, ...b]
      },
      initial: 0,
      reduce(sum, partial, index) {
        expectTypeOf(sum).toEqualTypeOf<number>()
        expectTypeOf(partial).toEqualTypeOf<number[]>()
        expectTypeOf(index).toEqualTypeOf<number>()
        return sum + partial.length
      },
      finish(sum) {
        expectTypeOf(sum).toEqualTypeOf<number>()
        return `${sum}`
      }
    })
    expectTypeOf(task).toEqualTypeOf<TaskDefinition<number, { from: number; to: number }, number[], number, string>>()
    expect(task.name).toBe('count-primes')
  })

  it('defineTask infers the types of an async split, an async run, a factory and an async reduce', () => {
    const task = defineTask({
      async *split(input: { words: string[] }) {
        for (const word of input.words) yield word
      },
      async run(word) {
        expectTypeOf(word).toEqualTypeOf<string>()
        return word.length
      },
      initial: () => new Map<number, number>(),
      async reduce(counts, length) {
        expectTypeOf(counts).toEqualTypeOf<Map<number, number>>()
        return counts.set(length, (counts.get(length) ?? 0) + 1)
      },
      finish: async counts => [...counts]
    })
    expectTypeOf(task).toEqualTypeOf<
      TaskDefinition<{ words: string[] }, string, number, Map<number, number>, [number, number][]>
    >()
  })

  it('defineTask infers the types of a split that promises an array', () => {
    const task = defineTask({
      split: async (n: number) => Array.from({ length: n }, (_, i) => BigInt(i)),
      run: chunk => chunk * 2n
    })
    expectTypeOf(task).toEqualTypeOf<TaskDefinition<number, bigint, bigint, bigint[], bigint[]>>()
  })

  it('defineTask without split infers the chunks as the elements of the input', () => {
    const task = defineTask({
      run: (word: string) => word.length,
      finish(lengths) {
        expectTypeOf(lengths).toEqualTypeOf<number[]>()
        return Math.max(...lengths)
      }
    })
    expectTypeOf(task).toEqualTypeOf<TaskDefinition<Iterable<string>, string, number, number[], number>>()
  })

  it('defineTask without reduce and finish infers the result as the array of partials', () => {
    const task = defineTask({
      *split(n: number) {
        yield n
      },
      run: async chunk => ({ chunk })
    })
    expectTypeOf(task).toEqualTypeOf<
      TaskDefinition<number, number, { chunk: number }, { chunk: number }[], { chunk: number }[]>
    >()
  })

  it('defineTask refuses functions whose types do not match', () => {
    defineTask({
      *split(n: number) {
        yield n
      },
      run: chunk => chunk,
      initial: 0,
      // @ts-expect-error the accumulator is a number
      reduce: (sum, partial) => `${sum}${partial}`
    })
    expect.assertions(0)
  })
})

describe('the types of an iteration', () => {
  it('defineTask infers different types for the state, the accumulator and the result', () => {
    const task = defineTask({
      *split(points: number[][]) {
        yield points
      },
      start(points) {
        expectTypeOf(points).toEqualTypeOf<number[][]>()
        return { centre: points[0] ?? [] }
      },
      run(shard, { state, round, index, signal }) {
        expectTypeOf(shard).toEqualTypeOf<number[][]>()
        expectTypeOf(state).toEqualTypeOf<{ centre: number[] }>()
        expectTypeOf(round).toEqualTypeOf<number>()
        expectTypeOf(index).toEqualTypeOf<number>()
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
        return shard.length
      },
      initial: () => ({ count: 0 }),
      reduce(sum, partial) {
        expectTypeOf(sum).toEqualTypeOf<{ count: number }>()
        expectTypeOf(partial).toEqualTypeOf<number>()
        return { count: sum.count + partial }
      },
      next(state, sum, { round }) {
        expectTypeOf(sum).toEqualTypeOf<{ count: number }>()
        return { centre: [...state.centre, sum.count, round] }
      },
      until(state, { round }) {
        expectTypeOf(state).toEqualTypeOf<{ centre: number[] }>()
        return round === 50
      },
      finish(state) {
        expectTypeOf(state).toEqualTypeOf<{ centre: number[] }>()
        return `${state.centre}`
      }
    })
    expectTypeOf(task).toEqualTypeOf<
      IterationDefinition<number[][], number[][], number, { centre: number[] }, { count: number }, string>
    >()
    expectTypeOf(task).toExtend<TaskReference<number[][], string, number>>()
    expect(task.until({ centre: [] }, { round: 50 })).toBe(true)
  })

  it('defineTask infers the types of an iteration without split, reduce and finish, with asynchronous functions', () => {
    const task = defineTask({
      start: async () => new Map<string, number>(),
      run: async (word: string, { state }) => ({ word, isKnown: state.has(word) }),
      async next(state, partials) {
        expectTypeOf(partials).toEqualTypeOf<{ word: string; isKnown: boolean }[]>()
        return state
      },
      until: async () => true
    })
    expectTypeOf(task).toEqualTypeOf<
      IterationDefinition<
        Iterable<string>,
        string,
        { word: string; isKnown: boolean },
        Map<string, number>,
        { word: string; isKnown: boolean }[],
        Map<string, number>
      >
    >()
  })

  it('defineTask refuses a `next` that returns another type than `start`', () => {
    // @ts-expect-error the state is a number
    defineTask({ start: () => 0, run: (n: number) => n, next: () => 'text', until: () => true })
    expect.assertions(0)
  })
})
