import { isJsonObject, type Json, type JsonObject, jsonKind } from '../json/json.ts';

/** A document that cannot be decoded; the message is upstream's. */
export class UnreadableDocument extends Error {}

/** Empty members are missing from the document. */
export interface DocumentType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The struct that upstream decodes kind and version into, in Go's format. */
const typeStruct = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** A cheap filter for `typeFields`: `\u212a` and `\u0131` are K and I in other case. */
const maybeTypeField = /^[aAkK\u212a][pPiI\u0131]/;
const typeFields: ReadonlyMap<string, 'apiVersion' | 'kind'> = new Map([
  ['apiversion', 'apiVersion'],
  ['kind', 'kind'],
]);

/** The kind and version of a document. Cf. upstream SimpleMetaFactory Interpret. @throws UnreadableDocument */
export function documentType(value: Json): DocumentType {
  const mismatch = (member: Json, target: string): Error => untypedDocument(`json: cannot unmarshal ${jsonKind(member)} into Go ${target}`);
  if (!isJsonObject(value)) throw mismatch(value, `value of type ${typeStruct}`);
  let [apiVersion, kind] = ['', ''];
  for (const name of Object.keys(value)) {
    if (!maybeTypeField.test(name)) continue;
    const member = value[name];
    // As Go's encoding/json does, names are matched case-insensitively, and the last one counts.
    const field = typeFields.get(name.toUpperCase().toLowerCase());
    if (field === undefined || member === null || member === undefined) continue;
    if (typeof member !== 'string') throw mismatch(member, `struct field .${field} of type string`);
    if (field === 'kind') kind = member;
    else apiVersion = member;
  }
  // `/v1` is the core group too.
  return { apiVersion: apiVersion.replace(/^\/(?=[^/]*$)/, ''), kind };
}

/** The error for a document whose kind and version cannot be read. */
export function untypedDocument(why: string, cause?: unknown): UnreadableDocument {
  return new UnreadableDocument(`couldn't get version/kind; json parse error: ${why}`, { cause });
}

/** @throws UnreadableDocument for more than a group and a version */
export function requireGroupVersion(apiVersion: string): void {
  if (apiVersion.split('/').length > 2) throw new UnreadableDocument(`unexpected GroupVersion string: ${apiVersion}`);
}

/**
 * Requires the type of a webhook's response, which may lack kind and version. Cf. upstream json Serializer Decode into a known object.
 * @throws UnreadableDocument
 */
export function requireReviewType(review: JsonObject, expected: DocumentType): void {
  const given = documentType(review);
  const [apiVersion, kind] = [given.apiVersion || expected.apiVersion, given.kind || expected.kind];
  if (apiVersion === expected.apiVersion && kind === expected.kind) return;
  const [group = ''] = expected.apiVersion.split('/');
  const isRegistered =
    kind === expected.kind ? [`${group}/v1`, `${group}/v1beta1`].includes(apiVersion) : `${apiVersion} ${kind}` === 'v1 Status';
  throw new UnreadableDocument(
    isRegistered
      ? `converting (${apiVersion}.${kind}) to (${expected.apiVersion}.${expected.kind}): unknown conversion`.replaceAll(`${group}/`, '')
      : `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:110"`,
  );
}
