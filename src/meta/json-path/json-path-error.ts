/** A template that is broken, or a path that finds nothing where it has to; the message is client-go's. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}
