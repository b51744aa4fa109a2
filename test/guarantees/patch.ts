/** One broken version of the product, and the test that must notice the fault. */
export interface Patch {
  /** The promise in docs/guarantees.md that is broken: the bold words that begin its row. */
  row: string
  /** The path of the source file, relative to the root of the checkout. */
  file: string
  /** The text that is replaced. It must occur exactly one time in the file. */
  find: string
  replace: string
  /** One of the tests that the row names. */
  test: { path: string; title: string }
  /** The only case to run of a test whose title contains `%s`. Default: all cases. */
  only?: string
  /** The time limit of one test, in ms, for a fault that makes the test hang. Default: the limit of the suite. */
  testTimeout?: number
}
