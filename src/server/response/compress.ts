import { type ApiRequest, type ApiResponse, type FeatureGates, isStream } from '../../meta/index.ts';
import { largeBody } from '../body/body-chunks.ts';

/**
 * Compresses large responses with gzip when the client accepts it (part 4.9) and the gate APIResponseCompression is on. Watch events are
 * never compressed.
 */
export async function compressResponse(request: ApiRequest, response: ApiResponse, gates: FeatureGates): Promise<ApiResponse> {
  const { body, isEventStream } = response;
  const inPieces = isStream(body) && !isEventStream;
  const large = inPieces || ((typeof body === 'string' || body instanceof Uint8Array) && body.length >= largeBody);
  if (!large || !gates.enabled('APIResponseCompression')) return response;
  const encodings = (request.headers.get('accept-encoding') ?? '').split(',').map((one) => one.trim());
  if (!encodings.includes('gzip')) return response;
  const headers = [...response.headers, ['content-encoding', 'gzip'], ['vary', 'Accept-Encoding']] as const;
  if (inPieces) return { ...response, headers, body: { [Symbol.asyncIterator]: () => gzipChunks(body[Symbol.asyncIterator]()) } };
  const stream = new Blob([body as BlobPart]).stream().pipeThrough(new CompressionStream('gzip'));
  return { ...response, headers, body: new Uint8Array(await new Response(stream).arrayBuffer()) };
}

/** Reads the next chunk only when the compressed output was read (backpressure). */
function gzipChunks(pieces: AsyncIterator<string | Uint8Array>): AsyncIterator<Uint8Array> {
  const source = new ReadableStream<BufferSource>(
    {
      async pull(controller) {
        const next = await pieces.next();
        if (next.done) controller.close();
        else controller.enqueue((typeof next.value === 'string' ? new TextEncoder().encode(next.value) : next.value) as BufferSource);
      },
      cancel: () => stop(pieces),
    },
    { highWaterMark: 0 },
  );
  const reader = source.pipeThrough(new CompressionStream('gzip')).getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done, value };
    },
    async return() {
      // The compression stream cancels its source only once it has been started.
      await Promise.all([stop(pieces), reader.cancel()]);
      return { done: true, value: undefined };
    },
  };
}

async function stop(pieces: AsyncIterator<unknown>): Promise<void> {
  await pieces.return?.();
}
