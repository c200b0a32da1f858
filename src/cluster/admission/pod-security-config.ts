import { type PodSecurityPolicy, type PodSecuritySettings, parseLevel, parseVersion, podSecurityModes } from '../../admission/index.ts';
import {
  aggregateErrors,
  duplicate,
  type FieldError,
  invalid,
  isDns1123Label,
  isDns1123Subdomain,
  type JsonObject,
  type NameRule,
  type Product,
  recordAt,
  textAt,
  textsAt,
} from '../../meta/index.ts';
import { decodeConfiguration, listOf, struct, text } from '../configuration/configuration-file.ts';
import { AdmissionConfigError } from './admission-config.ts';
import { readPluginConfig } from './plugin-config.ts';

const defaultsShape = struct(
  'PodSecurityDefaults',
  Object.fromEntries(podSecurityModes.flatMap((mode) => [mode, `${mode}-version`]).map((name) => [name, text])),
);
const exemptionsShape = struct('PodSecurityExemptions', {
  usernames: listOf(text),
  namespaces: listOf(text),
  runtimeClasses: listOf(text),
});
const shape = struct('PodSecurityConfiguration', {
  kind: text,
  apiVersion: text,
  defaults: defaultsShape,
  exemptions: exemptionsShape,
});

/** Parses a PodSecurityConfiguration. @throws AdmissionConfigError with the real server's message */
export function readPodSecurityConfig(content: string, product: Product): PodSecuritySettings {
  const group = 'pod-security.admission.config.k8s.io';
  const kinds = Object.fromEntries(['v1', 'v1beta1', 'v1alpha1'].map((version) => [`${group}/${version}`, 'PodSecurityConfiguration']));
  const value = readPluginConfig('PodSecurity', () => decodeConfiguration(content, { kinds, shape, strict: true, product }));
  const settings = { defaults: defaultsOf(recordAt(value, 'defaults')), exempt: exemptionsOf(recordAt(value, 'exemptions')) };
  const { usernames, namespaces, runtimeClasses } = settings.exempt;
  const isUser: NameRule = (name) => (name === '' ? ['username must not be empty'] : []);
  throwProblems('PodSecurity invalid', [
    ...listProblems('namespaces', namespaces, isDns1123Label),
    ...listProblems('runtimeClasses', runtimeClasses, isDns1123Subdomain),
    ...listProblems('usernames', usernames, isUser),
  ]);
  return settings;
}

function defaultsOf(defaults: JsonObject): PodSecurityPolicy {
  const problems: string[] = [];
  const read = <Value>(name: string, parse: (text: string) => Value, fallback: string): Value | undefined => {
    try {
      return parse(textAt(defaults, name) || fallback);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      problems.push(`${name}: ${error.message}`);
      return undefined;
    }
  };
  const levels = podSecurityModes.map((mode) => {
    const level = read(mode, parseLevel, 'privileged') ?? 'privileged';
    return [mode, { level, minor: read(`${mode}-version`, parseVersion, 'latest') ?? Number.POSITIVE_INFINITY }] as const;
  });
  throwProblems('PodSecurity configuration error', problems);
  return Object.fromEntries(levels) as PodSecurityPolicy;
}

function exemptionsOf(exemptions: JsonObject): PodSecuritySettings['exempt'] {
  const [usernames, namespaces, runtimeClasses] = [
    textsAt(exemptions, 'usernames'),
    textsAt(exemptions, 'namespaces'),
    textsAt(exemptions, 'runtimeClasses'),
  ];
  return { usernames, namespaces, runtimeClasses };
}

function listProblems(list: string, names: readonly string[], rule: NameRule): readonly string[] {
  return names
    .map((name, index): FieldError | undefined => {
      const field = `exemptions.${list}[${index}]`;
      const wrong = rule(name);
      if (wrong.length > 0) return invalid(field, name, wrong.join(', '));
      return names.indexOf(name) < index ? duplicate(field, name) : undefined;
    })
    .flatMap((error) => (error ? [`${error.field}: ${error.message}`] : []));
}

function throwProblems(lead: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new AdmissionConfigError(`failed to initialize admission plugin "PodSecurity": ${lead}: ${aggregateErrors(problems)}`);
}
