/** A Map with a maximum: one entry more, and the entry that was set longest ago goes. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  /** @param most - the number of entries that it keeps */
  constructor(most: number) {
    super()
    this.#most = most
  }

  /** Sets a value, which makes its key the newest. A caller that wants the order of use sets an entry again when it uses it. */
  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#most) this.delete(this.keys().next().value as Key)
    return this
  }
}
