import type { Plugin } from 'vite';

/**
 * The same program in ASCII: V8 keeps a text of it for as long as it runs, in two bytes a character as soon as one character needs them,
 * and reads such a text slower.
 */
export function inAscii(): Plugin {
  return {
    name: 'tabplane-in-ascii',
    // What hears of chunks before is printed anew afterwards.
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = escaped(file.code);
    },
  };
}

/** @throws Error for what says something else when it is escaped */
export function escaped(code: string): string {
  const [raw] = /String\.raw`[^`]*[^\0-\x7f][^`]*`/.exec(code) ?? [];
  if (raw !== undefined) throw new Error(`a raw text cannot be escaped: ${raw}`);
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
