/** OpenAPI: version 3 by group version, version 2 as one document. */
export { answerOpenApi, type OpenApiRequest } from './answer.ts';
export { definitionSchema } from './custom-schema.ts';
export { createOpenApi, type OpenApi, type OpenApiOptions } from './openapi.ts';
