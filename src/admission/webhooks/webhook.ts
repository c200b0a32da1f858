import { type EnvironmentSet, policyEnvironment } from '../../cel/index.ts';
import type { Pace } from '../../env/index.ts';
import { type ApiObject, type JsonObject, objectsAt, recordAt, textAt, textsAt } from '../../meta/index.ts';
import { type MatchResources, readMatchResources } from '../policies/match-resources.ts';
import { type CompiledSource, compileConditions } from '../policies/policy.ts';

/** One webhook of a configuration. */
export interface Webhook {
  /** Unique among all webhooks. */
  readonly id: string;
  /** The name of its configuration. */
  readonly configuration: string;
  readonly name: string;
  readonly match: MatchResources;
  /** Compiled on first use. */
  readonly conditions: (pace: Pace) => Promise<readonly CompiledSource[]>;
  /** `failurePolicy: Ignore`: failed calls do not reject the request. */
  readonly ignoresFailures: boolean;
  /** `reinvocationPolicy: IfNeeded`: it is called again when the object has changed after its call. */
  readonly isReinvokedIfNeeded: boolean;
  readonly sideEffects: string;
  readonly timeoutMs: number;
  /** The first supported version in admissionReviewVersions. */
  readonly reviewVersion: 'v1' | 'v1beta1';
  readonly client: WebhookClient;
}

/** Address of a webhook. */
export interface WebhookClient {
  readonly url: string;
  readonly service: WebhookService | undefined;
  /** CA bundle as PEM; undefined: the host's trust store. */
  readonly authorities: string | undefined;
}

export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** The webhooks of all configurations, in order. */
export function readWebhooks(configurations: readonly ApiObject[], known: EnvironmentSet): readonly Webhook[] {
  return configurations.flatMap((configuration) => {
    const { name = '' } = configuration.metadata;
    return objectsAt(configuration, 'webhooks').map((webhook, index) => readWebhook(webhook, { configuration: name, index, known }));
  });
}

interface WebhookPlace {
  readonly configuration: string;
  readonly index: number;
  readonly known: EnvironmentSet;
}

function readWebhook(webhook: JsonObject, { configuration, index, known }: WebhookPlace): Webhook {
  const { rules = [], matchPolicy = '', namespaceSelector = {}, objectSelector = {}, timeoutSeconds } = webhook;
  let conditions: Promise<readonly CompiledSource[]> | undefined;
  return {
    id: `${configuration}/${textAt(webhook, 'name')}/${index}`,
    configuration,
    name: textAt(webhook, 'name'),
    match: readMatchResources({ resourceRules: rules, matchPolicy, namespaceSelector, objectSelector }),
    conditions: (pace) => {
      conditions ??= compileConditions(webhook, policyEnvironment(known, 'stored', { params: false, authorizer: true }), pace);
      return conditions;
    },
    ignoresFailures: textAt(webhook, 'failurePolicy') === 'Ignore',
    isReinvokedIfNeeded: textAt(webhook, 'reinvocationPolicy') === 'IfNeeded',
    sideEffects: textAt(webhook, 'sideEffects'),
    timeoutMs: Number(timeoutSeconds ?? 10) * 1000,
    reviewVersion: textsAt(webhook, 'admissionReviewVersions').find(isSupportedVersion) ?? 'v1',
    client: readWebhookClient(recordAt(webhook, 'clientConfig')),
  };
}

function isSupportedVersion(version: string): version is Webhook['reviewVersion'] {
  return version === 'v1' || version === 'v1beta1';
}

/** The `clientConfig` of a webhook. */
export function readWebhookClient(config: JsonObject): WebhookClient {
  const bundle = textAt(config, 'caBundle');
  const authorities = bundle === '' ? undefined : atob(bundle);
  if (config['service'] === undefined) return { url: textAt(config, 'url'), service: undefined, authorities };
  const given = recordAt(config, 'service');
  const service = { namespace: textAt(given, 'namespace'), name: textAt(given, 'name'), port: Number(given['port'] ?? 443) };
  const path = textAt(given, 'path').replace(/^\/?/, '/');
  return { url: `https://${service.name}.${service.namespace}.svc:${service.port}${path}`, service, authorities };
}
