import { GraphQLError } from 'graphql';
import { type ErrorCode, errorCatalogue, type TsudoiError } from '../errors.ts';
import { builder } from './builder.ts';

const codes = Object.entries(errorCatalogue) as Array<[ErrorCode, (typeof errorCatalogue)[ErrorCode]]>;

/** For clients' generated code; on the wire it is the text in `extensions.code`. */
export const ErrorCodeRef = builder.enumType('ErrorCode', {
  description: 'What `extensions.code` of an error can be.',
  values: Object.fromEntries(codes.map(([code, { means }]) => [code, { description: means }])),
});

/** A deliberate refusal as GraphQL reports it. */
export function toGraphQLError(error: TsudoiError): GraphQLError {
  return new GraphQLError(error.message, {
    originalError: error,
    extensions: { code: error.code, ...error.details },
  });
}
