import { busyboxPrograms } from '../programs/applets.ts';
import { executables, folderOf, link, type Tree, userFiles } from './root-files.ts';

/** The folders of a system with BusyBox. */
export const busyboxTree = (): Tree => ({
  bin: executables(busyboxPrograms),
  etc: { ...userFiles, 'nsswitch.conf': 'hosts: files dns\n' },
  home: {},
  lib: {},
  root: folderOf({}, 0o700),
  tmp: folderOf({}, 0o1777),
  usr: { bin: executables(['env']), sbin: {}, local: { bin: {}, sbin: {} } },
  var: { log: {}, tmp: folderOf({}, 0o1777), run: link('/run') },
  run: {},
});
