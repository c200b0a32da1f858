/** What the screens can be read in: English, which their source is in, and what is translated. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];
export type Translation = Exclude<Language, 'en'>;

/** Where the choice is kept. */
export const languageKey = 'tabplane-language';

/** What was chosen, else the browser's. */
export function keptLanguage(): Language {
  const wanted = chosen() ?? navigator.language.slice(0, 2);
  return languages.find((language) => language === wanted) ?? 'en';
}

function chosen(): string | null {
  try {
    return localStorage.getItem(languageKey);
  } catch {
    // Storage is refused in sandboxes.
    return null;
  }
}
