import type { CallData } from '../execute/messages.ts'
import { Call } from './call.ts'

/** A thread that has come here has started. */
export function runNothing(data: CallData): void {
  new Call(data).end()
}
