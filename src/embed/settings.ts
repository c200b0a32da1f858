import { isProductName, type ProductName } from '../meta/index.ts';
import { type Expectation, parseExpectation } from './expectation.ts';

/** The languages of examples: manifests, which are applied; shell scripts; and shell sessions, whose commands start with `$ `. */
export type ExampleLanguage = 'yaml' | 'json' | 'sh' | 'console';

const languages: ReadonlyMap<string, ExampleLanguage> = new Map([
  ['yaml', 'yaml'],
  ['yml', 'yaml'],
  ['json', 'json'],
  ['sh', 'sh'],
  ['bash', 'sh'],
  ['shell', 'sh'],
  ['console', 'console'],
  ['shell-session', 'console'],
]);

/** Undefined for a language that has no examples. */
export const exampleLanguage = (name: string): ExampleLanguage | undefined => languages.get(name.toLowerCase());

/** How one example runs. */
export interface ExampleSettings {
  readonly language: ExampleLanguage;
  /** Examples with the same cluster form a story. `own`: a cluster of its own. */
  readonly cluster: string;
  /** The API group names of the cluster; undefined: the default of the host. */
  readonly names: ProductName | undefined;
  /** Number of simulated nodes; with any, all controllers and the scheduler run. */
  readonly nodes: number;
  /** The user that runs the example: admin, alice, bob, anonymous, or any other name, which is impersonated. */
  readonly user: string;
  /** Commands that run once in the cluster, before its first example that has them. */
  readonly setup: string;
  /** The manifest is saved under this name in the home directory instead of being applied. */
  readonly file: string;
  readonly expect: Expectation | undefined;
}

/** An invalid attribute of an example. The message is shown to the author. */
export class SettingsError extends Error {}

/** Attributes with a value, and those without. Those that only concern the element in a page are validated there. */
const valueNames = ['cluster', 'setup', 'names', 'user', 'expect', 'height', 'theme', 'lang', 'nodes', 'file', 'load'];
const flagNames = ['editable', 'readonly'];
export const attributeNames: readonly string[] = [...valueNames, ...flagNames];

const nodesMax = 20;
const userMaxLength = 253;
const textMaxLength = 20_000;

/**
 * Parses the attributes of an example; `attribute` returns the value of one, `null` when it is absent.
 * @throws SettingsError
 */
export function parseSettings(language: string, attribute: (name: string) => string | null): ExampleSettings {
  const known = exampleLanguage(language);
  if (known === undefined) throw new SettingsError(`examples are yaml, json, sh or console, not "${language}"`);
  const names = attribute('names');
  if (names !== null && !isProductName(names)) throw new SettingsError(`names is svc or kubernetes, not "${names}"`);
  const expect = attribute('expect');
  return {
    language: known,
    names: names ?? undefined,
    cluster: matching('cluster', attribute('cluster') ?? 'page', /^[a-z0-9][a-z0-9-]{0,62}$/, 'a lower-case name'),
    nodes: parseNodes(attribute('nodes') ?? '0'),
    user: matching('user', attribute('user') ?? 'admin', /^[\w@.:/+-]+$/, 'the name of a user', userMaxLength),
    setup: matching('setup', attribute('setup') ?? '', /^/, 'commands', textMaxLength),
    file: matching('file', attribute('file') ?? '', /^(?!\.\.?(?:\/|$))[\w.-]*$/, 'the name of a file'),
    expect: expect === null || expect === '' ? undefined : parseExpectation(matching('expect', expect, /^/, 'a check', textMaxLength)),
  };
}

function matching(name: string, value: string, pattern: RegExp, shape: string, maxLength = 63): string {
  if (value.length > maxLength) throw new SettingsError(`${name} is longer than ${maxLength} characters`);
  if (!pattern.test(value)) throw new SettingsError(`${name} is ${shape}, not "${value}"`);
  return value;
}

function parseNodes(text: string): number {
  const nodes = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(nodes <= nodesMax)) throw new SettingsError(`nodes is a number up to ${nodesMax}, not "${text}"`);
  return nodes;
}
