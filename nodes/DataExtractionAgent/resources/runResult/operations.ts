export { get } from './get';
export { getFirst } from './getFirst';
