/** An error of the server, with its SQLSTATE. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  readonly state: string;
  readonly more: SqlErrorFields;

  constructor(state: string, message: string, more: SqlErrorFields = {}) {
    super(message);
    this.state = state;
    this.more = more;
  }
}

export interface SqlErrorFields {
  readonly detail?: string;
  readonly hint?: string;
  /** Offset in the statement, from 0. */
  readonly at?: number;
}
