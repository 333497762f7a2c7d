import { useMemo } from 'react';
import { asApiError } from '../api/errors.ts';
import { useI18n } from '../i18n/i18n.ts';
import { PickPeople } from '../members/PickPeople.tsx';
import { useSession } from '../session/session.ts';
import { useDirect } from './useDirect.ts';

/** Of eight people in a direct room the viewer is one. */
const MOST_OTHERS = 7;

/** To write to people, one or several: the same ones have the same room each time. */
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
      most={MOST_OTHERS}
      without={without}
      onDone={async (people) => {
        try {
          await openDirect(people.map(({ id }) => id));
          return undefined;
        } catch (thrown) {
          const error = asApiError(thrown);
          return error.code === 'CONFLICT' ? t('direct.tooManyRooms') : problem(error);
        }
      }}
      onClose={onClose}
    />
  );
}
