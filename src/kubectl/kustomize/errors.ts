import { KubectlError } from '../program/errors.ts';

/** A text that is no YAML. */
export class MalformedYamlError extends KubectlError {}

/** The error after `what`, which failed by it; others than kubectl's stay as they are. */
export function withContext(error: unknown, what: string): unknown {
  if (error instanceof MalformedYamlError) return new MalformedYamlError(`${what}: ${error.message}`);
  return error instanceof KubectlError ? new KubectlError(`${what}: ${error.message}`) : error;
}

/** Names what was done in errors. */
export async function within<Result>(what: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw withContext(error, what);
  }
}
