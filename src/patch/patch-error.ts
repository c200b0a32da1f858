/**
 * What the answer to a refused patch is:
 * `bad-patch` 400; `too-many-operations` 413; `not-applicable` 422, whose text the real server keeps to itself;
 * `failed` 500 with the text and no reason; `panic` 500, where the real server's handler breaks down.
 */
export type PatchErrorCode = 'bad-patch' | 'too-many-operations' | 'not-applicable' | 'failed' | 'panic';

/** A patch that cannot be applied. The message is the real server's, word for word. */
export class PatchError extends Error {
  readonly code: PatchErrorCode;

  constructor(code: PatchErrorCode, message: string) {
    super(message);
    this.name = 'PatchError';
    this.code = code;
  }
}
