import { useCallback, useEffect, useState } from 'react';
import { asApiError } from '../api/errors.ts';
import { RecentDeliveriesDocument, type RecentDeliveryFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import ui from '../ui/ui.module.css';
import styles from './late.module.css';
import { useLateTexts } from './lateTexts.ts';
import settings from './settings.module.css';
import { useDeliveryTexts } from './texts.ts';

/** What was delivered to the viewer lately, and why something was not. */
export function Recent() {
  const { t, problem } = useI18n();
  const texts = useLateTexts();
  const { api } = useSession();
  const [deliveries, setDeliveries] = useState<readonly RecentDeliveryFragment[]>();
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState<string>();

  const read = useCallback(
    async (after: string | null) => {
      setError(undefined);
      try {
        const { viewer } = await api.queryUncached(RecentDeliveriesDocument, after === null ? {} : { after });
        const { edges, pageInfo } = viewer.deliveries;
        const page = edges.map(({ node }) => node);
        setDeliveries((before = []) => (after === null ? page : [...before, ...page]));
        setNext(pageInfo.hasNextPage ? pageInfo.endCursor : null);
      } catch (thrown) {
        setError(problem(asApiError(thrown)));
      }
    },
    [api, problem],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: not again when the language changes.
  useEffect(() => void read(null), [api]);

  return (
    <section className={settings.section} aria-labelledby="delivery-recent">
      <h2 id="delivery-recent">{texts.recent}</h2>
      <p className={ui.soft}>{texts.recentHint}</p>
      {deliveries?.length === 0 && <p>{texts.none}</p>}
      {deliveries !== undefined && deliveries.length > 0 && (
        <ul className={`plain ${styles.recent}`}>
          {deliveries.map((one) => (
            <li key={one.id}>
              <Row one={one} />
            </li>
          ))}
        </ul>
      )}
      {error !== undefined && (
        <p className={ui.error} role="alert">
          {error}{' '}
          <button type="button" className={ui.quiet} onClick={() => void read(null)}>
            {t('app.retry')}
          </button>
        </p>
      )}
      {next !== null && (
        <button type="button" className={ui.quiet} onClick={() => void read(next)}>
          {texts.more}
        </button>
      )}
    </section>
  );
}

function Row({ one }: { readonly one: RecentDeliveryFragment }) {
  const { ago, dateTime } = useI18n();
  const texts = useLateTexts();
  const { kind: nameOf } = useDeliveryTexts();
  const { kinds, rooms, text, outcome, decidedAt } = one;
  const about = kinds.length === 0 ? texts.test : kinds.map((kind) => nameOf[kind]).join(', ');
  const names = rooms.flatMap(({ name, visibility }) => (visibility === 'DIRECT' ? [] : [name]));
  return (
    <article>
      <p>{text ?? about}</p>
      <p className={ui.soft}>
        <bdi>{[...(text === null ? [] : [about]), ...names].join(' · ')}</bdi>
        {decidedAt !== null && (
          <>
            {' · '}
            <time dateTime={decidedAt} title={dateTime(decidedAt)}>
              {ago(decidedAt)}
            </time>
          </>
        )}
      </p>
      <p className={outcome === 'FAILED' ? ui.error : ui.soft}>{texts.outcome[outcome]}</p>
    </article>
  );
}
