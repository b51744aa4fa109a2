/** Declares the tools that a test needs. */
import { describe, it, type TestFunction } from 'vitest'
import { type Missing, missing, needsText, type Tool, tellNotRun } from './tools.ts'

interface Tests {
  describe: (title: string, body: () => void) => void
  it: (title: string, body: TestFunction) => void
}

/**
 * Returns `describe` and `it` for tests that need these tools. If a tool is missing, the tests are skipped, name the tool in their title, and write
 * `not run: TITLE (needs curl; Debian: curl)` to stderr. With P2P_WORKER_REQUIRE_TOOLS=1 they fail instead.
 *
 * @example
 * needs('tmux', 'zsh').describe('zsh', () => { … })
 */
export function needs(...tools: Tool[]): Tests {
  return unless(missing(...tools))
}

/** Like {@link needs}, for tests that check their requirements themselves and pass the list of missing tools. */
export function unless(lacking: readonly Missing[]): Tests {
  if (lacking.length === 0) return { describe, it }
  const without = needsText(lacking)
  if (process.env.P2P_WORKER_REQUIRE_TOOLS === '1') {
    const fail = (title: string): void =>
      it(title, () => {
        throw new Error(`${without}: with P2P_WORKER_REQUIRE_TOOLS=1 no test is skipped`)
      })
    return { describe: fail, it: fail }
  }
  const named = (title: string): string => {
    tellNotRun(title, lacking)
    return `${title} (${without})`
  }
  return {
    describe: (title, body) => void describe.skip(named(title), body),
    it: (title, body) => void it.skip(named(title), body)
  }
}
