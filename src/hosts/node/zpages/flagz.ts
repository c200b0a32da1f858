import type { HostPage } from '../../../cluster/index.ts';
import type { Random } from '../../../env/index.ts';
import type { FlagValues } from '../flags/flag-values.ts';
import { pageHeader, pickDelimiter } from './page-text.ts';

/** `/flagz`: the values of all flags, with one delimiter as long as the process runs. Cf. component-base zpages/flagz. */
export function createFlagz(flags: FlagValues, random: Random): HostPage {
  const delimiter = pickDelimiter(random);
  const lines = flags.names
    .toSorted()
    .map((name) => `${name}${delimiter}${flags.shown(name)}\n`)
    .join('');
  return () => `${pageHeader('flags')}\n${lines}`;
}
