/** The service does not document where the result of a URL extraction is read: likely paths. */
export const resultPaths = [
	'/api/v2/extract/result/{id}',
	'/api/v2/results/{id}/first',
	'/api/v2/document/result/{id}',
] as const;
