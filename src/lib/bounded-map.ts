/** A Map with a maximum size. Adding an entry to a full map removes the entry that was set longest ago. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  /** @param most - the maximum number of entries */
  constructor(most: number) {
    super()
    this.#most = most
  }

  /**
   * Sets a value and makes the key the newest key. For least-recently-used order, the caller sets an entry again at each
   * use.
   */
  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#most) this.delete(this.keys().next().value as Key)
    return this
  }
}
