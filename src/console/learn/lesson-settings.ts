import { lessonLanguage } from './load-lesson.ts';

export const modeKey = 'tabplane-lesson-mode';
export const languageKey = 'tabplane-lesson-language';

/** The language in which lessons are shown when they are translated. */
export function preferredLanguage(): string {
  return readSetting(languageKey) ?? navigator.language.slice(0, 2);
}

/** The texts in the preferred language, with that language; else the original ones. */
export function translatedTexts<Texts>(
  original: Texts,
  translations: Readonly<Record<string, Texts>>,
): Texts & { readonly language: string } {
  const language = preferredLanguage();
  const translated = translations[language];
  return translated === undefined ? { ...original, language: lessonLanguage } : { ...translated, language };
}

export function readSetting(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    // Sandboxes block localStorage. The lesson's own mode applies then.
    return undefined;
  }
}

export function writeSetting(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // As above: the value then lasts as long as the page.
  }
}
