/** Returns the object, which a subclass then gives its private fields. */
class Attachment {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: private fields can be added to any object in this way only
    return object;
  }
}

/** A value for each of some objects, which does not outlive its object. */
export interface AttachedValues<Key extends object, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/**
 * Like a WeakMap, for objects that live as long as a request. Minor garbage collections retain all values of a WeakMap that is old,
 * and their objects with them; here a value is a private field of its object, which no copy has.
 */
export function attachedValues<Key extends object, Value>(): AttachedValues<Key, Value> {
  class Attached extends Attachment {
    #value: Value;

    constructor(key: Key, value: Value) {
      super(key);
      this.#value = value;
    }

    static get(key: Key): Value | undefined {
      return #value in key ? key.#value : undefined;
    }

    static set(key: Key, value: Value): void {
      if (#value in key) key.#value = value;
      else new Attached(key, value);
    }
  }
  return Attached;
}
