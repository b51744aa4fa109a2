import type { ScheduleRecord } from '../../journal/schedule-record.ts'
import type { ScheduleEffect } from './events.ts'
import type { ScheduleAnswer, ScheduleReport } from './types.ts'

/** Collects the effects of one event. */
export class Outbox<Token> {
  #effects: ScheduleEffect<Token>[] = []

  push(effect: ScheduleEffect<Token>): void {
    this.#effects.push(effect)
  }

  write(key: string, record: ScheduleRecord): void {
    this.push({ type: 'write', key, record })
  }

  answer(token: Token, answer: ScheduleAnswer): void {
    this.push({ type: 'answer', token, answer })
  }

  answerAll(tokens: readonly Token[] | undefined, answer: ScheduleAnswer): void {
    for (const token of tokens ?? []) this.answer(token, answer)
  }

  report(report: ScheduleReport): void {
    this.push({ type: 'report', report })
  }

  /** Returns the effects, and begins anew. */
  take(): ScheduleEffect<Token>[] {
    const effects = this.#effects
    this.#effects = []
    return effects
  }
}
