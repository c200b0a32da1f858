import { errorMessage } from '../../env/index.ts';
import type { HttpAnswer, HttpService } from '../process/listeners.ts';
import { text } from './http-server.ts';

/** The request of an AdmissionReview or ConversionReview. */
interface Review<Request> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: Request & { readonly uid: string };
}

/** Answers reviews: `respond` returns the response without its `uid`. */
export const reviewService =
  <Request>(kind: string, respond: (request: Request) => object | Promise<object>): HttpService =>
  async ({ headers, body }): Promise<HttpAnswer> => {
    if (headers.get('content-type') !== 'application/json') return { status: 200 };
    try {
      const review = JSON.parse(new TextDecoder().decode(body)) as Review<Request>;
      if (review.kind !== kind) return text(`Unsupported group version kind: ${review.apiVersion}, Kind=${review.kind}\n`, 400);
      const response = { uid: review.request.uid, ...(await respond(review.request)) };
      return {
        status: 200,
        headers: [['Content-Type', 'application/json']],
        body: JSON.stringify({ kind, apiVersion: review.apiVersion, response }),
      };
    } catch (error) {
      return text(`Request could not be decoded: ${errorMessage(error)}\n`, 400);
    }
  };
