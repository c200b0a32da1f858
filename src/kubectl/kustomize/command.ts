import type { Call, Command } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { printYaml } from '../yaml/printer.ts';
import { buildKustomization } from './build.ts';
import { kustomizeFlags, loadRestrictionsNone } from './flags.ts';

export const kustomize: Command = {
  flags: kustomizeFlags,
  async run(call) {
    if (call.words.length > 1) throw new KubectlError('specify one path to kustomization.yaml');
    requireLegalValue(call, 'load-restrictor', ['LoadRestrictionsRootOnly', loadRestrictionsNone]);
    requireLegalValue(call, 'reorder', ['legacy', 'none']);
    const objects = await buildKustomization(call, call.words[0] ?? '.');
    const result = objects.map((object) => printYaml(object)).join('---\n');
    const file = call.flags.text('output');
    if (file === '') call.out(result);
    else await call.shell.files.write(call.path(file), new TextEncoder().encode(result));
    return 0;
  },
};

/** @throws KubectlError */
function requireLegalValue({ flags }: Call, name: string, legal: readonly string[]): void {
  const value = flags.text(name);
  if (value !== '' && !legal.includes(value))
    throw new KubectlError(`illegal flag value --${name} ${value}; legal values: [${legal.join(' ')}]`);
}
