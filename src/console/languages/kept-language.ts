/** What the screens can be read in: English, which their source is in, and what is translated. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];
export type Translation = Exclude<Language, 'en'>;

const key = 'tabplane-language';

/** What was chosen, else the browser's. */
export function keptLanguage(): Language {
  const wanted = chosen() ?? navigator.language.slice(0, 2);
  return languages.find((language) => language === wanted) ?? 'en';
}

function chosen(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage is refused in sandboxes.
    return null;
  }
}

/** The page begins anew in it. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(key, language);
  location.reload();
}

/** By its own name. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code;
  } catch {
    // A lesson of somebody may call its language anything.
    return code;
  }
}
