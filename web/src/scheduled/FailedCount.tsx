import { useRead } from '../api/useRead.ts';
import { ScheduledFailuresDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import ui from '../ui/ui.module.css';

/** How many of the viewer's scheduled messages could not be sent. Nothing if there is none. */
export function FailedCount() {
  const { t } = useI18n();
  const listed = useRead(ScheduledFailuresDocument, {})?.viewer.scheduledMessages;
  const count = listed?.edges.filter(({ node }) => node.failure !== null).length ?? 0;
  if (listed === undefined || count === 0) return null;
  const isMore = count === listed.edges.length && listed.pageInfo.hasNextPage;
  const text = t('scheduled.notSent', { count, more: isMore ? 'yes' : 'no' });
  return (
    <>
      <span className={ui.badge} title={text} aria-hidden="true">
        {count}
        {isMore && '+'}
      </span>
      <span className="visually-hidden">{text}</span>
    </>
  );
}
