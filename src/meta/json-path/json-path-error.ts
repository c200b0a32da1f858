/** An invalid template, or a path without a required result; the message is client-go's. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}
