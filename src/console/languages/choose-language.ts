import { type Language, languageKey } from './kept-language.ts';

/** The page begins anew in it. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(languageKey, language);
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
