import { type Command, usageError } from '../../program/command.ts';

/** The scripts as kubectl prints them; each is loaded when it is printed. */
const scripts = new Map<string, () => Promise<{ readonly default: string }>>([
  ['bash', () => import('./bash.txt?raw')],
  ['fish', () => import('./fish.txt?raw')],
  ['powershell', () => import('./powershell.txt?raw')],
  ['zsh', () => import('./zsh.txt?raw')],
]);

export const completion: Command = {
  async run(call) {
    const [shell] = call.words;
    if (shell === undefined) throw usageError(call, 'Shell not specified.');
    if (call.words.length > 1) throw usageError(call, 'Too many arguments. Expected only the shell type.');
    const load = scripts.get(shell);
    if (!load) throw usageError(call, `Unsupported shell type ${JSON.stringify(shell)}.`);
    call.out((await load()).default);
    return 0;
  },
};
