import type { Program } from '../../context.ts';
import { checksums } from './checksums.ts';
import { cmp } from './cmp.ts';
import { comm } from './comm.ts';
import { convertBreaks } from './dos2unix.ts';
import { factor } from './factor.ts';
import { fold } from './fold.ts';
import { nl } from './nl.ts';
import { od } from './od.ts';
import { paste } from './paste.ts';
import { shuf } from './shuf.ts';
import { split } from './split.ts';
import { strings } from './strings.ts';
import { expand, unexpand } from './tabs.ts';
import { xxd } from './xxd.ts';

/** Further programs for lines and bytes, as in BusyBox. */
export const filters: Readonly<Record<string, Program>> = {
  ...checksums,
  cmp,
  comm,
  dos2unix: convertBreaks,
  expand,
  factor,
  fold,
  nl,
  od,
  paste,
  shuf,
  split,
  strings,
  unexpand,
  unix2dos: convertBreaks,
  xxd,
};
