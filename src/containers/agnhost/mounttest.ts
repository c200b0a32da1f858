import { SystemError } from '../files/file-error.ts';
import type { Inode } from '../files/inode.ts';
import { fileSystemNumbers } from '../files/volume-store.ts';
import type { Applet } from '../process/applet.ts';
import { formatMode } from '../programs/file-attempt.ts';
import { parseFlags } from './flags.ts';

const initialContent = 'mount-tester new file\n';

/** Cf. test/images/agnhost/mounttest. */
export const mounttest: Applet = async ({ args, out, path, signal }, process) => {
  const flags = parseFlags(args);
  const { container, user } = process;
  const { files, env } = container;
  user.umask = 0;
  let hasFailed = false;
  const check = (flag: string, run: (name: string) => void, failure: (name: string, reason: string) => string): void => {
    const name = flags.get(flag);
    if (name === undefined || name === '') return;
    try {
      run(name);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      out(failure(JSON.stringify(name), error.goText));
      hasFailed = true;
    }
  };
  const readContent = (name: string): string => new TextDecoder().decode(files.read(path(name), user));
  const showContent = (name: string): void => out(`content of file ${JSON.stringify(name)}: ${readContent(name)}\n`);

  check(
    'fs_type',
    (name) => {
      const { type } = files.status(path(name), user).mount.store;
      out(`mount type of ${JSON.stringify(name)}: ${type === 'tmpfs' ? type : fileSystemNumbers[type]}\n`);
    },
    (name, reason) => `error from statfs(${name}): ${reason}\n`,
  );
  for (const mode of ['0644', '0666', '0660', '0777']) {
    check(
      `new_file_${mode}`,
      (name) => {
        files.write(path(name), initialContent, user, Number.parseInt(mode, 8));
        showContent(name);
      },
      (name, reason) => `error writing new file ${name}: open ${JSON.parse(name)}: ${reason}\n`,
    );
  }
  const inodeOf = (name: string): Inode => files.status(path(name), user).inode;
  const statFailure = (name: string, reason: string): string => `error from Stat(${name}): stat ${JSON.parse(name)}: ${reason}\n`;
  check('file_mode', (name) => out(`mode of file ${JSON.stringify(name)}: ${goMode(inodeOf(name))}\n`), statFailure);
  check(
    'file_perm',
    (name) => out(`perms of file ${JSON.stringify(name)}: -${formatMode('file', inodeOf(name).mode & 0o777).slice(1)}\n`),
    statFailure,
  );
  check(
    'file_owner',
    (name) => {
      const { uid, gid } = inodeOf(name);
      out(`owner UID of ${JSON.stringify(name)}: ${uid}\nowner GID of ${JSON.stringify(name)}: ${gid}\n`);
    },
    (name, reason) => `error from stat(${name}): ${reason}\n`,
  );
  check('file_content', showContent, (name, reason) => `error reading file content for ${name}: open ${JSON.parse(name)}: ${reason}\n`);

  const looped = flags.get('file_content_in_loop') ?? '';
  const retryMs = Number(flags.get('retry_time') ?? 180) * 1_000;
  const breaks = flags.get('break_on_expected_content') !== 'false';
  for (
    const start = env.clock.monotonicMs();
    looped !== '' && env.clock.monotonicMs() - start < retryMs;
    await process.sleep(2_000, signal)
  ) {
    hasFailed = false;
    try {
      const text = readContent(looped);
      out(`content of file ${JSON.stringify(looped)}: ${text}\n`);
      if (breaks && text === initialContent) break;
      if (breaks) out(`Unexpected content. Expected: ${initialContent}. Retrying\n`);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      hasFailed = true;
      out(`Error reading file ${looped}: open ${looped}: ${error.goText}, retrying\n`);
    }
  }
  return hasFailed ? 1 : 0;
};

/** Go's `FileMode.String`: special bits are letters in front. */
function goMode({ type, mode }: Inode): string {
  const special = `${type === 'directory' ? 'd' : ''}${type === 'link' ? 'L' : ''}${mode & 0o4000 ? 'u' : ''}${mode & 0o2000 ? 'g' : ''}${mode & 0o1000 ? 't' : ''}`;
  return `${special === '' ? '-' : special}${formatMode('file', mode & 0o777).slice(1)}`;
}
