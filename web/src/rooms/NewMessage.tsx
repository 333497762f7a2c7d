import { useMemo } from 'react';
import { asApiError } from '../api/errors.ts';
import { useI18n } from '../i18n/i18n.ts';
import { PickPeople } from '../members/PickPeople.tsx';
import { useSession } from '../session/session.ts';
import { useDirect } from './useDirect.ts';

/** A direct room has at most eight people, including the viewer. */
const MAX_OTHERS = 7;

/** Opens a direct room with one or several people. The same people always share the same room. */
export default function NewMessage({ onClose }: { readonly onClose: () => void }) {
  const { t, problem } = useI18n();
  const { viewer } = useSession();
  const openDirect = useDirect();
  const without = useMemo(() => new Set([viewer.id]), [viewer]);
  return (
    <PickPeople
      title={t('direct.new')}
      hint={t('direct.hint')}
      action={t('direct.open')}
      most={MAX_OTHERS}
      without={without}
      onDone={async (people) => {
        try {
          await openDirect(people.map(({ id }) => id));
          return undefined;
        } catch (thrown) {
          const error = asApiError(thrown);
          return error.code === 'FORBIDDEN' ? t('direct.forbidden') : problem(error);
        }
      }}
      onClose={onClose}
    />
  );
}
