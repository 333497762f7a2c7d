import type { StampPartsFragment } from '../generated/graphql.ts';
import type { I18n } from '../i18n/i18n.ts';

export type LabelledStamp = Pick<StampPartsFragment, 'key' | 'label'>;

/** A stamp's label in the viewer's language if it is a built-in stamp, otherwise the server's label. */
export const stampLabel = ({ key, label }: LabelledStamp, { find }: Pick<I18n, 'find'>): string =>
  find(`stampLabel.${key}`) ?? label;
