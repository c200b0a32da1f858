import { X509Certificate } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../../src/meta/index.ts';
import { byText, sortedJson } from './json.ts';
import type { KubeJson } from './scenario.ts';
import type { Variables } from './variables.ts';

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?(Z|UTC|[+-]\d\d:?\d\d))*( m=[+-]\d+\.\d+)?/g;
const address = /^(\d+\.\d+\.\d+\.\d+|[0-9a-f]*:[0-9a-f:]+)$/;
const generatedSuffix = /^[bcdfghjklmnpqrstvwxz2456789]{5}$/;
const forbiddenPod = /((?:pods?|Pod) "?[a-z0-9][\w.-]*-)[bcdfghjklmnpqrstvwxz2456789]{5}(?=" is forbidden)/g;

/** Arrays whose order has no meaning. */
const unordered: ReadonlySet<string> = new Set(['endpoints', 'active', 'podIPs', 'hostIPs', 'notReadyAddresses', 'subsets']);
const ports: ReadonlySet<string> = new Set(['nodePort', 'healthCheckNodePort']);

/**
 * Replaces what differs from run to run by tokens: `<ns>`, `<run>`, `<time>`, `<ip>`, `<rv>`, `<node>`, `<uid:Kind/name>`. A generated name
 * ends in `*`, and the time in the name of a CronJob's job is `<minute>`. Hashes of templates and revisions are left as they are.
 */
export class NormalForm {
  /** The scenario as text: its own addresses and ports are left as they are. */
  readonly #literal: string;
  readonly #variables: Variables;
  readonly #nodes: readonly string[];
  readonly #names = new Map<string, string>();
  readonly #uids = new Map<string, string>();
  /** The names, longest first; undefined after a change. */
  #sorted: readonly (readonly [string, string])[] | undefined;

  constructor(literal: string, variables: Variables, nodes: readonly string[]) {
    this.#literal = literal;
    this.#variables = variables;
    this.#nodes = nodes;
  }

  /** Stores the name and the uid of an object, which other objects and messages contain. */
  learn(object: KubeJson): void {
    const { name, uid: id } = object.metadata;
    const plain = this.plainName(object);
    if (plain !== this.#withoutRun(name)) {
      this.#names.set(name, plain);
      this.#sorted = undefined;
    }
    if (id !== undefined) this.#uids.set(id, `${object.kind}/${plain}`);
  }

  plainName({ metadata: { name, generateName, ownerReferences } }: KubeJson): string {
    if (generateName !== undefined && name.startsWith(generateName) && generatedSuffix.test(name.slice(generateName.length)))
      return this.#withoutRun(`${generateName}*`);
    if (ownerReferences?.some(({ kind }) => kind === 'CronJob')) return this.#withoutRun(name.replace(/-\d{7,9}$/, '-<minute>'));
    return this.#withoutRun(name);
  }

  #withoutRun(text: string): string {
    return this.#withoutVariables(text)
      .replace(uid, '<uid>')
      .replace(/-\d{8}(?=-)/, '-<minute>');
  }

  #withoutVariables(text: string): string {
    return ['ns', 'run'].reduce((at, name) => at.replaceAll(this.#variables.get(name) ?? name, `<${name}>`), text);
  }

  text(value: string): string {
    this.#sorted ??= [...this.#names].sort(([a], [b]) => b.length - a.length);
    const named = this.#sorted.reduce((at, [name, plain]) => at.replaceAll(name, plain), value);
    const withoutNodes = this.#nodes.reduce(
      (at, node) => at.replace(new RegExp(`(?<![\\w.-])${node}(?![\\w-])`, 'g'), '<node>'),
      this.#withoutVariables(named),
    );
    return withoutNodes
      .replace(forbiddenPod, '$1*')
      .replace(uid, (id) => `<uid:${this.#uids.get(id) ?? '?'}>`)
      .replace(time, '<time>')
      .replace(/(resource ?[vV]ersion:? "?)\d+/g, '$1<rv>')
      .replace(/-\d{8}(?=[-" ,]|$)/g, (all) => (all.startsWith('-2') ? '-<minute>' : all));
  }

  object(value: JsonObject): JsonObject {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(
      members.sort(byText(([name]) => name)).map(([name, member]) => [this.text(name), this.value(member ?? null, name)]),
    );
  }

  /** `key`: the member whose value it is. */
  value(value: Json, key = ''): Json {
    if (Array.isArray(value)) {
      const items = value.map((item: Json) => this.value(item, key));
      const isUnordered = unordered.has(key) || (key === 'addresses' && items.every((item) => typeof item === 'object'));
      return isUnordered ? items.sort(byText(sortedJson)) : items;
    }
    if (isJsonObject(value)) return this.object(value);
    if (typeof value === 'number') return ports.has(key) && !this.#literal.includes(String(value)) ? `<${key}>` : value;
    return typeof value === 'string' ? this.#member(value, key) : value;
  }

  #member(value: string, key: string): string {
    if (key === 'resourceVersion') return '<rv>';
    if (address.test(value) && !this.#literal.includes(value)) return '<ip>';
    if (value.startsWith('LS0t')) {
      const pem = Buffer.from(value, 'base64').toString();
      if (pem.startsWith('-----BEGIN CERTIFICATE-----')) return describeCertificate(pem);
    }
    if (key === 'name' && /^[0-9a-f]{8}-/.test(value) && value.search(uid) >= 0) return '<uid>';
    return this.text(value);
  }
}

function describeCertificate(pem: string): string {
  const { subject, subjectAltName = 'no names', keyUsage, ca, validFrom, validTo } = new X509Certificate(pem);
  const hours = Math.round((Date.parse(validTo) - Date.parse(validFrom)) / 3_600_000);
  const usages = (keyUsage ?? []).join(' ');
  return `<certificate: ${subject.split('\n').join(', ')}; ${subjectAltName}; usages ${usages}; ca ${ca}; ${hours} h>`;
}
