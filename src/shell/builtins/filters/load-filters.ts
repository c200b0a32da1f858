import type { Program } from '../../context.ts';

const names =
  'cksum cmp comm dos2unix expand factor fold md5sum nl od paste sha1sum sha256sum sha512sum shuf split strings unexpand unix2dos xxd';

/** Loads the programs of `filterPrograms`. For hosts with a virtual clock, whose time must not pass while a module is loaded. */
export const loadFilters: () => Promise<typeof import('./filters.ts')> = () => import('./filters.ts');

/** Further programs for lines and bytes, for shells that have them among their programs. Their code is loaded on first use. */
export const filterPrograms: Readonly<Record<string, Program>> = Object.fromEntries(
  names.split(' ').map((name): [string, Program] => [name, async (call) => (await loadFilters()).filters[name]?.(call) ?? 127]),
);
