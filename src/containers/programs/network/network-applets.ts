import type { Applet } from '../../process/applet.ts';
import { curl } from './curl.ts';
import { dig, getent, nslookup } from './name-lookups.ts';
import { nc } from './nc.ts';
import { netstat } from './netstat.ts';
import { wget } from './wget.ts';

/** The programs that use the network. */
export const networkApplets: Readonly<Record<string, Applet>> = { curl, dig, getent, nc, netstat, nslookup, wget };
