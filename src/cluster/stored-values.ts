import { createProtobuf, ProtoError } from '../codec/index.ts';
import { type ApiObject, isJsonObject, type Json, JsonSyntaxError, type Product, stringifyJson, withMetadata } from '../meta/index.ts';
import { storedJson, storedText } from '../registry/index.ts';
import { createCatalog } from '../schema/index.ts';
import { bytesOfText, textOfBytes, type ValueForm } from '../storage/index.ts';

/** `--storage-media-type`. */
export type StorageMediaType = 'application/json' | 'application/vnd.kubernetes.protobuf';

/** What protobuf in a store begins with, and nothing else does. */
const magic: readonly number[] = [0x6b, 0x38, 0x73, 0x00];

/** How objects stand in a store that the real server may read: built-in kinds in protobuf, all that are defined by others in JSON. */
export function createStoredValues(product: Product, mediaType: StorageMediaType): ValueForm {
  const catalog = createCatalog(product);
  const protobuf = createProtobuf(catalog, product);
  // Their servers are parts of the real one that know no protobuf in stores.
  const inJson = new Set(['apiextensions', 'apiregistration']);
  const isBinary = ({ apiVersion, kind }: ApiObject): boolean => {
    const [domain = ''] = apiVersion.split('.');
    return mediaType !== 'application/json' && !inJson.has(domain) && protobuf.knows(apiVersion, kind);
  };
  const objectOfBytes = (bytes: Uint8Array): ApiObject | undefined =>
    magic.every((byte, at) => bytes[at] === byte) ? asObject(readable(() => protobuf.decode(bytes))) : objectOfText(textOfBytes(bytes));
  return {
    encode(key, text) {
      const object = isObjectKey(key) ? objectOfText(text) : undefined;
      if (!object) return bytesOfText(text);
      const unversioned = withMetadata(object, { resourceVersion: undefined });
      return isBinary(object) ? protobuf.encode(unversioned) : bytesOfText(`${stringifyJson(unversioned)}\n`);
    },
    decode(key, bytes) {
      const object = isObjectKey(key) ? objectOfBytes(bytes) : undefined;
      return object ? storedText(object) : textOfBytes(bytes);
    },
  };
}

function isObjectKey(key: string): boolean {
  return key.startsWith('/registry/');
}

function objectOfText(text: string): ApiObject | undefined {
  return asObject(readable(() => storedJson(text)));
}

function asObject(value: Json | undefined): ApiObject | undefined {
  return isJsonObject(value) && isJsonObject(value['metadata']) ? (value as ApiObject) : undefined;
}

/** Undefined when it cannot be read: whoever asks for the object is told then. */
function readable(read: () => Json): Json | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProtoError || error instanceof SyntaxError || error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
