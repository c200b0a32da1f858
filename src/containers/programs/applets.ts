import { agnhost } from '../agnhost/agnhost.ts';
import type { Applet } from '../process/applet.ts';
import { sampleApiServer } from '../sample-apiserver/sample-apiserver.ts';
import { createBusybox } from './busybox.ts';
import { dataApplets, followFile } from './data-applets.ts';
import { fileApplets } from './file-applets.ts';
import { find } from './find.ts';
import { loadedApplets, toolApplets } from './loaded-applets.ts';
import { networkApplets } from './network/network-applets.ts';
import { serverApplets } from './server-applets.ts';
import { systemApplets } from './system-applets.ts';
import { tar } from './tar.ts';

/** Programs of BusyBox: those of this module, and those of the shell module. */
export const busyboxPrograms: readonly string[] = [
  ...Object.keys(fileApplets),
  ...Object.keys(systemApplets),
  ...Object.keys(dataApplets),
  ...Object.keys(toolApplets),
  ...'ash awk busybox chroot nc netstat nsenter nslookup wget base64 basename cut date diff egrep echo false fgrep find grep head kill printf pwd rev sed seq sh sort tac tail tar test time timeout tr true uniq vi watch wc which xargs ['.split(
    ' ',
  ),
].sort();

/** Programs that Debian has in packages of their own. */
const busyboxOnly = new Set(
  'arp busybox dos2unix free ifconfig killall pgrep ping pkill route strings telnet top unix2dos uptime usleep w xxd'.split(' '),
);

/** Programs of a system with the GNU tools. */
export const gnuPrograms: readonly string[] = busyboxPrograms.filter((name) => !busyboxOnly.has(name));

/** The programs of images by their names; others are those of the shell module. */
export const applets: Readonly<Record<string, Applet>> = {
  ...fileApplets,
  ...systemApplets,
  ...dataApplets,
  ...serverApplets,
  ...networkApplets,
  ...loadedApplets,
  ...toolApplets,
  agnhost,
  busybox: createBusybox(busyboxPrograms),
  find,
  'sample-apiserver': sampleApiServer,
  tar,
  'tail-follow': followFile,
};

/** Commands that a shell has built in. */
export const builtinNames: ReadonlySet<string> = new Set(
  ': [ alias break cd command continue declare echo eval exit export false history let local mapfile printf pwd read readarray readonly return set shift sleep test time timeout true type typeset unalias unset which'.split(
    ' ',
  ),
);
