import type { PersonFragment } from '../generated/graphql.ts';
import type { I18n } from '../i18n/i18n.ts';

/** How a user is called in a text: by the name that they chose, or as a former member in the viewer's language. */
export const nameOf = (t: I18n['t'], { displayName, isFormer }: Named): string =>
  isFormer ? t('people.former') : displayName;

type Named = Pick<PersonFragment, 'displayName' | 'isFormer'>;
