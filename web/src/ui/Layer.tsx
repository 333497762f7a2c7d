import type { ComponentType, ReactNode, SyntheticEvent } from 'react';
import { useBack } from './back.ts';

export interface LayerProps {
  /** The `Portal` of a dialog, a menu or a popover. */
  readonly of: ComponentType<typeof ENDED & { readonly children: ReactNode }>;
  /** What the browser's way back does while the layer is open, instead of leaving the page: for dialogs. */
  readonly onBack?: (() => void) | undefined;
  readonly children: ReactNode;
}

/**
 * A portal whose events end in it. React passes the events of a portal on to the components around it, as if it were
 * not at the end of the document: a form in a dialog that was opened from the composer would submit the composer, too.
 * It does so twice, once from the content and once from the element that the portal puts the content into, because that
 * element is in a portal itself.
 */
export function Layer({ of: Portal, onBack, children }: LayerProps) {
  useBack(onBack);
  return (
    <Portal {...ENDED}>
      <div style={CONTENTS} {...ENDED}>
        {children}
      </div>
    </Portal>
  );
}

const CONTENTS = { display: 'contents' } as const;

/** Only for React: listeners of the window, which close dialogs on Escape, still get the event. */
const end = (event: SyntheticEvent): void => {
  event.isPropagationStopped = () => true;
};

const ENDED = {
  onSubmit: end,
  onReset: end,
  onInput: end,
  onBeforeInput: end,
  onChange: end,
  onSelect: end,
  onKeyDown: end,
  onKeyUp: end,
  onClick: end,
  onDoubleClick: end,
  onContextMenu: end,
  onMouseDown: end,
  onMouseUp: end,
  onPointerDown: end,
  onPointerUp: end,
  onTouchStart: end,
  onTouchEnd: end,
  onFocus: end,
  onBlur: end,
  onCopy: end,
  onCut: end,
  onPaste: end,
  onDragEnter: end,
  onDragOver: end,
  onDrop: end,
};
