import { type Language, languageKey } from './current-language.ts';

/** Stores the language and reloads the page. */
export function setLanguage(language: Language): void {
  localStorage.setItem(languageKey, language);
  location.reload();
}

/** The name of a language in that language. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code;
  } catch {
    // Imported lessons may declare any language code.
    return code;
  }
}
