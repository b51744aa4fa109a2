/** Verifies the result of the demo's job. */
import { isDeepStrictEqual } from 'node:util'
import { toJson } from '../../tasks/values/tagged-json.ts'
import { printable } from '../terminal/output.ts'

/** Whether a result is correct, and the lines that show the reason. */
export interface Verdict {
  verified: boolean
  lines: string[]
}

/**
 * The result of NAS EP class W. The sums are the verification constants of NPB (at most 1e-8 of relative error). The
 * counts were recomputed in double precision.
 */
const NAS_EP_W = {
  sx: -2863.319731645753,
  sy: -6320.053679109499,
  counts: [12281576, 11729692, 2202726, 137368, 3371, 36],
  tolerance: 1e-8
}

interface NasEpResult {
  sx: number
  sy: number
  counts: number[]
}

function isNasEpResult(value: unknown): value is NasEpResult {
  const { sx, sy, counts } = (value ?? {}) as Partial<NasEpResult>
  return typeof sx === 'number' && typeof sy === 'number' && Array.isArray(counts)
}

/**
 * Compares a result with the values that NASA published. The values are constants of this file, so the check does not
 * depend on the task.
 */
export function verifyNasEpW(result: unknown): Verdict {
  if (!isNasEpResult(result)) {
    return { verified: false, lines: [`the result is no NAS EP result: ${printable(toJson(result)).slice(0, 500)}`] }
  }
  const lines: string[] = []
  let verified = true
  const check = (right: boolean, line: string): void => {
    verified &&= right
    lines.push(`${right ? '✓' : '✗'} ${line}`)
  }
  for (const name of ['sx', 'sy'] as const) {
    const published = NAS_EP_W[name]
    const error = Math.abs((result[name] - published) / published)
    check(
      error <= NAS_EP_W.tolerance,
      `${name} = ${result[name]}   published ${published}, relative error ${error.toExponential(1)}`
    )
  }
  const { counts } = result
  const right = counts.every((count, index) => count === (NAS_EP_W.counts[index] ?? 0))
  check(right && counts.length >= NAS_EP_W.counts.length, `counts ${counts.slice(0, NAS_EP_W.counts.length).join(' ')}`)
  return { verified, lines }
}

/** Compares a result bit by bit (including −0 and NaN) with the result of one undisturbed thread. */
export function verifyAgainst(expected: unknown, result: unknown): Verdict {
  const shown = (value: unknown): string => {
    const text = printable(toJson(value))
    return text.length <= 500 ? text : `${text.slice(0, 500)}… (${text.length} characters)`
  }
  // The text is compared as well, because two invalid dates are never deeply equal.
  if (isDeepStrictEqual(expected, result) || toJson(expected) === toJson(result)) {
    return { verified: true, lines: [`result ${shown(result)}`, '✓ equal to an undisturbed run on one thread'] }
  }
  return {
    verified: false,
    lines: [`cluster    ${shown(result)}`, `one thread ${shown(expected)}`, '✗ they differ']
  }
}
