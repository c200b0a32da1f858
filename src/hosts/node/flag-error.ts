/** A command line that cannot be followed; the message is for its writer, in the real server's words. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/** All that is wrong at once, as Go's aggregate writes it: what is said twice counts once. */
export function refuseAll(problems: readonly string[]): void {
  const unique = [...new Set(problems)];
  if (unique.length === 1) throw new FlagError(unique.join(''));
  if (unique.length > 1) throw new FlagError(`[${unique.join(', ')}]`);
}

/** What is wrong with a configuration is wrong with the command line that names it. */
export function orRefused<T>(read: () => T, configError: new (message: string) => Error): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof configError) throw new FlagError(error.message);
    throw error;
  }
}
