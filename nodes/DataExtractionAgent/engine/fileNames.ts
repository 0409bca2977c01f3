const MAX_FILE_NAME_LENGTH = 200;

/** Escapes a name for a header as RFC 7578 and browsers do; nothing in it can end the header. */
export function safeFileName(name: string): string {
	const clean = [...name]
		.map((character) => {
			if (character === '"') return '%22';
			if (character === '\r') return '%0D';
			if (character === '\n') return '%0A';
			return /[\p{Cc}\u2028\u2029/\\]/u.test(character) ? '_' : character;
		})
		.slice(0, MAX_FILE_NAME_LENGTH)
		.join('')
		.trim();
	return clean === '' ? 'file' : clean;
}

/** The type, or the general one where it is not of the form `type/subtype`. */
export function safeMimeType(mimeType: string | undefined): string {
	return mimeType && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(mimeType)
		? mimeType
		: 'application/octet-stream';
}

/** A name for a file of the given type, with a fitting ending. */
export function fileNameFor(name: string, mimeType: string): string {
	const ending = /^image\/(\w+)/.exec(mimeType)?.[1];
	return ending ? `${name}.${ending === 'jpeg' ? 'jpg' : ending}` : name;
}
