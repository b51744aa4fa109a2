/** @jsxImportSource preact */
import type { JSX } from 'preact'

interface Props {
  titles: readonly string[]
  /** The titles of the columns that are aligned to the right. */
  numbers: readonly string[]
  /** The title of an extra last column, which only screen readers announce. */
  hidden?: string
}

/** The head of a table. */
export function Titles({ titles, numbers, hidden }: Props): JSX.Element {
  return (
    <thead>
      <tr>
        {[...titles, ...numbers].map(title => (
          <th key={title} scope="col" class={numbers.includes(title) ? 'end' : undefined}>
            {title}
          </th>
        ))}
        {hidden !== undefined && (
          <th scope="col">
            <span class="hidden">{hidden}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}
