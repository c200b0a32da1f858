// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** ApplyConfiguration changes an object by a server-side apply. */
export interface ApplyConfiguration {
  /** CEL expression that returns the fields to apply, such as Object{spec: Object.spec{replicas: 3}}. Atomic lists, maps and structs cannot be changed. */
  readonly expression?: string;
}

/** JSONPatch changes an object by a JSON patch. */
export interface JSONPatch {
  /** CEL expression that returns a list of operations, such as [JSONPatch{op: "add", path: "/metadata/labels/a", value: "b"}]. */
  readonly expression?: string;
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

/** A policy of CEL expressions that changes objects before they are stored. A binding puts it into force. */
export interface MutatingAdmissionPolicy {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: MutatingAdmissionPolicySpec;
}

/** Puts a mutating policy into force, with parameters. */
export interface MutatingAdmissionPolicyBinding {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: MutatingAdmissionPolicyBindingSpec;
}

/** Specification of a binding. */
export interface MutatingAdmissionPolicyBindingSpec {
  /** Name of the policy. Required. While it does not exist, the binding has no effect. */
  readonly policyName?: string;
  /** The parameters. Required when the policy has a paramKind. */
  readonly paramRef?: ParamRef;
  /** Further restricts the requests to which the policy applies. Default: those of the policy. */
  readonly matchResources?: MatchResources;
}

/** Specification of a mutating policy. */
export interface MutatingAdmissionPolicySpec {
  /** Kind of the parameters. Default: no parameters. */
  readonly paramKind?: ParamKind;
  /** Requests to which the policy applies. Required. DELETE and CONNECT are not possible. */
  readonly matchConstraints?: MatchResources;
  /** Expressions that other expressions use by name, in order. */
  readonly variables?: readonly Variable[];
  /** Changes, executed in order. At least one. */
  readonly mutations?: readonly Mutation[];
  /** What happens when the policy is invalid or an expression fails: Fail refuses the request, Ignore continues. Default: Fail. */
  readonly failurePolicy?: string;
  /** CEL expressions that must all be true for the policy to be evaluated, at most 64. */
  readonly matchConditions?: readonly MatchCondition[];
  /** Whether the policy is evaluated again when a later plugin has changed the object: Never or IfNeeded. Required. */
  readonly reinvocationPolicy?: string;
}

/** Mutation is a change of an object. The field for its type must be set. */
export interface Mutation {
  /** Type of the change: ApplyConfiguration or JSONPatch. */
  readonly patchType: string;
  /** Change by a server-side apply. */
  readonly applyConfiguration?: ApplyConfiguration;
  /** Change by a JSON patch. */
  readonly jsonPatch?: JSONPatch;
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

/** Variable is an expression with a name, evaluated when it is first used. */
export interface Variable {
  /** Name of the variable. Other expressions use it as variables.NAME. */
  readonly name: string;
  /** CEL expression. It can use the variables before it. */
  readonly expression: string;
}
