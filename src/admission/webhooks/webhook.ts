import { environments, policyEnvironment } from '../../cel/index.ts';
import type { Pace } from '../../env/index.ts';
import type { ApiObject } from '../../meta/index.ts';
import type { admissionregistrationv1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
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
export function readWebhooks(configurations: readonly ApiObject[]): readonly Webhook[] {
  return configurations.flatMap(({ metadata, webhooks = [] }: WebhookConfiguration) =>
    webhooks.map((webhook, index) => readWebhook(webhook, { configuration: metadata?.name ?? '', index })),
  );
}

/** A configuration of either kind: validating webhooks have no reinvocationPolicy. */
type WebhookConfiguration = Decoded<admissionregistrationv1.MutatingWebhookConfiguration>;

interface WebhookPlace {
  readonly configuration: string;
  readonly index: number;
}

function readWebhook(webhook: Decoded<admissionregistrationv1.MutatingWebhook>, { configuration, index }: WebhookPlace): Webhook {
  const { name = '', rules = [], matchPolicy, namespaceSelector, objectSelector, timeoutSeconds = 10 } = webhook;
  let conditions: Promise<readonly CompiledSource[]> | undefined;
  return {
    id: `${configuration}/${name}/${index}`,
    configuration,
    name,
    match: readMatchResources({ resourceRules: rules, matchPolicy, namespaceSelector, objectSelector }),
    conditions: (pace) => {
      conditions ??= compileConditions(webhook, policyEnvironment(environments(), 'stored', { params: false, authorizer: true }), pace);
      return conditions;
    },
    ignoresFailures: webhook.failurePolicy === 'Ignore',
    isReinvokedIfNeeded: webhook.reinvocationPolicy === 'IfNeeded',
    sideEffects: webhook.sideEffects ?? '',
    timeoutMs: timeoutSeconds * 1000,
    reviewVersion: webhook.admissionReviewVersions?.find(isSupportedVersion) ?? 'v1',
    client: readWebhookClient(webhook.clientConfig ?? {}),
  };
}

function isSupportedVersion(version: string): version is Webhook['reviewVersion'] {
  return version === 'v1' || version === 'v1beta1';
}

/** The `clientConfig` of a webhook. */
export function readWebhookClient(config: Decoded<admissionregistrationv1.WebhookClientConfig>): WebhookClient {
  const authorities = config.caBundle ? atob(config.caBundle) : undefined;
  if (!config.service) return { url: config.url ?? '', service: undefined, authorities };
  const { namespace = '', name = '', port = 443 } = config.service;
  const service = { namespace, name, port };
  const path = (config.service.path ?? '').replace(/^\/?/, '/');
  return { url: `https://${service.name}.${service.namespace}.svc:${service.port}${path}`, service, authorities };
}
