import { composeProperties, composeSubtitle } from './compose';
import { dataset } from './dataset';
import { document } from './document';
import { runResult } from './runResult';
import { urlExtract } from './urlExtract';
import { workflow } from './workflow';

/** Everything the service offers. */
export const resources = [dataset, document, runResult, urlExtract, workflow];

export const properties = composeProperties(resources);

export const subtitle = composeSubtitle(resources);
