import { createProtobuf, ProtoError } from '../../codec/index.ts';
import type { Clock } from '../../env/index.ts';
import {
  type ApiObject,
  type FeatureGates,
  formatTime,
  isJsonObject,
  type Json,
  JsonSyntaxError,
  type Product,
  stringifyJson,
  withMetadata,
} from '../../meta/index.ts';
import { definitionForStore, definitionFromStore, parseStoredJson, UnversionedObject } from '../../registry/index.ts';
import { createCatalog, createDefaulter } from '../../schema/index.ts';
import { decodeWtf8, encodeWtf8, type ValueCodec } from '../../storage/index.ts';

/** `--storage-media-type`. */
export type StorageMediaType = 'application/json' | 'application/vnd.kubernetes.protobuf';

/** Prefix of protobuf values in etcd: `k8s\0`. */
const magic: readonly number[] = [0x6b, 0x38, 0x73, 0x00];

/** Dependencies of decoding stored objects. */
export interface StoredValueOptions {
  readonly clock: Clock;
  readonly featureGates: FeatureGates;
}

/** Codec for values that the real server can read, too: built-in kinds in protobuf, custom resources in JSON. */
export function createStoredValueCodec(
  product: Product,
  mediaType: StorageMediaType,
  { clock, featureGates }: StoredValueOptions,
): ValueCodec {
  const catalog = createCatalog(product);
  const protobuf = createProtobuf(catalog, product);
  const defaulter = createDefaulter(product, featureGates);
  // The real server's aggregator and apiextensions server store JSON only.
  const inJson = new Set(['apiextensions', 'apiregistration']);
  const isBinary = ({ apiVersion, kind }: ApiObject): boolean => {
    const [domain = ''] = apiVersion.split('.');
    return mediaType !== 'application/json' && !inJson.has(domain) && protobuf.supports(apiVersion, kind);
  };
  const objectOfBytes = (bytes: Uint8Array): ApiObject | undefined =>
    magic.every((byte, at) => bytes[at] === byte) ? asObject(tryDecode(() => protobuf.decode(bytes))) : parseObject(decodeWtf8(bytes));
  // Stored objects are defaulted again: an older server, or the encoding, may have omitted fields.
  const defaulted = (object: ApiObject): ApiObject => {
    const schema = catalog.kind(object.apiVersion, object.kind);
    return schema ? (defaulter(schema, object, { now: formatTime(clock.nowMs()) }) as ApiObject) : object;
  };
  return {
    encode(key, text) {
      const object = isObjectKey(key) ? parseObject(text) : undefined;
      if (!object) return encodeWtf8(text);
      const unversioned = definitionForStore(withMetadata(object, { resourceVersion: undefined }));
      return isBinary(object) ? protobuf.encode(unversioned) : encodeWtf8(`${stringifyJson(unversioned)}\n`);
    },
    decode(key, bytes) {
      const object = isObjectKey(key) ? objectOfBytes(bytes) : undefined;
      return object ? new UnversionedObject(defaulted(definitionFromStore(object))).text : decodeWtf8(bytes);
    },
  };
}

function isObjectKey(key: string): boolean {
  return key.startsWith('/registry/');
}

function parseObject(text: string): ApiObject | undefined {
  return asObject(tryDecode(() => parseStoredJson(text)));
}

function asObject(value: Json | undefined): ApiObject | undefined {
  return isJsonObject(value) && isJsonObject(value['metadata']) ? (value as ApiObject) : undefined;
}

/** Undefined when the value cannot be decoded; a read of the object reports the error. */
function tryDecode(read: () => Json): Json | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProtoError || error instanceof SyntaxError || error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
