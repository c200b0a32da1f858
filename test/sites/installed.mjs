/** What test/sites/install.mjs has installed. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const own = (file) => fileURLToPath(new URL(file, import.meta.url));

export const folder = fileURLToPath(new URL('../../dist/generators', import.meta.url));
export const [packageFile, requirementsFile] = ['package.json', 'requirements.txt'].map(own);
/** Written when the installation is complete, with the content of the files of its packages. */
export const installedFile = `${folder}/installed.txt`;

export const wantedPackages = () => [packageFile, requirementsFile].map((file) => readFileSync(file, 'utf8')).join('');

/** Whether the generators are installed, with the packages that are listed now. */
export const hasGenerators = () => existsSync(installedFile) && readFileSync(installedFile, 'utf8') === wantedPackages();
