/** A line that is no shell. */
export class ShellSyntaxError extends Error {
  override readonly name = 'ShellSyntaxError';
}

/** `break`, `continue`, `return` and `exit` on their way to what they leave. */
export class Leave extends Error {
  readonly what: 'break' | 'continue' | 'return' | 'exit';
  /** How many loops to leave, or the exit code. */
  readonly value: number;

  constructor(what: Leave['what'], value: number) {
    super(what);
    this.what = what;
    this.value = value;
  }
}

/** What a command says on standard error before it fails: `cat: x: No such file or directory`. */
export class CommandError extends Error {
  readonly code: number;

  constructor(message: string, code = 1) {
    super(message);
    this.code = code;
  }
}
