import { flagLines, helpText, usageOnly } from '../help/help.ts';
import type { Command } from '../program/command.ts';
import { globalFlags } from '../program/global-flags.ts';

export const options: Command = {
  run(call) {
    const home = call.environment.get('HOME') ?? '';
    const specs = { ...globalFlags, 'cache-dir': { ...globalFlags['cache-dir'], kind: 'text', initial: `${home}/.kube/cache` } as const };
    const lines = flagLines('', specs).map((line) => `${line}\n\n`);
    call.out(`The following options can be passed to any command:\n\n${lines.join('')}`);
    return 0;
  },
};

/** This release has no alpha commands. */
export const alpha: Command = {
  run(call) {
    call.err('No alpha commands are available in this version of kubectl\n');
    return 0;
  },
};

export const help: Command = {
  async run(call) {
    const { root, product } = call;
    let command = root;
    const path: string[] = [];
    for (const word of call.words) {
      const found = Object.entries(command.subcommands ?? {}).find(([name, { aliases }]) => name === word || aliases?.includes(word));
      if (!found) break;
      command = await found[1].load();
      path.push(found[0]);
    }
    // Cf. cobra: further words are arguments of a command, but not of the root command.
    if (path.length === 0 && call.words.length > 0) {
      call.err(`Unknown help topic [\`${call.words.join('` `')}\`]\n\n\n${await usageOnly({ root, path: '', product })}`);
      return 0;
    }
    call.out(await helpText({ root, path: path.join(' '), product }));
    return 0;
  },
};
