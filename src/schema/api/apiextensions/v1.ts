// Generated from the catalog by `npm run generate:types`. Do not edit.
import type { Json } from '../../../meta/index.ts';
import type * as metav1 from '../meta/v1.ts';

/** CustomResourceColumnDefinition is a column of tables. */
export interface CustomResourceColumnDefinition {
  /** Header of the column, such as Replicas. Printed in capital letters. */
  readonly name: string;
  /** Type of the cells: string, integer, number, boolean or date. */
  readonly type: string;
  /** OpenAPI format of the cells, such as date-time. The format name marks the column with the object's name. */
  readonly format?: string;
  /** What the column means. Shown by clients that explain a table. */
  readonly description?: string;
  /** Columns with priority 0 are always printed; those with higher numbers only in wide output. Default: 0. */
  readonly priority?: number;
  /** Path of the value in the object, such as .spec.replicas. */
  readonly jsonPath: string;
}

/** CustomResourceConversion determines how objects are converted between versions. */
export interface CustomResourceConversion {
  /** None changes only apiVersion, Webhook calls a webhook. Default: None. */
  readonly strategy: string;
  /** The webhook. Required for strategy Webhook. */
  readonly webhook?: WebhookConversion;
}

/** Defines a custom resource. Its name must be PLURAL.GROUP. */
export interface CustomResourceDefinition {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: CustomResourceDefinitionSpec;
  readonly status: CustomResourceDefinitionStatus;
}

/** CustomResourceDefinitionCondition is one aspect of the state of a definition. */
export interface CustomResourceDefinitionCondition {
  /** Type of the condition, such as Established or NamesAccepted. */
  readonly type: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status: string;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
}

/** CustomResourceDefinitionNames holds the names of a resource. */
export interface CustomResourceDefinitionNames {
  /** Plural name, in lowercase, as it is in URLs. Immutable. */
  readonly plural: string;
  /** Singular name, in lowercase. Default: the kind in lowercase. */
  readonly singular?: string;
  /** Short names for command lines, in lowercase. */
  readonly shortNames?: readonly string[];
  /** Kind of the objects, in CamelCase and singular. Immutable once accepted. */
  readonly kind: string;
  /** Kind of lists. Default: the kind with List added. */
  readonly listKind?: string;
  /** Categories that select several resources at once, such as all. */
  readonly categories?: readonly string[];
}

/** Specification of a custom resource. */
export interface CustomResourceDefinitionSpec {
  /** The group of the kind, such as example.com. Immutable. */
  readonly group: string;
  /** Names of the resource and its kind. */
  readonly names: CustomResourceDefinitionNames;
  /** Namespaced, or Cluster for objects without a namespace. Immutable. */
  readonly scope: string;
  /** Versions of the resource with their schemas. At least one, and exactly one with storage true. */
  readonly versions: readonly CustomResourceDefinitionVersion[] | null;
  /** How objects are converted between versions. Default: only apiVersion is changed. */
  readonly conversion?: CustomResourceConversion;
  /** Deprecated, must be false: set x-kubernetes-preserve-unknown-fields in the schema instead. */
  readonly preserveUnknownFields?: boolean;
}

/** Observed state of a custom resource definition. */
export interface CustomResourceDefinitionStatus {
  /** Conditions of the definition: Established when it is served, NamesAccepted, NonStructuralSchema, Terminating and others. */
  readonly conditions: readonly CustomResourceDefinitionCondition[] | null;
  /** Names in use. May differ from spec.names after a conflict. */
  readonly acceptedNames: CustomResourceDefinitionNames;
  /** Versions in which objects were ever stored. They can be removed from here when all objects were rewritten, and from spec.versions only then. */
  readonly storedVersions: readonly string[] | null;
}

/** CustomResourceDefinitionVersion is a version of a resource. */
export interface CustomResourceDefinitionVersion {
  /** Name of the version, such as v1 or v1beta1. */
  readonly name: string;
  /** Whether the API server serves the version. */
  readonly served: boolean;
  /** Whether objects are stored in this version. True for exactly one version. */
  readonly storage: boolean;
  /** Whether requests for the version get a warning. Default: false. */
  readonly deprecated?: boolean;
  /** Text of the warning, at most 256 bytes. Default: one that recommends a newer version. */
  readonly deprecationWarning?: string;
  /** Schema by which objects are validated and unknown fields removed. */
  readonly schema?: CustomResourceValidation;
  /** Subresources of the version. Default: none. */
  readonly subresources?: CustomResourceSubresources;
  /** Columns of tables beside the name. Default: the age. */
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[];
  /** Fields that field selectors can use, at most 8. */
  readonly selectableFields?: readonly SelectableField[];
}

/** CustomResourceSubresourceScale enables the subresource scale. */
export interface CustomResourceSubresourceScale {
  /** Path of the desired number of replicas, below .spec, such as .spec.replicas. */
  readonly specReplicasPath: string;
  /** Path of the current number of replicas, below .status, such as .status.replicas. */
  readonly statusReplicasPath: string;
  /** Path of the selector of the pods as text, below .spec or .status. Autoscalers need it. */
  readonly labelSelectorPath?: string;
}

export type CustomResourceSubresourceStatus = Readonly<Record<string, never>>;

/** CustomResourceSubresources enables subresources. */
export interface CustomResourceSubresources {
  /** Enables the subresource status: changes of status are then possible through it only, and metadata.generation increases with other changes. */
  readonly status?: CustomResourceSubresourceStatus;
  /** Enables the subresource scale, for instance for autoscalers. */
  readonly scale?: CustomResourceSubresourceScale;
}

/** CustomResourceValidation holds the schema of a version. */
export interface CustomResourceValidation {
  /** The schema, in a structural form: every field has a type. */
  readonly openAPIV3Schema?: JSONSchemaProps;
}

/** ExternalDocumentation is a link to documentation. */
export interface ExternalDocumentation {
  /** What the link leads to, in a sentence. */
  readonly description?: string;
  /** URL of the documentation. */
  readonly url?: string;
}

/** JSONSchemaProps is a JSON schema. */
export interface JSONSchemaProps {
  /** Not allowed in definitions of custom resources. */
  readonly id?: string;
  /** URI of the version of JSON Schema. Has no effect. */
  readonly $schema?: string;
  /** Not allowed in definitions of custom resources: references are not supported. */
  readonly $ref?: string;
  /** Describes the field. Clients print it as documentation. */
  readonly description?: string;
  /** Type of the value: object, array, string, integer, number or boolean. */
  readonly type?: string;
  /** Format of the value, such as date-time, email, ipv4, int32 or byte. Unknown formats have no effect. */
  readonly format?: string;
  /** Short title of the field. */
  readonly title?: string;
  /** Value that is set when the field is missing. */
  readonly default?: Json;
  /** Largest allowed number. With exclusiveMaximum, the value must be below it. */
  readonly maximum?: number;
  /** Whether maximum itself is not allowed. Default: false. */
  readonly exclusiveMaximum?: boolean;
  /** Smallest allowed number. With exclusiveMinimum, the value must be above it. */
  readonly minimum?: number;
  /** Whether minimum itself is not allowed. Default: false. */
  readonly exclusiveMinimum?: boolean;
  /** Maximum length of a string in characters. */
  readonly maxLength?: number;
  /** Minimum length of a string in characters. */
  readonly minLength?: number;
  /** Regular expression in RE2 syntax that must match a part of the string. Use ^ and $ for the whole. */
  readonly pattern?: string;
  /** Maximum number of items of an array. */
  readonly maxItems?: number;
  /** Minimum number of items of an array. */
  readonly minItems?: number;
  /** Must be false: use x-kubernetes-list-type set instead. */
  readonly uniqueItems?: boolean;
  /** The number must be a multiple of this one. */
  readonly multipleOf?: number;
  /** Allowed values, in any order. Every other value is rejected. */
  readonly enum?: readonly Json[];
  /** Maximum number of properties of an object. */
  readonly maxProperties?: number;
  /** Minimum number of properties of an object. */
  readonly minProperties?: number;
  /** Properties that must be present. */
  readonly required?: readonly string[];
  /** Schema of the items of an array. */
  readonly items?: Json;
  /** Schemas that must all be valid for the value. */
  readonly allOf?: readonly JSONSchemaProps[];
  /** Schemas of which exactly one must be valid for the value. */
  readonly oneOf?: readonly JSONSchemaProps[];
  /** Schemas of which at least one must be valid for the value. */
  readonly anyOf?: readonly JSONSchemaProps[];
  /** Schema that must not be valid for the value. */
  readonly not?: JSONSchemaProps;
  /** Schemas of the properties of an object, by name. */
  readonly properties?: Readonly<Record<string, JSONSchemaProps>>;
  /** Schema of properties with any name, for maps; or true for any value. Cannot be combined with properties. */
  readonly additionalProperties?: Json;
  /** Not allowed in definitions of custom resources. */
  readonly patternProperties?: Readonly<Record<string, JSONSchemaProps>>;
  /** Not allowed in definitions of custom resources. */
  readonly dependencies?: Readonly<Record<string, Json>>;
  /** Not allowed in definitions of custom resources. */
  readonly additionalItems?: Json;
  /** Not allowed in definitions of custom resources. */
  readonly definitions?: Readonly<Record<string, JSONSchemaProps>>;
  /** Link to further documentation. */
  readonly externalDocs?: ExternalDocumentation;
  /** Example of a value. Has no effect. */
  readonly example?: Json;
  /** Whether null is allowed. Otherwise nulls are removed or replaced by the default. Default: false. */
  readonly nullable?: boolean;
  /** With true, fields that are not in the schema are stored instead of removed. */
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  /** Whether the value is an object with apiVersion, kind and metadata of its own, which are validated. Requires type object. Default: false. */
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  /** Whether the value is an integer or a string. The type must then be empty. Default: false. */
  readonly 'x-kubernetes-int-or-string'?: boolean;
  /** Fields that identify the items of a list, for x-kubernetes-list-type map. */
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  /** How lists are merged: atomic as a whole, set by values, map by the keys in x-kubernetes-list-map-keys. Default: atomic. */
  readonly 'x-kubernetes-list-type'?: string;
  /** How objects are merged: granular by fields, atomic as a whole. Default: granular. */
  readonly 'x-kubernetes-map-type'?: string;
  /** CEL rules that the value must meet. */
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** SelectableField is a field that field selectors can use. */
export interface SelectableField {
  /** Path of the field, such as .spec.color. Its type must be string, boolean or integer. */
  readonly jsonPath: string;
}

/** ServiceReference identifies a service. */
export interface ServiceReference {
  /** Namespace of the service. */
  readonly namespace: string;
  /** Name of the service that receives the requests. */
  readonly name: string;
  /** Path of the requests. Default: none. */
  readonly path?: string;
  /** Port of the service, 1 to 65535. Default: 443. */
  readonly port?: number;
}

/** ValidationRule is a CEL rule of a schema. */
export interface ValidationRule {
  /** CEL expression of type bool, with self for the value and, for transition rules, oldSelf for the value before the change. */
  readonly rule: string;
  /** Message when the rule is false. Required when the rule has line breaks. Default: failed rule: RULE. */
  readonly message?: string;
  /** CEL expression of type string for the message. It takes precedence over message, unless it fails or is empty. */
  readonly messageExpression?: string;
  /** Reason of the error: FieldValueInvalid, FieldValueForbidden, FieldValueRequired or FieldValueDuplicate. Default: FieldValueInvalid. */
  readonly reason?: string;
  /** Path of the field that the error refers to, below the value, such as .spec.name. Default: the value itself. */
  readonly fieldPath?: string;
  /** Whether the rule is evaluated when there is no old value, too; oldSelf is then an optional. Only for transition rules. Default: false. */
  readonly optionalOldSelf?: boolean;
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

/** WebhookConversion is a webhook that converts objects. */
export interface WebhookConversion {
  /** How the webhook is reached. */
  readonly clientConfig?: WebhookClientConfig;
  /** Versions of ConversionReview that the webhook accepts, the preferred one first. */
  readonly conversionReviewVersions: readonly string[] | null;
}
