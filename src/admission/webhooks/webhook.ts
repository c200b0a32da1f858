import { type EnvironmentSet, policyEnvironment } from '../../cel/index.ts';
import type { Pace } from '../../env/index.ts';
import { type ApiObject, type JsonObject, objectsAt, recordAt, textAt, textsAt } from '../../meta/index.ts';
import { type MatchResources, readMatchResources } from '../policies/match-resources.ts';
import { type CompiledSource, compileConditions } from '../policies/policy.ts';

/** One webhook of a configuration. */
export interface Webhook {
  readonly name: string;
  readonly match: MatchResources;
  /** Compiled on first use. */
  readonly conditions: (pace: Pace) => Promise<readonly CompiledSource[]>;
  /** `failurePolicy: Ignore`: failed calls do not reject the request. */
  readonly ignoresFailures: boolean;
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
  return configurations.flatMap((configuration) => objectsAt(configuration, 'webhooks').map((webhook) => readWebhook(webhook, known)));
}

function readWebhook(webhook: JsonObject, known: EnvironmentSet): Webhook {
  const { rules = [], matchPolicy = '', namespaceSelector = {}, objectSelector = {}, timeoutSeconds } = webhook;
  let conditions: Promise<readonly CompiledSource[]> | undefined;
  return {
    name: textAt(webhook, 'name'),
    match: readMatchResources({ resourceRules: rules, matchPolicy, namespaceSelector, objectSelector }),
    conditions: (pace) => {
      conditions ??= compileConditions(webhook, policyEnvironment(known, 'stored', { params: false, authorizer: true }), pace);
      return conditions;
    },
    ignoresFailures: textAt(webhook, 'failurePolicy') === 'Ignore',
    sideEffects: textAt(webhook, 'sideEffects'),
    timeoutMs: Number(timeoutSeconds ?? 10) * 1000,
    reviewVersion: textsAt(webhook, 'admissionReviewVersions').find(isSupportedVersion) ?? 'v1',
    client: readClient(recordAt(webhook, 'clientConfig')),
  };
}

function isSupportedVersion(version: string): version is Webhook['reviewVersion'] {
  return version === 'v1' || version === 'v1beta1';
}

function readClient(config: JsonObject): WebhookClient {
  const bundle = textAt(config, 'caBundle');
  const authorities = bundle === '' ? undefined : atob(bundle);
  if (config['service'] === undefined) return { url: textAt(config, 'url'), service: undefined, authorities };
  const given = recordAt(config, 'service');
  const service = { namespace: textAt(given, 'namespace'), name: textAt(given, 'name'), port: Number(given['port'] ?? 443) };
  const path = textAt(given, 'path').replace(/^\/?/, '/');
  return { url: `https://${service.name}.${service.namespace}.svc:${service.port}${path}`, service, authorities };
}
