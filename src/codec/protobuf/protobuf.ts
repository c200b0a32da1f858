import type { JsonObject, Product } from '../../meta/index.ts';
import { type Catalog, formatGroupVersion, type StructSchema } from '../../schema/index.ts';
import type { ItemList, Pause } from '../item-list.ts';
import { MessageDecoder } from './decode-message.ts';
import { MessageEncoder } from './encode-message.ts';
import { ProtoError, readText } from './reader.ts';
import { lastOf } from './special-types.ts';
import { ProtoWriter } from './writer.ts';

/** The magic prefix of protobuf objects (part 2.7): `k8s` and zero, under either product's name. */
const magic = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

/** The decoded envelope of an object (upstream runtime.Unknown). */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The encoded object. */
  readonly raw: Uint8Array;
}

export interface WatchFrame {
  /** `ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK`, `ERROR`. */
  readonly type: string;
  /** The object with its envelope. */
  readonly object: Uint8Array;
}

/** Protobuf codec of built-in kinds. */
export interface Protobuf {
  /** Whether a kind has a protobuf encoding. Custom kinds and Table have none. */
  supports(apiVersion: string, kind: string): boolean;
  /** Encodes an object or list with its envelope. @throws ProtoError when its kind has no protobuf encoding */
  encode(object: JsonObject): Uint8Array;
  /** The same bytes as `encode`, for a whole list. @throws ProtoError when its kind has no protobuf encoding */
  encodeList(list: ItemList, pause: Pause): Promise<readonly Uint8Array[]>;
  /** @throws ProtoError */
  decode(bytes: Uint8Array): JsonObject;
  /** Decodes the object of an envelope. @throws ProtoError when its kind has no protobuf encoding, or its bytes are invalid */
  decodeRaw(envelope: Envelope): JsonObject;
}

export function createProtobuf(catalog: Catalog, product: Product): Protobuf {
  const encoder = new MessageEncoder(catalog);
  const decoder = new MessageDecoder(catalog);
  const metaVersion = `${product.names.metaGroup}/v1`;
  const served = new Set(
    catalog.groups.flatMap(({ name, versions }) => versions.map((version) => formatGroupVersion({ group: name, version }))),
  );
  const shapeOf = (apiVersion: string, kind: string): StructSchema | undefined => {
    if (kind === 'Table' || catalog.resourceOfKind(apiVersion, kind)?.custom) return undefined;
    const own = catalog.kind(apiVersion, kind);
    if (own?.typeMeta) return own;
    // Options, Status etc. exist in every group version.
    const shared = served.has(apiVersion) ? catalog.kind(metaVersion, kind) : undefined;
    return shared?.typeMeta ? shared : undefined;
  };
  const shapeFor = (apiVersion: string, kind: string): StructSchema => {
    const shape = shapeOf(apiVersion, kind);
    if (!shape) throw new ProtoError(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
    return shape;
  };
  // The legacy discovery documents have no apiVersion.
  const shapeOfObject = ({ apiVersion, kind }: JsonObject): StructSchema => shapeFor(String(apiVersion || 'v1'), String(kind ?? ''));
  const decodeRaw = ({ apiVersion, kind, raw }: Envelope): JsonObject => ({
    kind,
    apiVersion,
    ...decoder.read(shapeFor(apiVersion, kind), raw),
  });
  return {
    supports: (apiVersion, kind) => shapeOf(apiVersion, kind) !== undefined,
    encode(object) {
      const shape = shapeOfObject(object);
      const writer = beginEnvelope(object);
      writer.message(2, () => encoder.write(writer, shape, object));
      writeEnvelopeEnd(writer);
      return writer.finish();
    },
    async encodeList(list, pause) {
      const content = await encoder.writeList(shapeOfObject(list.frame), list, pause);
      const head = beginEnvelope(list.frame);
      head.fieldHead(
        2,
        content.reduce((length, piece) => length + piece.length, 0),
      );
      const end = new ProtoWriter();
      writeEnvelopeEnd(end);
      return [head.finish(), ...content, end.finish()];
    },
    decode: (bytes) => decodeRaw(openEnvelope(bytes)),
    decodeRaw,
  };
}

/** Writes the envelope up to its object. */
function beginEnvelope({ apiVersion = '', kind = '' }: JsonObject): ProtoWriter {
  const writer = new ProtoWriter();
  writer.raw(magic);
  writer.message(1, () => {
    writer.string(1, String(apiVersion));
    writer.string(2, String(kind));
  });
  return writer;
}

/** Writes empty contentEncoding and contentType. */
function writeEnvelopeEnd(writer: ProtoWriter): void {
  writer.string(3, '');
  writer.string(4, '');
}

/** @throws ProtoError with upstream's message */
export function openEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length < magic.length || magic.some((byte, at) => bytes[at] !== byte)) {
    throw new ProtoError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  if (bytes.length === magic.length) throw new ProtoError('empty body');
  const unknown = bytes.subarray(magic.length);
  const typeMeta = partOf(unknown, 1);
  return { apiVersion: readText(partOf(typeMeta, 1)), kind: readText(partOf(typeMeta, 2)), raw: partOf(unknown, 2) };
}

function partOf(message: Uint8Array, number: number): Uint8Array {
  const field = lastOf(message, number);
  if (field && field.wire !== 2) throw new ProtoError(`proto: wrong wireType = ${field.wire} for field ${number}`);
  return field?.bytes ?? new Uint8Array();
}

/** Encodes a watch event: four bytes of length, then a WatchEvent without an envelope, whose object has one (parts 2.4, 2.7). */
export function writeWatchFrame({ type, object }: WatchFrame): Uint8Array {
  const event = new ProtoWriter();
  event.string(1, type);
  event.message(2, () => event.bytes(1, object));
  const message = event.finish();
  const frame = new Uint8Array(4 + message.length);
  new DataView(frame.buffer).setUint32(0, message.length);
  frame.set(message, 4);
  return frame;
}

/** The complete frames at the start of `bytes`, and the remaining bytes. @throws ProtoError */
export function readWatchFrames(bytes: Uint8Array): { readonly frames: readonly WatchFrame[]; readonly rest: Uint8Array } {
  const frames: WatchFrame[] = [];
  let rest = bytes;
  while (rest.length >= 4) {
    const length = new DataView(rest.buffer, rest.byteOffset).getUint32(0);
    if (rest.length < 4 + length) break;
    frames.push(readWatchEvent(rest.subarray(4, 4 + length)));
    rest = rest.subarray(4 + length);
  }
  return { frames, rest };
}

function readWatchEvent(message: Uint8Array): WatchFrame {
  return { type: readText(partOf(message, 1)), object: partOf(partOf(message, 2), 1) };
}
