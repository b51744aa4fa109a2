/** One broken version of the product, and the test that has to notice it. */
export interface Patch {
  /** The promise in docs/guarantees.md that is broken: the bold words that begin its row. */
  row: string
  /** The source file, from the checkout's root. */
  file: string
  /** Its text that is replaced: it occurs exactly once there. */
  find: string
  replace: string
  /** One of the tests that the row names. */
  test: { path: string; title: string }
  /** Of a title with `%s`, the one case that is run; default: all. */
  only?: string
  /** The limit of one test, in ms, where the broken product only shows by not ending. Default: that of the suite. */
  testTimeout?: number
}
