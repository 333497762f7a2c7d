import { CROWD, REPLYING } from './actions.ts';
import type { DeliverySystem, Person } from './deliverySystem.ts';

/** People who act in bursts. What others do is not sent to them. */
export async function createCrowd(system: DeliverySystem): Promise<readonly Person[]> {
  const crowd: Person[] = [];
  for (let i = 0; i < CROWD; i++) crowd.push(await system.create(`P${i}`));
  for (const { id } of crowd.slice(0, REPLYING)) {
    await system.settings.change(id, { kinds: new Map([['REPLY', { mode: 'OFF' }]]) });
  }
  return crowd;
}
