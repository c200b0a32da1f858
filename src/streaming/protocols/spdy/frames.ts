/** Frames of SPDY/3.1, as far as connections to containers have them; others are skipped. */
export type Frame =
  | { readonly kind: 'syn-stream'; readonly stream: number; readonly isLast: boolean; readonly headers: Uint8Array }
  | { readonly kind: 'data'; readonly stream: number; readonly isLast: boolean; readonly bytes: Uint8Array }
  | { readonly kind: 'headers'; readonly stream: number; readonly isLast: boolean; readonly headers: Uint8Array }
  | { readonly kind: 'reset'; readonly stream: number }
  | { readonly kind: 'ping'; readonly id: number }
  | { readonly kind: 'goaway' }
  | { readonly kind: 'other' };

/** Control frame types. */
const types = { synStream: 1, synReply: 2, reset: 3, ping: 6, goAway: 7, headers: 8 } as const;
const version = 3;
const lastFlag = 1;
const controlBit = 0x80_00_00_00;
/** Status of RST_STREAM: the stream is not needed any more. */
const cancelled = 5;

/** Length of the head of every frame. */
export const headLength = 8;

/** Length of a frame after its head. */
export function payloadLengthOf(head: Uint8Array): number {
  return viewOf(head).getUint32(4) & 0xff_ff_ff;
}

export function parseFrame(head: Uint8Array, payload: Uint8Array): Frame {
  const first = viewOf(head).getUint32(0);
  const isLast = ((head[4] ?? 0) & lastFlag) !== 0;
  if ((first & controlBit) === 0) return { kind: 'data', stream: first, isLast, bytes: payload };
  const view = viewOf(payload);
  if (payload.length < 4) return { kind: 'other' };
  const stream = view.getUint32(0) & ~controlBit;
  switch (first & 0xff_ff) {
    case types.synStream:
      return { kind: 'syn-stream', stream, isLast, headers: payload.subarray(10) };
    case types.headers:
      return { kind: 'headers', stream, isLast, headers: payload.subarray(4) };
    case types.reset:
      return { kind: 'reset', stream };
    case types.ping:
      return { kind: 'ping', id: view.getUint32(0) };
    case types.goAway:
      return { kind: 'goaway' };
    default:
      return { kind: 'other' };
  }
}

export function writeData(stream: number, bytes: Uint8Array, isLast: boolean): Uint8Array {
  const frame = new Uint8Array(headLength + bytes.length);
  const view = viewOf(frame);
  view.setUint32(0, stream);
  view.setUint32(4, bytes.length);
  frame[4] = isLast ? lastFlag : 0;
  frame.set(bytes, headLength);
  return frame;
}

/** Accepts a stream. `headers` is a compressed header block. */
export function writeSynReply(stream: number, headers: Uint8Array): Uint8Array {
  const frame = control(types.synReply, 4 + headers.length);
  viewOf(frame).setUint32(headLength, stream);
  frame.set(headers, headLength + 4);
  return frame;
}

export function writeReset(stream: number): Uint8Array {
  const frame = control(types.reset, 8);
  viewOf(frame).setUint32(headLength, stream);
  viewOf(frame).setUint32(headLength + 4, cancelled);
  return frame;
}

export function writePing(id: number): Uint8Array {
  const frame = control(types.ping, 4);
  viewOf(frame).setUint32(headLength, id);
  return frame;
}

/** Ends the connection after the streams up to `lastStream`, without an error. */
export function writeGoAway(lastStream: number): Uint8Array {
  const frame = control(types.goAway, 8);
  viewOf(frame).setUint32(headLength, lastStream);
  return frame;
}

function control(type: number, length: number): Uint8Array {
  const frame = new Uint8Array(headLength + length);
  const view = viewOf(frame);
  view.setUint32(0, (controlBit | (version << 16) | type) >>> 0);
  view.setUint32(4, length);
  return frame;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
