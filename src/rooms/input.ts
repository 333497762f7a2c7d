/** The arguments with which rooms are written. */
import { text, wholeNumber } from '../graphql/validation.ts';

export const NAME_MAX = 80;
export const TOPIC_MAX = 250;
export const CAPACITY_MAX = 1_000_000;

export const nameField = text({ characters: NAME_MAX, name: true });
export const topicField = text({ characters: TOPIC_MAX, blank: true, name: true });
export const capacityField = wholeNumber(1, CAPACITY_MAX);
