import { readText } from '../../../shell/index.ts';
import { formatGroupKind } from '../../api/discovery.ts';
import type { Call } from '../../program/command.ts';
import { throwCollected } from '../../program/errors.ts';
import type { Info } from '../../resources/info.ts';

/** `delete --interactive`: lists the objects and reads a line of the input. True when they may be deleted. */
export async function confirmDeletion(call: Call, infos: readonly Info[], errors: readonly unknown[]): Promise<boolean> {
  throwCollected(errors);
  if (infos.length === 0) {
    call.out('No resources found\n');
    return false;
  }
  call.out(`You are about to delete the following ${infos.length} resource(s):\n`);
  for (const { resource, name } of infos) call.out(`${formatGroupKind(resource).toLowerCase()}/${name}\n`);
  call.out('Do you want to continue? (y/N): ');
  const [line = ''] = (await readText(call.input)).split('\n', 1);
  if (/^\s*y\s*$/i.test(line)) return true;
  call.out('deletion is cancelled\n');
  return false;
}
