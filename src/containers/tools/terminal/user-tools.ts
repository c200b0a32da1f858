import { CommandError } from '../../../shell/index.ts';
import { readText } from '../../network/host-names.ts';
import type { Applet } from '../../process/applet.ts';
import type { Process } from '../../process/process.ts';
import { groupNameOf } from '../../programs/user-names.ts';
import { readArguments } from '../arguments.ts';

const recordsOf = (path: string, process: Process): readonly (readonly string[])[] =>
  readText(path, process)
    .split('\n')
    .map((line) => line.split(':'));

const groups: Applet = (invocation, process) => {
  const { operands } = readArguments(invocation, { options: '', synopsis: '[USER]', operands: [0, 1] });
  const [name] = operands;
  const { gid, groups: others } = process.user;
  const ids = name === undefined ? [gid, ...others] : groupsOf(name, process);
  invocation.out(`${[...new Set(ids)].map((id) => groupNameOf(id, process) ?? id).join(' ')}\n`);
  return 0;
};

/** The groups of a user by /etc/passwd and /etc/group. @throws CommandError */
function groupsOf(name: string, process: Process): readonly number[] {
  const own = recordsOf('/etc/passwd', process).find(([user]) => user === name)?.[3];
  if (own === undefined) throw new CommandError(`groups: unknown user ${name}`);
  const further = recordsOf('/etc/group', process).filter(([, , , members = '']) => members.split(',').includes(name));
  return [Number(own), ...further.map(([, , id]) => Number(id))];
}

/** Containers have no record of logins. */
const heading = 'USER\t\tTTY\t\tIDLE\tTIME\t\t HOST\n';

const logins: Applet = (invocation) => {
  const { flags } = readArguments(invocation, { options: 'aH', synopsis: '[-aH]' });
  if (flags.has('H')) invocation.out(heading);
  return 0;
};

const w: Applet = (invocation) => {
  readArguments(invocation, { options: '' });
  invocation.out(heading);
  return 0;
};

const users: Applet = (invocation) => {
  readArguments(invocation, { options: '' });
  invocation.out('\n');
  return 0;
};

const logname: Applet = (invocation) => {
  readArguments(invocation, { options: '', operands: [0, 0] });
  throw new CommandError('logname: getlogin: No such device or address');
};

export const userTools: Readonly<Record<string, Applet>> = { groups, logname, users, w, ['who']: logins };
