import type { StructFields } from '../language/environment.ts';
import { parseType } from '../language/types.ts';

/** Types of the request for policies, webhooks and authorizers: one type per line, as `field:type`. */
const text = `
UserInfo username:string uid:string groups:list(string) extra:map(string,list(string))
SubjectAccessReviewSpec resourceAttributes:ResourceAttributes nonResourceAttributes:NonResourceAttributes user:string groups:list(string) extra:map(string,list(string)) uid:string
ResourceAttributes namespace:string verb:string group:string version:string resource:string subresource:string name:string fieldSelector:FieldSelectorAttributes labelSelector:LabelSelectorAttributes
FieldSelectorAttributes rawSelector:string requirements:list(SelectorRequirement)
LabelSelectorAttributes rawSelector:string requirements:list(SelectorRequirement)
SelectorRequirement key:string operator:string values:list(string)
NonResourceAttributes path:string verb:string
GroupVersionKind group:string version:string kind:string
GroupVersionResource group:string version:string resource:string
AdmissionRequest kind:GroupVersionKind resource:GroupVersionResource subResource:string requestKind:GroupVersionKind requestResource:GroupVersionResource requestSubResource:string name:string namespace:string operation:string userInfo:UserInfo dryRun:bool options:dyn
Namespace metadata:NamespaceMetadata spec:NamespaceSpec status:NamespaceStatus
NamespaceMetadata name:string generateName:string namespace:string labels:map(string,string) annotations:map(string,string) UID:string creationTimestamp:timestamp deletionGracePeriodSeconds:int deletionTimestamp:timestamp generation:int resourceVersion:string finalizers:list(string)
NamespaceSpec finalizers:list(string)
NamespaceStatus conditions:list(NamespaceCondition) phase:string
NamespaceCondition status:string type:string lastTransitionTime:timestamp message:string reason:string
`;

/** Named `kubernetes.UserInfo` etc.: `parseType('UserInfo')` is the type. */
export function requestStructs(): Structs {
  structs ??= readStructs();
  return structs;
}

type Structs = readonly (readonly [name: string, fields: StructFields])[];

let structs: Structs | undefined;

function readStructs(): Structs {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', ...fields] = line.split(' ');
      const types = new Map(fields.map((field) => [field.slice(0, field.indexOf(':')), parseType(field.slice(field.indexOf(':') + 1))]));
      return [parseType(name).name, (field) => types.get(field)];
    });
}
