/** A syntax error. */
export class ShellSyntaxError extends Error {
  override readonly name = 'ShellSyntaxError';
}

/** Unwinds `break`, `continue`, `return` and `exit` to their target. */
export class ControlTransfer extends Error {
  readonly kind: 'break' | 'continue' | 'return' | 'exit';
  /** Number of loops to leave, or the exit code. */
  readonly value: number;

  constructor(what: ControlTransfer['kind'], value: number) {
    super(what);
    this.kind = what;
    this.value = value;
  }
}

/** A failure with its message for standard error: `cat: x: No such file or directory`. */
export class CommandError extends Error {
  readonly code: number;

  constructor(message: string, code = 1) {
    super(message);
    this.code = code;
  }
}
