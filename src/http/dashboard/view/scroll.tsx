/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact'

interface Props {
  /** The label for screen readers. */
  label: string
  /** Whether the area is only as high as its neighbours. */
  tall?: boolean
  children: ComponentChildren
}

/** An area that scrolls by itself, also by keyboard, so that the page is not wider than the screen. */
export function Scroll({ label, tall = false, children }: Props): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of fields is something else
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a user without a mouse scrolls by keys
    <div class={tall ? 'scroll tall' : 'scroll'} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
