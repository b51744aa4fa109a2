import type { IterationContext } from '../define/iteration.ts'
import { decode } from '../values/payload.ts'
import { roundChunkOf } from '../values/shard-round.ts'
import type { Call } from './call.ts'
import type { IterationTask } from './load-task.ts'
import { Context } from './run-chunk.ts'
import type { Scope } from './scope.ts'

class RoundContext extends Context implements IterationContext<unknown> {
  readonly state: unknown
  readonly round: number

  constructor(call: Call, scope: Scope, shard: number, round: number, state: unknown) {
    super(call, scope, shard)
    this.state = state
    this.round = round
  }
}

/**
 * Calls `run` of an iteration. Each call decodes shard and state anew, so that a call of `run` can change both without an effect on other calls.
 */
export function runRound(call: Call, task: IterationTask, bytes: Uint8Array, index: number): unknown {
  const { round, shard, state, data } = roundChunkOf(bytes)
  const scope = call.scope('run', index)
  const context = new RoundContext(call, scope, shard, round, decode(state, 'state'))
  const value = decode(data, 'shard')
  return scope.run(() => task.run(value, context))
}
