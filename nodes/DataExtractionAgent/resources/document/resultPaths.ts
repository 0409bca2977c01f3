/** Where the service documents the result of a document extraction. */
export const resultPaths = ['/api/v2/document/result/{id}'] as const;
