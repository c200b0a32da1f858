import type { HostPage } from '../../../cluster/index.ts';
import type { Env } from '../../../env/index.ts';
import { pageHeader, pickDelimiter } from './page-text.ts';

/** Paths that are no debugging endpoints. */
const unlisted: ReadonlySet<string> = new Set(['/', '/api', '/apis', '/openapi', '/openid', '/.well-known']);

/** `/statusz` of this process. Cf. component-base zpages/statusz. */
export function createStatusz({ clock, random }: Env): HostPage {
  const startedMs = clock.nowMs();
  return ({ paths, version }) => {
    const delimiter = pickDelimiter(random);
    const { gitVersion, goVersion, emulationMajor, emulationMinor } = version;
    const fields = {
      Started: unixDate(startedMs),
      Up: uptime(clock.nowMs() - startedMs),
      'Go version': goVersion,
      'Binary version': gitVersion.slice(1),
      'Emulation version': `${emulationMajor}.${emulationMinor}`,
      Paths: rootsOf(paths).join(' '),
    };
    const lines = Object.entries(fields).map(([name, value]) => `${name}${delimiter} ${value}\n`);
    return `${pageHeader('statusz')}\n${lines.join('')}`;
  };
}

/** Go's time.UnixDate: `Mon Jan  2 15:04:05 UTC 2006`. */
function unixDate(ms: number): string {
  const [weekday, day = '', month, year, time] = new Date(ms).toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${day.replace(/^0/, ' ')} ${time} UTC ${year}`;
}

function uptime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const padded = (value: number): string => String(value % 60).padStart(2, '0');
  return `${Math.floor(seconds / 3600)} hr ${padded(Math.floor(seconds / 60))} min ${padded(seconds)} sec`;
}

function rootsOf(paths: readonly string[]): readonly string[] {
  const roots = new Set(paths.map((path) => `/${path.split('/')[1] ?? ''}`));
  return [...roots].filter((root) => !unlisted.has(root)).sort();
}
