/** @jsxImportSource preact */
/** Each state of a member has a shape of its own, besides its colour. */
import type { JSX } from 'preact'
import type { MemberState } from '../../../membership/core/member.ts'

/** Around 0, 0. */
export function StateMark({ state, radius }: { state: MemberState; radius: number }): JSX.Element {
  const r = radius
  switch (state) {
    case 'alive':
      return <circle class="state alive" r={r} />
    case 'suspect':
      return <path class="state suspect" d={`M0,${-1.25 * r}L${1.25 * r},0L0,${1.25 * r}L${-1.25 * r},0Z`} />
    case 'dead':
      return <path class="state dead" d={`M${-r},${-r}L${r},${r}M${-r},${r}L${r},${-r}`} />
    case 'left':
      return <circle class="state left" r={0.85 * r} />
  }
}

/** The state as a word, with its shape before it. */
export function State({ state }: { state: MemberState }): JSX.Element {
  return (
    <span class={`word ${state}`}>
      <svg class="mark" viewBox="-12 -12 24 24" aria-hidden="true">
        <StateMark state={state} radius={8} />
      </svg>
      {state}
    </span>
  )
}
