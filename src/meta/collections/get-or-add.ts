/** The value of a key, created when there is none. */
export function getOrAdd<Key, Value>(
  values: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  create: () => Value,
): Value {
  const before = values.get(key);
  if (before !== undefined) return before;
  const added = create();
  values.set(key, added);
  return added;
}
