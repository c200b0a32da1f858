import { type ByteReader, breakByte, CborError, floatOf, type Head, indefinite, majorNames } from './heads.ts';

/** Limits of the API (upstream serializer/cbor modes.Decode). */
const maxDepth = 64;
const maxElements = 1024;
const maxPairs = 1024;

/** Tags for times, as text or as a number. */
const textTime = 0n;
const numberTime = 1n;
/** Tags for big numbers, which Go cannot convert to JSON and back. */
const bigNumbers: ReadonlySet<bigint> = new Set([2n, 3n]);

/** Checks that there is one well-formed item without trailing bytes. @throws CborError */
export function checkWellFormed(reader: ByteReader): void {
  if (reader.rest === 0) throw new CborError('EOF');
  checkItem(reader, 0);
  if (reader.rest > 0) throw new CborError(`cbor: ${reader.rest} bytes of extraneous data starting at index ${reader.at}`);
}

function checkItem(reader: ByteReader, depth: number): void {
  const head = reader.head();
  switch (head.major) {
    case 2:
    case 3:
      checkString(reader, head);
      return;
    case 4:
    case 5:
      checkContainer(reader, head, deeper(depth));
      return;
    case 6:
      checkTagged(reader, head, depth);
      return;
    case 7:
      checkPrimitive(head);
      return;
    default:
      return;
  }
}

function deeper(depth: number): number {
  if (depth === maxDepth) throw new CborError(`cbor: exceeded max nested level ${maxDepth}`);
  return depth + 1;
}

function checkString(reader: ByteReader, { major, info, argument }: Head): void {
  const name = majorNames[major];
  if (info !== indefinite) {
    if (argument >= 2n ** 63n) throw new CborError(`cbor: ${name} length ${argument} is too large, causing integer overflow`);
    reader.take(Number(argument));
    return;
  }
  while (reader.peek() !== breakByte) {
    const next = reader.peek();
    const nextMajor = (next >> 5) as Head['major'];
    if (nextMajor !== major) throw new CborError(`cbor: wrong element type ${majorNames[nextMajor]} for indefinite-length ${name}`);
    if ((next & 31) === indefinite) throw new CborError(`cbor: indefinite-length ${name} chunk is not definite-length`);
    checkString(reader, reader.head());
  }
  reader.at++;
}

function checkContainer(reader: ByteReader, { major, info, argument }: Head, depth: number): void {
  const isMap = major === 5;
  if (info !== indefinite) {
    if (argument >= 2n ** 63n)
      throw new CborError(`cbor: ${majorNames[major]} length ${argument} is too large, it would cause integer overflow`);
    checkCount(isMap, Number(argument));
    for (let left = Number(argument) * (isMap ? 2 : 1); left > 0; left--) checkItem(reader, depth);
    return;
  }
  let items = 0;
  for (; reader.peek() !== breakByte; items++) {
    checkItem(reader, depth);
    checkCount(isMap, isMap ? Math.floor((items + 1) / 2) : items + 1);
  }
  reader.at++;
  if (isMap && items % 2 === 1) throw new CborError('cbor: unexpected "break" code');
}

function checkCount(isMap: boolean, count: number): void {
  if (isMap && count > maxPairs) throw new CborError(`cbor: exceeded max number of key-value pairs ${maxPairs} for CBOR map`);
  if (!isMap && count > maxElements) throw new CborError(`cbor: exceeded max number of elements ${maxElements} for CBOR array`);
}

function checkTagged(reader: ByteReader, head: Head, depth: number): void {
  if (bigNumbers.has(head.argument)) throw new CborError('cbor: data item of cbor type tag is not accepted by protocol: bignum');
  const next = reader.peek() >> 5;
  const inner = next === 6 ? deeper(depth) : depth;
  checkItem(reader, inner);
}

function checkPrimitive(head: Head): void {
  if (head.info === 24 && head.argument < 32n) throw new CborError(`cbor: invalid simple value ${head.argument} for type primitives`);
  if (head.info < 25) return;
  const value = floatOf(head);
  if (Number.isNaN(value)) throw new CborError(unacceptable('floating-point NaN'));
  if (!Number.isFinite(value)) throw new CborError(unacceptable('floating-point infinity'));
}

export function unacceptable(what: string): string {
  return `cbor: data item of cbor type primitives is not accepted by protocol: ${what}`;
}

/** The error in the content of a time tag, if any. */
export function problemOfTime(tag: bigint, { major, info }: Head): string | undefined {
  const isText = major === 2 || major === 3;
  const isNumber = major < 2 || (major === 7 && info >= 25);
  if (tag > numberTime || (tag === textTime ? isText : isNumber)) return undefined;
  const wanted = tag === textTime ? 'text string' : 'integer or floating-point number';
  return `cbor: tag number ${tag} must be followed by ${wanted}, got ${majorNames[major]}`;
}
