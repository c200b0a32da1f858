/** What the server understands, told as OpenAPI: version 3 in parts, version 2 whole. */
export { answerOpenApi, type OpenApiRequest } from './answer.ts';
export { definitionSchema } from './custom-schema.ts';
export type { CustomSchema, Dialect } from './definitions.ts';
export { createOpenApi, type OpenApi, type OpenApiDocument, type OpenApiOptions } from './openapi.ts';
