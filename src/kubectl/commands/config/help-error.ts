import { helpText } from '../../help/help.ts';
import type { Call } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';

export async function printHelp({ out, root, commandPath, product }: Call): Promise<void> {
  out(await helpText({ root, path: commandPath, product }));
}

/** Prints the help to standard output before the error, as these commands do. */
export async function helpError(call: Call, message: string): Promise<KubectlError> {
  await printHelp(call);
  return new KubectlError(message);
}

export function unexpectedArgsError(call: Call): Promise<KubectlError> {
  return helpError(call, `Unexpected args: [${call.words.join(' ')}]`);
}
