/** How deep messages may be nested. Only schemas of definitions nest at all, and those stay far below. */
export const maxDepth = 1000;
