/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact'

interface Props {
  /** Names it for who cannot see it. */
  label: string
  /** Whether it is no higher than what stands beside it. */
  tall?: boolean
  children: ComponentChildren
}

/** A place that scrolls by itself, also by keyboard, so that the page need not be wider than the screen. */
export function Scroll({ label, tall = false, children }: Props): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of fields is something else
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls by keys
    <div class={tall ? 'scroll tall' : 'scroll'} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
