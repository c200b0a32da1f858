/** HTTP/1.1 over byte streams: a client and a server. */
export { ByteReader } from './byte-reader.ts';
export { type ClientRequest, sendHttp } from './client.ts';
export { type HeaderLines, HttpError, type HttpRequest, type HttpResponse, headerOf } from './message.ts';
export { type HttpHandler, type ServerResponse, serveHttp, statusText } from './server.ts';
