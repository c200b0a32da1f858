import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { helpText } from '../../program/help.ts';

/** Prints the help to standard output before the error, as these commands do. */
export async function unexpectedArgsError(call: Call, command: Command): Promise<KubectlError> {
  call.out(helpText(command, call.commandPath));
  return new KubectlError(`Unexpected args: [${call.words.join(' ')}]`);
}
