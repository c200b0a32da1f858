/**
 * Maps to the response of a rejected patch:
 * `bad-patch` 400; `too-many-operations` 413; `not-applicable` 422, without the message in the real server's response;
 * `failed` 500 with the message and no reason; `panic` 500, where the real server's handler panics.
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

/** The value of a `test` operation differs. */
export class PatchTestError extends PatchError {
  constructor(path: string) {
    super('not-applicable', `testing value ${path} failed: test failed`);
  }
}
