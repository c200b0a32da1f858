import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { helpText } from '../../program/help.ts';

/** These commands show their help on standard output before they complain. */
export async function wrongWords(call: Call, command: Command): Promise<KubectlError> {
  call.out(helpText(command, call.commandPath));
  return new KubectlError(`Unexpected args: [${call.words.join(' ')}]`);
}
