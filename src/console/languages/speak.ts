import { configureLocalization } from '@lit/localize/init/runtime.js';
import { generateMsgId } from '@lit/localize/internal/id-generation.js';
import { str } from '@lit/localize/internal/str-tag.js';
import { html, type TemplateResult } from 'lit';
import { languages, type Translation } from './kept-language.ts';

type Message = string | TemplateResult | ReturnType<typeof str>;

const files: Readonly<Record<Translation, () => Promise<{ readonly default: Readonly<Record<string, string>> }>>> = {
  de: () => import('./data/de.json'),
};

/** Says all messages in another language from now on. Rejects when its words cannot be loaded. */
export async function speak(language: Translation): Promise<void> {
  const { default: words } = await files[language]();
  const { setLocale } = configureLocalization({
    sourceLocale: 'en',
    targetLocales: languages.filter((one) => one !== 'en'),
    loadLocale: () => Promise.resolve({ templates: messagesOf(words) }),
  });
  await setLocale(language);
  document.documentElement.lang = language;
}

/**
 * The library finds a message by a hash of what the source says; translators, who are no machines, by the words themselves, with
 * `{0}` for the first value.
 */
function messagesOf(words: Readonly<Record<string, string>>): Readonly<Record<string, Message>> {
  const messages: Record<string, Message> = {};
  for (const [source, text] of Object.entries(words)) {
    const strings = partsOf(source).strings;
    const { strings: said, order } = partsOf(text);
    messages[generateMsgId(strings, false)] = order.length === 0 ? text : str(said, ...order);
    messages[generateMsgId(strings, true)] = html(said, ...order);
  }
  return messages;
}

/** What stands around the values, and which value stands where. */
function partsOf(text: string): { readonly strings: TemplateStringsArray; readonly order: readonly number[] } {
  const parts = text.split(/\{\d+\}/);
  const order = [...text.matchAll(/\{(\d+)\}/g)].map(([, at]) => Number(at));
  return { strings: Object.assign(parts, { raw: parts }), order };
}
