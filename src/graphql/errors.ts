import { type ErrorCode, errorCatalogue } from '../core/errors.ts';
import { builder } from './builder.ts';

const codes = Object.entries(errorCatalogue) as Array<[ErrorCode, (typeof errorCatalogue)[ErrorCode]]>;

/** For clients' generated code; on the wire it is the text in `extensions.code`. */
builder.enumType('ErrorCode', {
  description: 'What `extensions.code` of an error can be.',
  values: Object.fromEntries(codes.map(([code, { means }]) => [code, { description: means }])),
});
