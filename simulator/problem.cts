/** A refusal: thrown anywhere while a request is handled, answered as `{ success: false, message }`. */
export class HttpProblem extends Error {
	constructor(
		readonly statusCode: number,
		message: string,
	) {
		super(message);
		this.name = 'HttpProblem';
	}
}
