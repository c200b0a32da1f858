import { configureLocalization } from '@lit/localize/init/runtime.js';
import { generateMsgId } from '@lit/localize/internal/id-generation.js';
import { str } from '@lit/localize/internal/str-tag.js';
import { html, type TemplateResult } from 'lit';
import { languages, type Translation } from './current-language.ts';

type Message = string | TemplateResult | ReturnType<typeof str>;

const files: Readonly<Record<Translation, () => Promise<{ readonly default: Readonly<Record<string, string>> }>>> = {
  de: () => import('./data/de.json'),
};

/** Loads a translation and activates it for all messages. Rejects when it cannot be loaded. */
export async function loadTranslation(language: Translation): Promise<void> {
  const { default: words } = await files[language]();
  const { setLocale } = configureLocalization({
    sourceLocale: 'en',
    targetLocales: languages.filter((one) => one !== 'en'),
    loadLocale: () => Promise.resolve({ templates: toMessages(words) }),
  });
  await setLocale(language);
  document.documentElement.lang = language;
}

/**
 * The library identifies a message by a hash of its source text. Translation files use the text itself, with
 * `{0}` for the first value.
 */
function toMessages(words: Readonly<Record<string, string>>): Readonly<Record<string, Message>> {
  const messages: Record<string, Message> = {};
  for (const [source, text] of Object.entries(words)) {
    const strings = splitPlaceholders(source).strings;
    const { strings: translated, order } = splitPlaceholders(text);
    messages[generateMsgId(strings, false)] = order.length === 0 ? text : str(translated, ...order);
    messages[generateMsgId(strings, true)] = html(translated, ...order);
  }
  return messages;
}

/** Splits a text at its placeholders: the strings, and the order of the values. */
function splitPlaceholders(text: string): { readonly strings: TemplateStringsArray; readonly order: readonly number[] } {
  const parts = text.split(/\{\d+\}/);
  const order = [...text.matchAll(/\{(\d+)\}/g)].map(([, at]) => Number(at));
  return { strings: Object.assign(parts, { raw: parts }), order };
}
