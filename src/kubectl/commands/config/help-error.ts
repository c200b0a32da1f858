import { helpText } from '../../help/help.ts';
import type { Call } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';

/** Prints the help to standard output before the error, as these commands do. */
export async function helpError({ out, root, commandPath, product }: Call, message: string): Promise<KubectlError> {
  out(await helpText({ root, path: commandPath, product }));
  return new KubectlError(message);
}

export function unexpectedArgsError(call: Call): Promise<KubectlError> {
  return helpError(call, `Unexpected args: [${call.words.join(' ')}]`);
}
