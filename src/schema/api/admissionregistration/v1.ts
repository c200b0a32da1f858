// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** AuditAnnotation adds an annotation to the audit event of a request. */
export interface AuditAnnotation {
  /** Key of the annotation. The name of the policy is put in front, with '/'. */
  readonly key: string;
  /** CEL expression of type string or null, at most 5 kB. With null no annotation is added. */
  readonly valueExpression: string;
}

/** ExpressionWarning is a warning about an expression. */
export interface ExpressionWarning {
  /** Path of the expression, such as spec.validations[0].expression. */
  readonly fieldRef: string;
  /** Human-readable text, with the kinds to which it applies and the place in the expression. */
  readonly warning: string;
}

/** MatchCondition is a condition for calling a webhook or policy. */
export interface MatchCondition {
  /** Name of the condition, unique in the list. */
  readonly name: string;
  /** CEL expression of type bool. Variables: object, oldObject, request, authorizer and, for policies, params. */
  readonly expression: string;
}

/** MatchResources selects the requests to which a policy or binding applies. */
export interface MatchResources {
  /** Labels of the namespaces of the objects. Does not apply to cluster-scoped objects, except namespaces themselves. Default: all. */
  readonly namespaceSelector?: metav1.LabelSelector;
  /** Labels of the objects, before or after the change. Default: all. */
  readonly objectSelector?: metav1.LabelSelector;
  /** Requests to which the policy applies; one match is enough. Default for bindings: those of the policy. */
  readonly resourceRules?: readonly NamedRuleWithOperations[];
  /** Requests to which the policy does not apply, in spite of resourceRules. */
  readonly excludeResourceRules?: readonly NamedRuleWithOperations[];
  /** Equivalent matches requests in other versions of the same resource as well, and converts them; Exact does not. Default: Equivalent. */
  readonly matchPolicy?: string;
}

/** MutatingWebhook is a webhook that may change objects. */
export interface MutatingWebhook {
  /** Name of the webhook, with at least three labels, such as policy.example.com. */
  readonly name: string;
  /** How the webhook is reached. */
  readonly clientConfig: WebhookClientConfig;
  /** Requests that are sent to the webhook; one match is enough. */
  readonly rules?: readonly RuleWithOperations[];
  /** What happens when the webhook fails: Fail refuses the request, Ignore continues. Default: Fail. */
  readonly failurePolicy?: string;
  /** Equivalent matches requests in other versions of the same resource as well, and converts them; Exact does not. Default: Equivalent. */
  readonly matchPolicy?: string;
  /** Labels of the namespaces of the objects. Does not apply to cluster-scoped objects, except namespaces themselves. Default: all. */
  readonly namespaceSelector?: metav1.LabelSelector;
  /** Labels of the objects, before or after the change. Users can avoid the webhook by them. Default: all. */
  readonly objectSelector?: metav1.LabelSelector;
  /** Whether the webhook changes anything besides the request: None, or NoneOnDryRun if not for dry runs. Some and Unknown are not allowed in v1. */
  readonly sideEffects: string | null;
  /** Seconds after which the webhook has failed, from 1 to 30. Default: 10. */
  readonly timeoutSeconds?: number;
  /** Versions of AdmissionReview that the webhook accepts, the preferred one first. */
  readonly admissionReviewVersions: readonly string[] | null;
  /** Whether the webhook is called again when a later plugin has changed the object: Never or IfNeeded. Default: Never. */
  readonly reinvocationPolicy?: string;
  /** CEL expressions that must all be true for the webhook to be called, at most 64. */
  readonly matchConditions?: readonly MatchCondition[];
}

/** Webhooks that may change objects before they are stored. */
export interface MutatingWebhookConfiguration {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** The webhooks. Names must be unique. */
  readonly webhooks?: readonly MutatingWebhook[];
}

/** NamedRuleWithOperations selects requests by operation, resource and name. */
export interface NamedRuleWithOperations {
  /** Names of the objects. Default: all. */
  readonly resourceNames?: readonly string[];
  /** Operations: CREATE, UPDATE, DELETE, CONNECT; * for all. */
  readonly operations?: readonly string[];
  /** API groups; * for all. */
  readonly apiGroups?: readonly string[];
  /** Versions; * for all. */
  readonly apiVersions?: readonly string[];
  /** Resources, and subresources as pods/log; * for all resources, *\/* with their subresources. */
  readonly resources?: readonly string[];
  /** Cluster for cluster-scoped objects, Namespaced for others, * for all. Default: *. */
  readonly scope?: string;
}

/** ParamKind is the kind of the parameters of a policy. */
export interface ParamKind {
  /** Group and version of the kind, such as example.com/v1. */
  readonly apiVersion?: string;
  /** The kind. */
  readonly kind?: string;
}

/** ParamRef selects the parameters of a policy. Exactly one of name and selector must be set. */
export interface ParamRef {
  /** Name of the object with the parameters. */
  readonly name?: string;
  /** Namespace of the objects. Not allowed for cluster-scoped kinds. Default: that of the request's object. */
  readonly namespace?: string;
  /** Labels of the objects. The policy is evaluated for each of them. */
  readonly selector?: metav1.LabelSelector;
  /** What happens without an object: Allow ignores the binding, Deny applies the failure policy. Required. */
  readonly parameterNotFoundAction?: string;
}

/** RuleWithOperations selects requests by operation and resource. */
export interface RuleWithOperations {
  /** Operations: CREATE, UPDATE, DELETE, CONNECT; * for all. */
  readonly operations?: readonly string[];
  /** API groups; * for all. */
  readonly apiGroups?: readonly string[];
  /** Versions; * for all. */
  readonly apiVersions?: readonly string[];
  /** Resources, and subresources as pods/log; * for all resources, *\/* with their subresources. */
  readonly resources?: readonly string[];
  /** Cluster for cluster-scoped objects, Namespaced for others, * for all. Default: *. */
  readonly scope?: string;
}

/** ServiceReference identifies a service. */
export interface ServiceReference {
  /** Namespace of the service. */
  readonly namespace: string;
  /** Name of the service. */
  readonly name: string;
  /** Path of the requests. Default: none. */
  readonly path?: string;
  /** Port of the service, 1 to 65535. Default: 443. */
  readonly port?: number;
}

/** TypeChecking holds the results of a type check. */
export interface TypeChecking {
  /** Warnings, one for each expression. */
  readonly expressionWarnings?: readonly ExpressionWarning[];
}

/** A policy of CEL expressions that may refuse requests. A binding puts it into force. */
export interface ValidatingAdmissionPolicy {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ValidatingAdmissionPolicySpec;
  readonly status: ValidatingAdmissionPolicyStatus;
}

/** Puts a validating policy into force, with parameters. */
export interface ValidatingAdmissionPolicyBinding {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ValidatingAdmissionPolicyBindingSpec;
}

/** Specification of a binding. */
export interface ValidatingAdmissionPolicyBindingSpec {
  /** Name of the policy. Required. While it does not exist, the binding has no effect. */
  readonly policyName?: string;
  /** The parameters. Required when the policy has a paramKind. */
  readonly paramRef?: ParamRef;
  /** Further restricts the requests to which the policy applies. Default: those of the policy. */
  readonly matchResources?: MatchResources;
  /** What happens when a validation is false: Deny refuses the request, Warn sends a warning, Audit adds an audit annotation. Deny and Warn cannot be combined. */
  readonly validationActions?: readonly string[];
}

/** Specification of a validating policy. At least one of validations and auditAnnotations is required. */
export interface ValidatingAdmissionPolicySpec {
  /** Kind of the parameters. Default: no parameters. */
  readonly paramKind?: ParamKind;
  /** Requests to which the policy applies. Required. */
  readonly matchConstraints?: MatchResources;
  /** Expressions that must be true. */
  readonly validations?: readonly Validation[];
  /** What happens when the policy is invalid or an expression fails: Fail refuses the request, Ignore continues. Default: Fail. */
  readonly failurePolicy?: string;
  /** Annotations for the audit event of the request. */
  readonly auditAnnotations?: readonly AuditAnnotation[];
  /** CEL expressions that must all be true for the policy to be evaluated, at most 64. */
  readonly matchConditions?: readonly MatchCondition[];
  /** Expressions that other expressions use by name, in order. */
  readonly variables?: readonly Variable[];
}

/** Observed state of a validating policy. */
export interface ValidatingAdmissionPolicyStatus {
  /** The metadata.generation of the object that was current when this was written. A lower value than metadata.generation means that the latest change has not been processed yet. */
  readonly observedGeneration?: number;
  /** Results of the type check. Not set before it has run. */
  readonly typeChecking?: TypeChecking;
  /** Conditions is the latest observed state, with one entry for each type of condition. */
  readonly conditions?: readonly metav1.Condition[];
}

/** ValidatingWebhook is a webhook that may refuse requests. */
export interface ValidatingWebhook {
  /** Name of the webhook, with at least three labels, such as policy.example.com. */
  readonly name: string;
  /** How the webhook is reached. */
  readonly clientConfig: WebhookClientConfig;
  /** Requests that are sent to the webhook; one match is enough. */
  readonly rules?: readonly RuleWithOperations[];
  /** What happens when the webhook fails: Fail refuses the request, Ignore continues. Default: Fail. */
  readonly failurePolicy?: string;
  /** Equivalent matches requests in other versions of the same resource as well, and converts them; Exact does not. Default: Equivalent. */
  readonly matchPolicy?: string;
  /** Labels of the namespaces of the objects. Does not apply to cluster-scoped objects, except namespaces themselves. Default: all. */
  readonly namespaceSelector?: metav1.LabelSelector;
  /** Labels of the objects, before or after the change. Users can avoid the webhook by them. Default: all. */
  readonly objectSelector?: metav1.LabelSelector;
  /** Whether the webhook changes anything besides the request: None, or NoneOnDryRun if not for dry runs. Some and Unknown are not allowed in v1. */
  readonly sideEffects: string | null;
  /** Seconds after which the webhook has failed, from 1 to 30. Default: 10. */
  readonly timeoutSeconds?: number;
  /** Versions of AdmissionReview that the webhook accepts, the preferred one first. */
  readonly admissionReviewVersions: readonly string[] | null;
  /** CEL expressions that must all be true for the webhook to be called, at most 64. */
  readonly matchConditions?: readonly MatchCondition[];
}

/** Webhooks that may refuse requests before objects are stored. */
export interface ValidatingWebhookConfiguration {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** The webhooks. Names must be unique. */
  readonly webhooks?: readonly ValidatingWebhook[];
}

/** Validation is an expression that must be true. */
export interface Validation {
  /** CEL expression of type bool. Variables: object, oldObject, request, params, namespaceObject, variables and authorizer. */
  readonly expression: string;
  /** Message when the expression is false. Required when the expression has line breaks. Default: failed expression: EXPRESSION. */
  readonly message?: string;
  /** Reason of the refusal, which decides on the HTTP status: Unauthorized, Forbidden, Invalid or RequestEntityTooLarge. Default: Invalid. */
  readonly reason?: string;
  /** CEL expression of type string for the message. It takes precedence over message, unless it fails or is empty. */
  readonly messageExpression?: string;
}

/** Variable is an expression with a name, evaluated when it is first used. */
export interface Variable {
  /** Name of the variable. Other expressions use it as variables.NAME. */
  readonly name: string;
  /** CEL expression. It can use the variables before it. */
  readonly expression: string;
}

/** WebhookClientConfig determines how a webhook is reached. Exactly one of url and service must be set. */
export interface WebhookClientConfig {
  /** URL of the webhook, with https, without user, query or fragment. */
  readonly url?: string;
  /** Service of the webhook in the cluster. */
  readonly service?: ServiceReference;
  /** CA certificates in PEM, in base64, by which the webhook's certificate is verified. Default: those of the server's system. */
  readonly caBundle?: string;
}
