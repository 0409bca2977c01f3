export { start } from './start';
export { getResult } from './getResult';
