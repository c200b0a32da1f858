// One process of the mutation run: sends its parent the first seed that breaks a rule of the given simulation, or null.
import { pathToFileURL } from 'node:url';

const [file, ...words] = process.argv.slice(2);
const { findViolation } = await import(pathToFileURL(file).href);
process.send((await findViolation(words)) ?? null, () => process.exit(0));
