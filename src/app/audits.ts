import { positionsAudit } from '../events/audit.ts';
import { likesAudit } from '../likes/audit.ts';
import { repliesAudit } from '../messages/audit.ts';
import { badgesAudit, notificationsAudit } from '../notifications/audit.ts';
import type { Audit } from '../repair/audit.ts';
import { membershipsAudit, seatsAudit } from '../rooms/audit.ts';
import { stampsAudit } from '../stamps/audit.ts';

/** All numbers that the table keeps of itself; a feature that counts has its line here. */
export const audits: readonly Audit[] = [
  seatsAudit,
  membershipsAudit,
  positionsAudit,
  repliesAudit,
  likesAudit,
  stampsAudit,
  notificationsAudit,
  badgesAudit,
];
