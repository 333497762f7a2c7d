import { repliesCounter } from '../messages/counters.ts';
import { badgesCounter, notificationsCounter } from '../notifications/counters.ts';
import { likesCounter } from '../reactions/likes/counters.ts';
import { stampsCounter } from '../reactions/stamps/counters.ts';
import { positionsCounter } from '../roomEvents/counters.ts';
import { membershipsCounter, seatsCounter } from '../rooms/counters.ts';
import type { Counter } from '../verify/counter.ts';

/** All numbers that the table stores about itself. A feature that counts has its line here. */
export const counters: readonly Counter[] = [
  seatsCounter,
  membershipsCounter,
  positionsCounter,
  repliesCounter,
  likesCounter,
  stampsCounter,
  notificationsCounter,
  badgesCounter,
];
