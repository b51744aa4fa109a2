/** One broken version of the product, and the test that must notice the fault. */
export interface Patch {
  /** The promise in docs/guarantees.md that is broken: the bold words that begin its row. */
  row: string
  /** The source file, from the checkout's root. */
  file: string
  /** The text that is replaced, which occurs exactly once in the file. */
  find: string
  replace: string
  /** One of the tests that the row names. */
  test: { path: string; title: string }
  /** The one case to run of a title with `%s`; default: all cases. */
  only?: string
  /** The limit of one test, in ms, for a fault that only shows by a test that does not end. Default: the limit of the suite. */
  testTimeout?: number
}
