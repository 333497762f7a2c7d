/** The orders of lists of saved messages. */
import { builder } from '../graphql/builder.ts';
import type { SavedQuery } from './rows.ts';

export const SAVED_ORDERS = {
  SAVED_NEWEST: { by: 'saved', newestFirst: true },
  SAVED_OLDEST: { by: 'saved', newestFirst: false },
  MESSAGE_NEWEST: { by: 'message', newestFirst: true },
  MESSAGE_OLDEST: { by: 'message', newestFirst: false },
} as const satisfies Record<string, Pick<SavedQuery, 'by' | 'newestFirst'>>;

const lags = 'What was saved or changed a moment ago may be missing.';

export const SavedOrderRef = builder.enumType('SavedOrder', {
  description: 'The order of saved messages.',
  values: {
    SAVED_NEWEST: { description: 'The last that was saved comes first.' },
    SAVED_OLDEST: { description: 'The first that was saved comes first.' },
    MESSAGE_NEWEST: { description: `The newest message comes first. ${lags}` },
    MESSAGE_OLDEST: { description: `The oldest message comes first. ${lags}` },
  } satisfies Record<keyof typeof SAVED_ORDERS, object>,
});
