type Text = Pick<string, 'length' | 'charCodeAt'>;

/** Compares two secrets in constant time: the time depends on the length alone. */
export function constantTimeEqual(known: Text, given: Text): boolean {
  if (known.length !== given.length) return false;
  let difference = 0;
  for (let at = 0; at < given.length; at++) difference |= known.charCodeAt(at) ^ given.charCodeAt(at);
  return difference === 0;
}
