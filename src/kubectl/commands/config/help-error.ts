import { helpText } from '../../help/help.ts';
import type { Call } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';

/** Prints the help to standard output before the error, as these commands do. */
export async function unexpectedArgsError({ out, root, commandPath, product, words }: Call): Promise<KubectlError> {
  out(await helpText({ root, path: commandPath, product }));
  return new KubectlError(`Unexpected args: [${words.join(' ')}]`);
}
