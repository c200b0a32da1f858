// npm run conform -- [--names svc|kubernetes] PATH…: replays scenarios against servers of this checkout with the given product names.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const words = process.argv.slice(2);
const at = words.indexOf('--names');
const names = at < 0 ? 'svc' : words.splice(at, 2)[1];
const file = (path) => fileURLToPath(new URL(path, import.meta.url));
// conform.mjs splits the command at blanks: a relative path works in a folder with blanks in its name too.
// Recorded without controllers; a scenario that needs them adds --with-controllers.
const serve = `node dist/node/tabplane.js serve --names ${names} --token-auth-file test/conformance/tokens.csv --controllers=`;
const { status } = spawnSync(process.execPath, [file('conform.mjs'), '--start', serve, '--names', names, ...words], {
  cwd: file('../..'),
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
