/** Maximum nesting of messages. Only schemas of definitions nest, far less deep. */
export const maxDepth = 1000;
