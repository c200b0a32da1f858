/** The texts of an example that has not been used. */
const english = {
  example: 'Example {0}',
  run: 'Run',
  runUpToHere: 'Run all up to here',
  edit: 'Edit',
  loading: 'Loading…',
  error: 'This example cannot run: {0}',
} as const;

export type BarMessageName = keyof typeof english;

const german: Readonly<Record<BarMessageName, string>> = {
  example: 'Beispiel {0}',
  run: 'Ausführen',
  runUpToHere: 'Alle bis hier ausführen',
  edit: 'Bearbeiten',
  loading: 'Wird geladen …',
  error: 'Dieses Beispiel kann nicht laufen: {0}',
};

/** Translates texts with one value. */
export type Translate<Name extends string> = (name: Name, value?: string | number) => string;

/** The translation of messages to the language of an element such as `de-AT`; English for all other languages. */
export function translateFor<Name extends string>(
  element: Element,
  inEnglish: Readonly<Record<Name, string>>,
  inGerman: Readonly<Record<Name, string>>,
): Translate<Name> {
  const language = element.closest('[lang]')?.getAttribute('lang') ?? '';
  const messages = /^de\b/i.test(language) ? inGerman : inEnglish;
  return (name, value = '') => messages[name].replace('{0}', () => String(value));
}

export const barMessages: Readonly<Record<'english' | 'german', Readonly<Record<BarMessageName, string>>>> = { english, german };
