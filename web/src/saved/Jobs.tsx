import { useEffect, useEffectEvent, useState } from 'react';
import { CancelJobDocument, JobChangedDocument, type JobPartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import styles from './Jobs.module.css';
import { useSavedTexts } from './texts.ts';

export type Job = Readonly<JobPartsFragment>;

const OPEN: ReadonlySet<Job['state']> = new Set(['QUEUED', 'RUNNING', 'PAUSED']);

export interface JobsProps {
  /** As they were read last. */
  readonly jobs: readonly Job[];
  /** Called when one has ended. */
  readonly onEnd: () => void;
}

/** The jobs of the viewer that have not ended, begun on any device, each with its progress. */
export function Jobs({ jobs, onEnd }: JobsProps) {
  const [shown, setShown] = useState<readonly Job[]>([]);
  useEffect(() => {
    setShown((before) => [
      ...before,
      ...jobs.filter((job) => OPEN.has(job.state) && !before.some(({ id }) => id === job.id)).toReversed(),
    ]);
  }, [jobs]);
  if (shown.length === 0) return null;
  return (
    <ul className={`plain ${styles.jobs}`}>
      {shown.map((job) => (
        <JobBar
          key={job.id}
          job={job}
          onEnd={() => {
            setShown((before) => before.filter(({ id }) => id !== job.id));
            onEnd();
          }}
        />
      ))}
    </ul>
  );
}

const errorOf = ({ failure, failureReason }: Job) => ({
  code: failure ?? ('INTERNAL' as const),
  ...(failureReason === null ? {} : { reason: failureReason }),
});

interface JobBarProps {
  readonly job: Job;
  readonly onEnd: () => void;
}

function JobBar({ job: first, onEnd }: JobBarProps) {
  const { t, problem, language } = useI18n();
  const texts = useSavedTexts();
  const { api } = useSession();
  const attempt = useAttempt();
  const toast = useToast();
  const [job, setJob] = useState(first);
  const [isCancelling, setIsCancelling] = useState(false);
  const { id } = first;

  const { state, text, done, total } = job;
  const end = useEffectEvent((last: Job) => {
    if (last.state === 'DONE') toast(texts.jobDone(last.text));
    else if (last.state === 'CANCELLED') toast(texts.jobCancelled(last.text));
    else toast(texts.jobFailed(last.text, problem(errorOf(last))));
    onEnd();
  });
  // It is not kept any more.
  const forget = useEffectEvent(onEnd);
  useEffect(() => {
    const stop = api.connection.subscribe({
      document: JobChangedDocument,
      variables: () => ({ id }),
      next({ jobChanged }) {
        setJob(jobChanged);
        if (OPEN.has(jobChanged.state)) return;
        // Otherwise it would be subscribed to again.
        stop();
        end(jobChanged);
      },
      onRefused: () => forget(),
    });
    return stop;
  }, [api, id]);

  const cancel = async () => {
    setIsCancelling(true);
    const input = { jobId: id };
    // Its last event follows.
    const isDone = await attempt(() => api.mutateUncached(CancelJobDocument, { input }));
    if (!isDone) setIsCancelling(false);
  };
  return (
    <li className={styles.job}>
      <span className={styles.text} dir="auto">
        {text}
      </span>
      <progress
        className={styles.bar}
        aria-label={text}
        {...(total === null || total === 0 || state === 'QUEUED'
          ? {}
          : { value: Math.min(done, total), max: total })}
      />
      <span className={styles.number}>
        {state === 'RUNNING'
          ? texts.progress(done.toLocaleString(language), total?.toLocaleString(language))
          : texts.jobState[state === 'PAUSED' ? 'PAUSED' : 'QUEUED']}
        {state === 'RUNNING' &&
          job.remainingSeconds !== null &&
          ` · ${texts.remaining(job.remainingSeconds)}`}
      </span>
      <BusyButton
        className={ui.quiet}
        aria-label={texts.cancelOf(text)}
        isBusy={isCancelling}
        onClick={() => void cancel()}
      >
        {t('app.cancel')}
      </BusyButton>
    </li>
  );
}
