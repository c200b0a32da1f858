import { derTags, encodeDer, encodeObjectIdentifier, encodeSequence } from '../../x509/encoding/index.ts';
import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { type Configuration, type ConfigurationEntry, entryOf } from './configuration.ts';
import { nameOfEntries } from './distinguished-names.ts';
import { openPrompter, type Prompter } from './prompts.ts';

/** The section of a configuration that describes a request. */
export interface RequestSection {
  readonly configuration: Configuration;
  readonly section: string;
  /** Whether to prompt for attributes besides the name. */
  readonly withAttributes: boolean;
}

function entriesOf({ configuration, section }: RequestSection, name: string): readonly ConfigurationEntry[] {
  const named = entryOf(configuration, section, name);
  if (named === undefined && name === 'distinguished_name') throw new CommandError(`Error: unable to find 'distinguished_name' in config`);
  const entries = named === undefined ? [] : configuration.get(named);
  if (!entries) throw new CommandError(`Unable to get '${named}' section`);
  return entries;
}

/** With `prompt = no`, the values; else the defaults, as with `-batch`. @throws CommandError */
export function nameOfSection(place: RequestSection): Uint8Array {
  const entries = entriesOf(place, 'distinguished_name');
  const isFinal = entryOf(place.configuration, place.section, 'prompt') === 'no';
  const name = nameOfEntries(isFinal ? entries : questionsOf(entries).map(({ type, byDefault }): ConfigurationEntry => [type, byDefault]));
  return name;
}

interface Question {
  readonly type: string;
  readonly text: string;
  readonly byDefault: string;
  readonly minLength: number;
  readonly maxLength: number;
}

function questionsOf(entries: readonly ConfigurationEntry[]): readonly Question[] {
  const values = new Map(entries);
  return entries.flatMap(([type, text]) => {
    if (/_(?:default|min|max|value)$/.test(type)) return [];
    return {
      type,
      text,
      byDefault: values.get(`${type}_default`) ?? '',
      minLength: Number(values.get(`${type}_min`) ?? 0),
      maxLength: Number(values.get(`${type}_max`) ?? Number.POSITIVE_INFINITY),
    };
  });
}

const introduction = `You are about to be asked to enter information that will be incorporated
into your certificate request.
What you are about to enter is what is called a Distinguished Name or a DN.
There are quite a few fields but you can leave some blank
For some fields there will be a default value,
If you enter '.', the field will be left blank.
-----
`;

/** Prompts for the fields of the name, then for attributes. @throws CommandError */
export async function promptSubject(
  call: Invocation,
  place: RequestSection,
): Promise<{ readonly name: Uint8Array; readonly attributes: readonly Uint8Array[] }> {
  const questions = questionsOf(entriesOf(place, 'distinguished_name'));
  const attributeQuestions = place.withAttributes ? questionsOf(entriesOf(place, 'attributes')) : [];
  const prompter = await openPrompter(call);
  try {
    call.err(introduction);
    const name = nameOfEntries(await promptAll(call, prompter, questions));
    if (attributeQuestions.length > 0)
      call.err("\nPlease enter the following 'extra' attributes\nto be sent with your certificate request\n");
    return { name, attributes: (await promptAll(call, prompter, attributeQuestions)).map(encodeAttribute) };
  } finally {
    prompter.close();
  }
}

async function promptAll(call: Invocation, prompter: Prompter, questions: readonly Question[]): Promise<readonly ConfigurationEntry[]> {
  const entries: ConfigurationEntry[] = [];
  for (const question of questions) {
    const value = await promptValue(call, prompter, question);
    if (value !== '') entries.push([question.type, value]);
  }
  return entries;
}

/** Prompts until the length is valid; an empty answer is the default, and `.` none. @throws CommandError */
async function promptValue(call: Invocation, prompter: Prompter, { text, byDefault, minLength, maxLength }: Question): Promise<string> {
  for (;;) {
    const answer = await prompter.readLine(`${text} [${byDefault}]:`);
    if (answer === undefined) throw new CommandError('Error making certificate request');
    if (answer === '.') return '';
    const value = answer === '' ? byDefault : answer;
    if (value === '' || (value.length >= minLength && value.length <= maxLength)) return value;
    const isShort = value.length < minLength;
    call.err(`String too ${isShort ? `short, must be at least ${minLength}` : `long, must be at most ${maxLength}`} bytes long\n`);
  }
}

const attributeIds: Readonly<Record<string, string>> = {
  challengePassword: '1.2.840.113549.1.9.7',
  unstructuredName: '1.2.840.113549.1.9.2',
};
const utf8String = 12;

/** An attribute of a request (RFC 2985, section 5.4). @throws CommandError */
function encodeAttribute([type, value]: ConfigurationEntry): Uint8Array {
  const id = attributeIds[type];
  if (id === undefined) throw new CommandError(`openssl: unknown attribute ${type}`);
  return encodeSequence(encodeObjectIdentifier(id), encodeDer(derTags.set, encodeDer(utf8String, new TextEncoder().encode(value))));
}
