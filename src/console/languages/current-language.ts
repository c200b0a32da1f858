/** The supported languages: English, the source language, and the translations. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];
export type Translation = Exclude<Language, 'en'>;

/** Key in localStorage. */
export const languageKey = 'tabplane-language';

/** The stored language, else the browser's. */
export function currentLanguage(): Language {
  const wanted = storedLanguage() ?? navigator.language.slice(0, 2);
  return languages.find((language) => language === wanted) ?? 'en';
}

function storedLanguage(): string | null {
  try {
    return localStorage.getItem(languageKey);
  } catch {
    // Sandboxes block localStorage.
    return null;
  }
}
