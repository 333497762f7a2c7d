import { type ConflictReason, conflictReasons, type ErrorCode, errorCatalogue } from '../core/errors.ts';
import { builder } from './builder.ts';

const CODES = Object.keys(errorCatalogue) as ErrorCode[];
const REASONS = Object.keys(conflictReasons) as ConflictReason[];

export const ErrorCodeRef = builder.enumType('ErrorCode', {
  description: 'The values of `extensions.code` in an error.',
  values: valuesOf(CODES, (code) => errorCatalogue[code].description),
});

export const ConflictReasonRef = builder.enumType('ConflictReason', {
  description: 'The values of `extensions.reason` in an error with the code `CONFLICT`.',
  values: valuesOf(REASONS, (reason) => conflictReasons[reason]),
});

function valuesOf<Name extends string>(names: readonly Name[], description: (name: Name) => string) {
  const values = names.map((name) => [name, { description: description(name) }] as const);
  return Object.fromEntries(values) as Record<Name, { description: string }>;
}

const ErrorDescriptionRef = builder.objectRef<ErrorCode>('ErrorDescription').implement({
  description: 'What an error code means.',
  fields: (t) => ({
    code: t.field({
      type: ErrorCodeRef,
      description: 'The value of `extensions.code`.',
      resolve: (code) => code,
    }),
    description: t.string({
      description: 'What happened, for developers. Clients word it themselves.',
      resolve: (code) => errorCatalogue[code].description,
    }),
    retryable: t.boolean({
      description: 'Whether the same request may succeed later.',
      resolve: (code) => errorCatalogue[code].retryable,
    }),
    reasons: t.field({
      type: [ConflictReasonRef],
      description: 'The values of `extensions.reason`; empty if errors with the code have none.',
      resolve: (code) => (code === 'CONFLICT' ? REASONS : []),
    }),
  }),
});

/** Errors are not part of the schema. With this field, generators of code emit their codes for clients. */
builder.queryFields((t) => ({
  errorCodes: t.field({
    type: [ErrorDescriptionRef],
    description: 'All codes of errors.',
    resolve: () => CODES,
  }),
}));
