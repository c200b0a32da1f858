/** Applets of BusyBox that few containers run: their code is loaded when one of them is run. */
import type { Applet } from '../process/applet.ts';
import { install } from './files/install.ts';
import { pathTools } from './files/paths.ts';
import { truncate } from './files/truncate.ts';
import { gzipTools } from './gzip/gzip-tools.ts';
import { interfaceTools } from './network/interfaces.ts';
import { ping } from './network/ping.ts';
import { telnet } from './network/telnet.ts';
import { signalTools } from './processes/signal-tools.ts';
import { startTools } from './processes/start-tools.ts';
import { stateTools } from './processes/system-state.ts';
import { top } from './processes/top.ts';
import { terminalTools } from './terminal/terminal-tools.ts';
import { userTools } from './terminal/user-tools.ts';

export { GzipError } from './gzip/bit-reader.ts';
export { gzip } from './gzip/gzip.ts';
export { gunzip } from './gzip/inflate.ts';

export const tools: Readonly<Record<string, Applet>> = {
  ...gzipTools,
  ...interfaceTools,
  ...pathTools,
  ...signalTools,
  ...startTools,
  ...stateTools,
  ...terminalTools,
  ...userTools,
  install,
  ping,
  telnet,
  top,
  truncate,
};
