/** A Map with a maximum size: adding beyond it removes the entry that was set longest ago. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  /** @param most - the most entries to keep */
  constructor(most: number) {
    super()
    this.#most = most
  }

  /**
   * Sets a value and makes its key the newest. For least-recently-used order, the caller sets an entry again on each
   * use.
   */
  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#most) this.delete(this.keys().next().value as Key)
    return this
  }
}
