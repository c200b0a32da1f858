export function generatedDocuments(count: number): readonly string[];
