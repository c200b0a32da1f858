import { text } from '../parse/flags.ts';
import { type Command, usageError } from '../program/command.ts';
import { printYaml } from '../yaml/printer.ts';
import { buildKustomization } from './build.ts';

export const kustomize: Command = {
  flags: { output: text('', 'o', 'A file to write to') },
  async run(call) {
    if (call.words.length > 1) throw usageError(call, 'specify one path to kustomization.yaml');
    const objects = await buildKustomization(call, call.words[0] ?? '.');
    const result = objects.map((object) => printYaml(object)).join('---\n');
    const file = call.flags.text('output');
    if (file === '') call.out(result);
    else await call.shell.files.write(call.path(file), new TextEncoder().encode(result));
    return 0;
  },
};
