import { ProtoError, ProtoWriter, readFields, readText } from '../../../../codec/index.ts';
import { aggregateErrors, fieldErrorTexts, validateFullyQualifiedDomainName } from '../../../../meta/index.ts';

/** A key, or a seed of keys, as the plugin encrypted it. */
export interface EncryptedSource {
  readonly keyId: string;
  readonly source: Uint8Array;
  /** From the plugin, which needs them to decrypt the source; by domain name. */
  readonly annotations: ReadonlyMap<string, Uint8Array>;
  readonly type: number;
}

/** `EncryptedDEKSourceType`: the source is the key itself, or the seed of the keys. */
export const sourceTypes = { key: 0, seed: 1 } as const;

/** A value in etcd. Cf. k8s.io/apiserver storage/value/encrypt/envelope/kmsv2/v2, EncryptedObject. */
export interface EncryptedObject extends EncryptedSource {
  readonly data: Uint8Array;
}

/** The value is no valid EncryptedObject; the message is the real server's. */
export class EncryptedObjectError extends Error {
  override readonly name = 'EncryptedObjectError';
}

const fields = { data: 1, keyId: 2, source: 3, annotations: 4, type: 5 } as const;
const mapEntry = { key: 1, value: 2 } as const;

export function writeEncryptedObject({ data, keyId, source, annotations, type }: EncryptedObject): Uint8Array {
  const to = new ProtoWriter();
  to.bytes(fields.data, data);
  to.string(fields.keyId, keyId);
  to.bytes(fields.source, source);
  writeAnnotations(to, fields.annotations, annotations);
  if (type !== 0) to.integer(fields.type, type);
  return to.finish();
}

/** @throws EncryptedObjectError */
export function readEncryptedObject(message: Uint8Array): EncryptedObject {
  const object = decode(message);
  if (object.type !== sourceTypes.key && object.type !== sourceTypes.seed)
    throw new EncryptedObjectError(`unknown encryptedDEKSourceType: ${object.type}`);
  if (object.data.length === 0) throw new EncryptedObjectError('encrypted data is empty');
  const problem = sourceProblem(object);
  if (problem !== undefined) throw new EncryptedObjectError(problem);
  return object;
}

function decode(message: Uint8Array): EncryptedObject {
  const annotations = new Map<string, Uint8Array>();
  const object: { -readonly [Name in keyof EncryptedObject]: EncryptedObject[Name] } = {
    data: new Uint8Array(),
    keyId: '',
    source: new Uint8Array(),
    annotations,
    type: 0,
  };
  try {
    for (const field of readFields(message)) {
      if (field.number === fields.data) object.data = field.bytes;
      else if (field.number === fields.keyId) object.keyId = field.text;
      else if (field.number === fields.source) object.source = field.bytes;
      else if (field.number === fields.annotations) annotations.set(...readAnnotation(field.bytes));
      else if (field.number === fields.type) object.type = Number(field.integer);
    }
    return object;
  } catch (error) {
    if (error instanceof ProtoError) throw new EncryptedObjectError(error.message, { cause: error });
    throw error;
  }
}

/** Writes a `map<string, bytes>`, sorted by key. */
export function writeAnnotations(to: ProtoWriter, field: number, annotations: ReadonlyMap<string, Uint8Array>): void {
  for (const [key, value] of [...annotations].sort(([a], [b]) => (a < b ? -1 : 1))) {
    to.message(field, () => {
      to.string(mapEntry.key, key);
      to.bytes(mapEntry.value, value);
    });
  }
}

export function readAnnotation(message: Uint8Array): readonly [key: string, value: Uint8Array] {
  let key = '';
  let value = new Uint8Array();
  for (const field of readFields(message)) {
    if (field.number === mapEntry.key) key = readText(field.bytes);
    else if (field.number === mapEntry.value) value = Uint8Array.from(field.bytes);
  }
  return [key, value];
}

const maxSourceBytes = 1_024;
const maxAnnotationBytes = 32 * 1_024;
const maxKeyIdBytes = 1_024;

/** Cf. kmsv2.ValidateEncryptedObject. Undefined: it is valid. */
export function sourceProblem({ keyId, source, annotations }: EncryptedSource): string | undefined {
  if (source.length === 0) return 'failed to validate encrypted DEK source: encrypted DEK source is empty';
  if (source.length > maxSourceBytes) {
    const size = `encrypted DEK source is ${source.length} bytes, which exceeds the max size of ${maxSourceBytes}`;
    return `failed to validate encrypted DEK source: ${size}`;
  }
  const wrongId = keyIdProblem(keyId);
  if (wrongId !== undefined) return `failed to validate key id: ${wrongId.message}`;
  const wrong = annotationsProblem(annotations);
  return wrong === '' ? undefined : `failed to validate annotations: ${wrong}`;
}

function annotationsProblem(annotations: ReadonlyMap<string, Uint8Array>): string {
  let size = 0;
  const errors = [...annotations].flatMap(([key, value]) => {
    size += Buffer.byteLength(key) + value.length;
    return fieldErrorTexts(validateFullyQualifiedDomainName('annotations', key));
  });
  if (size > maxAnnotationBytes) errors.push(`total size of annotations is ${size}, which exceeds the max size of ${maxAnnotationBytes}`);
  return aggregateErrors(errors);
}

/** `code`: its label in metrics. Undefined: the key id is valid. */
export function keyIdProblem(keyId: string): { readonly code: 'empty' | 'too_long'; readonly message: string } | undefined {
  const size = Buffer.byteLength(keyId);
  if (size === 0) return { code: 'empty', message: 'keyID is empty' };
  if (size <= maxKeyIdBytes) return undefined;
  return { code: 'too_long', message: `keyID is ${size} bytes, which exceeds the max size of ${maxKeyIdBytes}` };
}
