import { SystemError } from '../files/file-error.ts';
import type { Process } from '../process/process.ts';

/** The name of a user by /etc/passwd, or the number. */
export const userNameOf = (id: number, process: Process): string => lookUp('/etc/passwd', id, process) ?? String(id);

/** The name of a group by /etc/group; undefined: it has none. */
export const groupNameOf = (id: number, process: Process): string | undefined => lookUp('/etc/group', id, process);

/** The name of a user; undefined: there is none. */
export const knownUserName = (id: number, process: Process): string | undefined => lookUp('/etc/passwd', id, process);

function lookUp(path: string, id: number, { container: { files } }: Process): string | undefined {
  try {
    const text = new TextDecoder().decode(files.read(path, { uid: 0, gid: 0, groups: [] }));
    const line = text.split('\n').find((one) => one.split(':')[2] === String(id));
    return line?.split(':')[0];
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}
