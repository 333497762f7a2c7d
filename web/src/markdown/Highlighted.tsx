import { common, createLowlight } from 'lowlight';
import { Fragment, type ReactNode } from 'react';
import styles from './Highlighted.module.css';

export interface HighlightedProps {
  readonly text: string;
  /** The name of a language, or a short form such as `ts`. Text in an unknown one is not colored. */
  readonly language: string;
}

const lowlight = createLowlight(common);

type Node = ReturnType<typeof lowlight.highlight>['children'][number];
type Element = Extract<Node, { type: 'element' }>;

/** The colors are few, so the scopes of the highlighter share them. Scopes that are not listed have none. */
const COLORS: Readonly<Record<string, string | undefined>> = {
  ...of('keyword literal type selector-tag built_in meta', styles.keyword),
  ...of('string regexp symbol addition', styles.string),
  ...of('number attr attribute variable template-variable', styles.number),
  ...of('title name section selector-class selector-id', styles.title),
  ...of('comment quote', styles.comment),
  ...of('deletion', styles.deletion),
};

function of(scopes: string, color: string | undefined): Record<string, string | undefined> {
  return Object.fromEntries(scopes.split(' ').map((scope) => [`hljs-${scope}`, color]));
}

/** Colored code. Loaded when the first code with a language is shown. */
export default function Highlighted({ text, language }: HighlightedProps) {
  const name = language.split(/[\s{:,]/, 1)[0]?.toLowerCase() ?? '';
  if (!lowlight.registered(name)) return text;
  return elements(lowlight.highlight(name, text).children);
}

const elements = (nodes: readonly Node[]): ReactNode =>
  // An index is a safe key: an edited text is highlighted from the start.
  nodes.map((node, index) => <Fragment key={String(index)}>{element(node)}</Fragment>);

function element(node: Node): ReactNode {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? <span className={colorOf(node)}>{elements(node.children)}</span> : null;
}

function colorOf({ properties }: Element): string | undefined {
  const names = Array.isArray(properties.className) ? properties.className : [];
  return names.map((name) => COLORS[String(name)]).find((color) => color !== undefined);
}
