import { Menu } from '@base-ui/react/menu';
import { ArrowUpDown, CalendarDays, Check } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useDateTexts } from '../dates/texts.ts';
import type { SavedOrder } from '../generated/graphql.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Layer } from '../ui/Layer.tsx';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import ui from '../ui/ui.module.css';
import { ORDERS } from './address.ts';
import { useSavedTexts } from './texts.ts';

const JumpInList = lazyWithRetry(() => import('./JumpInList.tsx'));

export interface OrderMenuProps {
  readonly order: SavedOrder;
  readonly onOrder: (order: SavedOrder) => void;
  /** As `2026-01-05`. */
  readonly onDay: (day: string) => void;
}

/** The order of the list, and the way to a day of it. */
export function OrderMenu({ order, onOrder, onDay }: OrderMenuProps) {
  const texts = useSavedTexts();
  const { menu: jumpToDate } = useDateTexts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Menu.Root>
        <Menu.Trigger render={<IconButton label={texts.orderOf(texts.orders[order])} title={texts.order} />}>
          <ArrowUpDown />
        </Menu.Trigger>
        <Layer of={Menu.Portal}>
          <Menu.Positioner side="bottom" align="end" sideOffset={4}>
            <Menu.Popup className={ui.popup}>
              <Menu.Group>
                <Menu.GroupLabel className={ui.groupLabel}>{texts.order}</Menu.GroupLabel>
                <Menu.RadioGroup value={order} onValueChange={onOrder}>
                  {ORDERS.map((one) => (
                    <Menu.RadioItem key={one} value={one} className={ui.item} closeOnClick>
                      <span className={ui.itemText}>{texts.orders[one]}</span>
                      <Menu.RadioItemIndicator className={ui.itemCheck}>
                        <Check aria-hidden="true" />
                      </Menu.RadioItemIndicator>
                    </Menu.RadioItem>
                  ))}
                </Menu.RadioGroup>
              </Menu.Group>
              <Menu.Separator className={ui.separator} />
              <Menu.Item className={ui.item} onClick={() => setIsOpen(true)}>
                <CalendarDays aria-hidden="true" /> {jumpToDate}
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Layer>
      </Menu.Root>
      <Suspense>{isOpen && <JumpInList onDay={onDay} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}
