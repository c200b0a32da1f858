import type { Command } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { printYaml } from '../yaml/printer.ts';
import { buildKustomization } from './build.ts';
import { kustomizeFlags } from './flags.ts';

export const kustomize: Command = {
  flags: kustomizeFlags,
  async run(call) {
    if (call.words.length > 1) throw new KubectlError('specify one path to kustomization.yaml');
    const objects = await buildKustomization(call, call.words[0] ?? '.');
    const result = objects.map((object) => printYaml(object)).join('---\n');
    const file = call.flags.text('output');
    if (file === '') call.out(result);
    else await call.shell.files.write(call.path(file), new TextEncoder().encode(result));
    return 0;
  },
};
