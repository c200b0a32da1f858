type Text = Pick<string, 'length' | 'charCodeAt'>;

/** Whether two secrets are the same. How long that takes tells how long they are, and nothing of what is in them. */
export function sameSecret(known: Text, given: Text): boolean {
  if (known.length !== given.length) return false;
  let difference = 0;
  for (let at = 0; at < given.length; at++) difference |= known.charCodeAt(at) ^ given.charCodeAt(at);
  return difference === 0;
}
