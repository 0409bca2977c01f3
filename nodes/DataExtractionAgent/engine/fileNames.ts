const MAX_FILE_NAME_LENGTH = 200;

/** Escapes a name for a header as RFC 7578 and browsers do; nothing in it can end the header. */
export function safeFileName(name: string): string {
	const clean = shortened(name)
		.map((character) => {
			if (character === '"') return '%22';
			if (character === '\r') return '%0D';
			if (character === '\n') return '%0A';
			return /[\p{Cc}\u2028\u2029/\\]/u.test(character) ? '_' : character;
		})
		.join('')
		.trim();
	return clean === '' ? 'file' : clean;
}

/** The characters of a name of bearable length; the ending stays, because services go by it. */
function shortened(name: string): string[] {
	const characters = [...name];
	if (characters.length <= MAX_FILE_NAME_LENGTH) return characters;
	const ending = [...(/\.\w{1,10}$/.exec(name)?.[0] ?? '')];
	return [...characters.slice(0, MAX_FILE_NAME_LENGTH - ending.length), ...ending];
}

/** The type without parameters, or the general one where it is not of the form `type/subtype`. */
export function safeMimeType(mimeType = ''): string {
	const type = mimeType.split(';')[0].trim();
	return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) ? type : 'application/octet-stream';
}

/** A name for a file of the given type, with a fitting ending. */
export function fileNameFor(name: string, mimeType: string): string {
	const ending = /^image\/(\w+)/.exec(mimeType)?.[1];
	return ending ? `${name}.${ending === 'jpeg' ? 'jpg' : ending}` : name;
}
