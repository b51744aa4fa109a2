/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact'

interface Props {
  /** The label for screen readers. */
  label: string
  /** Whether the area has the height of its neighbours. */
  tall?: boolean
  children: ComponentChildren
}

/** An area with its own scroll bar, so that the page is not wider than the screen. Users can also scroll it by keyboard. */
export function Scroll({ label, tall = false, children }: Props): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is only for form fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a user without a mouse scrolls with the keyboard
    <div class={tall ? 'scroll tall' : 'scroll'} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
