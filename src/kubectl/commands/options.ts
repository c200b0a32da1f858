import type { Command } from '../program/command.ts';
import { globalFlags } from '../program/global-flags.ts';
import { helpText } from '../program/help.ts';

export const options: Command = {
  run(call) {
    const lines = Object.entries(globalFlags).map(
      ([name, { short, initial = '', about = '' }]) => `    ${short === undefined ? '' : `-${short}, `}--${name}=${initial}:\n\t${about}\n`,
    );
    call.out(`The following options can be passed to any command:\n\n${lines.join('\n')}`);
    return 0;
  },
};

export const help: Command = {
  async run(call) {
    let command = call.root;
    for (const word of call.words) {
      const entry = command.subcommands?.[word];
      if (!entry) {
        call.err(`Unknown help topic [\`${call.words.join(' ')}\`]\n`);
        return 0;
      }
      command = await entry.load();
    }
    call.out(helpText(command, call.words.join(' ')));
    return 0;
  },
};
