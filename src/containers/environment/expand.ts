/**
 * Replaces `$(NAME)` by the value of a variable; unknown ones stay as they are, and `$$` is a dollar sign.
 * Cf. third_party/forked/golang/expansion.
 */
export function expand(text: string, resolve: (name: string) => string | undefined): string {
  return text.replaceAll(/\$(?:\$|\(([^)]*)\))/g, (all, name: string | undefined) => (name === undefined ? '$' : (resolve(name) ?? all)));
}

/** The variables that a text refers to. */
export const referencesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\$(?:\$|\(([^)]*)\))/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));
