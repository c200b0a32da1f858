/** `bad-request`: 400 with the message. `failed`: 500 with the message and no reason. */
export type OwnershipErrorCode = 'bad-request' | 'failed';

/** An invalid applied configuration. The message is the real server's, word for word. */
export class OwnershipError extends Error {
  readonly code: OwnershipErrorCode;

  constructor(code: OwnershipErrorCode, message: string) {
    super(message);
    this.name = 'OwnershipError';
    this.code = code;
  }
}
