import { CommandError } from '../errors.ts';

/** Entries by section; those before the first section are in `default`. */
export type Configuration = ReadonlyMap<string, readonly ConfigurationEntry[]>;
export type ConfigurationEntry = readonly [name: string, value: string];

const defaultSection = 'default';

/** Parses a configuration file. Cf. crypto/conf/conf_def.c. @throws CommandError */
export function parseConfiguration(text: string, file: string): Configuration {
  const sections = new Map<string, ConfigurationEntry[]>([[defaultSection, []]]);
  let section = defaultSection;
  // A backslash at the end of a line joins it with the next one.
  for (const line of text.replace(/\r/g, '').replace(/\\\n/g, '').split('\n')) {
    const content = readLine(line);
    const [, header] = /^\[([^\]]*)\]$/.exec(content) ?? [];
    if (header !== undefined) {
      section = header.trim();
      if (!sections.has(section)) sections.set(section, []);
    } else if (content !== '') sections.get(section)?.push(readEntry(content, { section, sections, file }));
  }
  return sections;
}

/** A line without its comment, and with the characters of quotation marks and escapes. */
function readLine(line: string): string {
  const comment = /^(?:[^#"'\\]|\\.|"[^"]*"|'[^']*')*/.exec(line)?.[0] ?? '';
  return comment.trim();
}

interface Place {
  readonly section: string;
  readonly sections: Configuration;
  readonly file: string;
}

function readEntry(content: string, place: Place): ConfigurationEntry {
  const at = content.indexOf('=');
  if (at < 0) throw new CommandError(`Error on line of "${place.file}": missing equal sign: ${content}`);
  return [content.slice(0, at).trim(), expandValue(content.slice(at + 1).trim(), place)];
}

/** Removes quotation marks and backslashes, and inserts the values of `$name` and `${section::name}`. */
function expandValue(text: string, { section, sections }: Place): string {
  return text.replace(
    /\\(.)|"([^"]*)"|'([^']*)'|\$\{?(\w+(?:::\w+)?)\}?/g,
    (_, escaped?: string, double?: string, single?: string, name = '') => {
      const literal = escaped ?? double ?? single;
      if (literal !== undefined) return literal;
      const [first = '', second] = String(name).split('::');
      const inside = second === undefined ? [section, defaultSection] : [first];
      return inside.map((one) => entryOf(sections, one, second ?? first)).find((value) => value !== undefined) ?? '';
    },
  );
}

/** The last entry of a name. */
export const entryOf = (configuration: Configuration, section: string, name: string): string | undefined =>
  configuration.get(section)?.findLast(([key]) => key === name)?.[1];
