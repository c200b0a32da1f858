/** An invalid command line, with the real server's message. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/** Throws all problems as one error, formatted and deduplicated like Go's aggregate. @throws FlagError */
export function throwProblems(problems: readonly string[]): void {
  const unique = [...new Set(problems)];
  if (unique.length === 1) throw new FlagError(unique.join(''));
  if (unique.length > 1) throw new FlagError(`[${unique.join(', ')}]`);
}

/** Converts a configuration error to a FlagError, whose message `describe` completes. */
export function convertToFlagError<T>(
  read: () => T,
  configError: new (message: string) => Error,
  describe: (why: string) => string = (why) => why,
): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof configError) throw new FlagError(describe(error.message));
    throw error;
  }
}
