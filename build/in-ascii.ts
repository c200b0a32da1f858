import type { Plugin } from 'vite';

/**
 * Escapes the program to ASCII: V8 retains its source in memory, with two bytes for each character as soon as one character needs them,
 * and parses such a source slower.
 */
export function inAscii(): Plugin {
  return {
    name: 'tabplane-in-ascii',
    // Earlier hooks run before the chunks are printed, which would undo the escapes.
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = escaped(file.code);
    },
  };
}

/** @throws Error for a raw template, whose value would change when it is escaped */
export function escaped(code: string): string {
  const [raw] = /String\.raw`[^`]*[^\0-\x7f][^`]*`/.exec(code) ?? [];
  if (raw !== undefined) throw new Error(`a raw text cannot be escaped: ${raw}`);
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
