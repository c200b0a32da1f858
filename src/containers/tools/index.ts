/** Applets of BusyBox that few containers run: their code is loaded when one of them is run. */
import type { Applet } from '../process/applet.ts';
import { gzipTools } from './gzip/gzip-tools.ts';

export { GzipError } from './gzip/bit-reader.ts';
export { gzip } from './gzip/deflate.ts';
export { gunzip } from './gzip/inflate.ts';

export const tools: Readonly<Record<string, Applet>> = gzipTools;
