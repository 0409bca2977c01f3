export { getLatest } from './getLatest';
