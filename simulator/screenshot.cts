/** A real PNG of one grey pixel, which is all a simulated screenshot needs. */
export const screenshotPng = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==',
	'base64',
);
