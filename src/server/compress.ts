import type { ApiRequest, ApiResponse, FeatureGates } from '../meta/index.ts';

/** From this size on an answer is worth compressing (upstream defaultGzipThresholdBytes). */
const thresholdBytes = 128 * 1024;

/** Part 4.9: gzip for who accepts it by name, while the gate APIResponseCompression is on. */
export async function compressed(request: ApiRequest, response: ApiResponse, gates: FeatureGates): Promise<ApiResponse> {
  const { body } = response;
  const large = (typeof body === 'string' || body instanceof Uint8Array) && body.length >= thresholdBytes;
  if (!large || !gates.enabled('APIResponseCompression')) return response;
  const encodings = (request.headers.get('accept-encoding') ?? '').split(',').map((one) => one.trim());
  if (!encodings.includes('gzip')) return response;
  const stream = new Blob([body as BlobPart]).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const headers = [...response.headers, ['content-encoding', 'gzip'], ['vary', 'Accept-Encoding']] as const;
  return { ...response, headers, body: bytes };
}
