import type { Shape } from '../dynamo/shape.ts';
import { longBodies } from '../messages/longBodies/shape.ts';

/** The difference between the shape before and that of this release. */
export const SHAPE: Shape = longBodies;
