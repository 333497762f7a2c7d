import { repliesCounter } from '../messages/message.ts';
import { badgesCounter, notificationsCounter } from '../notifications/counters.ts';
import { REACTIONS } from '../reactions/registry.ts';
import { positionsCounter } from '../roomEvents/counters.ts';
import { membershipsCounter, seatsCounter } from '../rooms/counters.ts';
import type { Counter } from '../verify/counter.ts';

/** All numbers that the table stores about itself. A feature that counts has its line here. */
export const counters: readonly Counter[] = [
  seatsCounter,
  membershipsCounter,
  positionsCounter,
  repliesCounter,
  ...REACTIONS.map(({ counter }) => counter),
  notificationsCounter,
  badgesCounter,
];
