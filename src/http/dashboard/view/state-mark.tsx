/** @jsxImportSource preact */
/** The mark of a member's state. Each state has its own shape and its own colour. */
import type { JSX } from 'preact'
import type { MemberState } from '../../../membership/core/member.ts'

/** Draws the mark around 0, 0. */
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

/** Shows the state as a word, after its mark. */
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
