import { Fragment, memo, type ReactNode } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useCard } from '../people/card.ts';
import type { Person } from '../timeline/message.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import styles from './Body.module.css';
import { CodeBlock } from './CodeBlock.tsx';
import { isOnlyEmoji } from './emoji.ts';
import { MENTION } from './mention.ts';
import { OwnLink } from './OwnLink.tsx';
import { ownPath } from './ownPaths.ts';
import { type Block, type Inline, parse } from './parse.ts';

export interface BodyProps {
  readonly body: string;
  readonly mentions: readonly Person[];
  readonly viewerId: string;
  /** Shown behind the last word. */
  readonly suffix?: ReactNode;
}

/**
 * The formatted text of a message. React creates the elements, so the text can never inject markup. If rendering
 * fails, the raw text is shown. An edited text is rendered again.
 */
export const Body = memo(function Body(props: BodyProps) {
  const { body } = props;
  return (
    <div className={isOnlyEmoji(body) ? `${styles.body} ${styles.large}` : styles.body} dir="auto">
      <ErrorBoundary key={body} fallback={<p>{body}</p>}>
        <MarkedUp {...props} />
      </ErrorBoundary>
    </div>
  );
});

function MarkedUp({ body, mentions, viewerId, suffix }: BodyProps) {
  const byHandle = new Map(mentions.map((person) => [person.handle ?? '', person]));
  const context = { byHandle, viewerId };
  const blocks = parse(body);
  const last = blocks.at(-1);
  if (suffix === undefined || last?.kind !== 'paragraph') {
    return (
      <>
        {blockElements(blocks, context)}
        {suffix}
      </>
    );
  }
  return (
    <>
      {blockElements(blocks.slice(0, -1), context)}
      <p dir="auto">
        {inlineElements(last.inline, context)} {suffix}
      </p>
    </>
  );
}

interface Context {
  readonly byHandle: ReadonlyMap<string, Person>;
  readonly viewerId: string;
}

const NO_ONE: Context['byHandle'] = new Map();

/** An index is a safe key: the parts of a text never change their order, and an edited text is parsed again. */
const position = (index: number) => String(index);

function blockElement(block: Block, context: Context): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return <p dir="auto">{inlineElements(block.inline, context)}</p>;
    case 'code':
      return <CodeBlock text={block.text} language={block.language} />;
    case 'gap':
      return (
        <p className={styles.gap}>
          {Array.from({ length: block.lines }, (_, index) => (
            <br key={position(index)} />
          ))}
        </p>
      );
    case 'quote':
      return <blockquote>{blockElements(block.blocks, context)}</blockquote>;
    case 'list': {
      const items = block.items.map((item, index) => (
        <li key={position(index)} className={item.checked === undefined ? undefined : styles.task}>
          {item.checked !== undefined && <Check isDone={item.checked} />}
          {blockElements(item.blocks, context)}
        </li>
      ));
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
  }
}

const blockElements = (blocks: readonly Block[], context: Context) =>
  blocks.map((block, index) => <Fragment key={position(index)}>{blockElement(block, context)}</Fragment>);

const inlineElements = (inline: readonly Inline[], context: Context): ReactNode =>
  inline.map((part, index) => <Fragment key={position(index)}>{inlineElement(part, context)}</Fragment>);

function inlineElement(part: Inline, context: Context): ReactNode {
  switch (part.kind) {
    case 'text':
      return withMentions(part.text, context);
    case 'code':
      return <code>{part.text}</code>;
    case 'break':
      return <br />;
    case 'strong':
      return <strong>{inlineElements(part.inline, context)}</strong>;
    case 'emphasis':
      return <em>{inlineElements(part.inline, context)}</em>;
    case 'deleted':
      return <del>{inlineElements(part.inline, context)}</del>;
    case 'link': {
      const path = ownPath(part.href);
      const [only] = part.inline;
      // An address may contain a handle. A button in a link would not be valid either.
      const label = inlineElements(part.inline, { ...context, byHandle: NO_ONE });
      if (path !== undefined) {
        const isBare = part.inline.length === 1 && only?.kind === 'text' && only.text === part.href;
        return (
          <OwnLink path={path} isBare={isBare}>
            {label}
          </OwnLink>
        );
      }
      return (
        <a href={part.href} target="_blank" rel="noopener noreferrer nofollow">
          {label}
        </a>
      );
    }
  }
}

/** The box of a task. It is text: only its author could change it, by editing the message. */
function Check({ isDone }: { readonly isDone: boolean }) {
  const { t } = useI18n();
  return (
    <span role="img" className={styles.check} aria-label={t(isDone ? 'message.done' : 'message.notDone')}>
      {isDone ? '☑' : '☐'}
    </span>
  );
}

/**
 * Shows the names of mentioned users instead of their handles, highlighted. Any other word that begins with an @ stays
 * text.
 */
function withMentions(text: string, { byHandle, viewerId }: Context): ReactNode {
  if (byHandle.size === 0) return text;
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: written, 1: handle = '', index } of text.matchAll(MENTION)) {
    const person = byHandle.get(handle.toLowerCase());
    if (person === undefined) continue;
    const className = person.id === viewerId ? styles.mentionOfViewer : styles.mention;
    parts.push(text.slice(end, index), <Mention key={index} person={person} className={className} />);
    end = index + written.length;
  }
  return [...parts, text.slice(end)];
}

function Mention({ person, className }: { readonly person: Person; readonly className: string | undefined }) {
  const open = useCard(person.id);
  return (
    <button
      type="button"
      className={className}
      title={`@${person.handle}`}
      aria-haspopup="dialog"
      onClick={open}
    >
      @{person.displayName}
    </button>
  );
}
