/** `bad-request`: 400 with the text. `failed`: 500 with the text and no reason. */
export type OwnershipErrorCode = 'bad-request' | 'failed';

/** Why an applied configuration cannot be taken. The message is the real server's, word for word. */
export class OwnershipError extends Error {
  readonly code: OwnershipErrorCode;

  constructor(code: OwnershipErrorCode, message: string) {
    super(message);
    this.name = 'OwnershipError';
    this.code = code;
  }
}
