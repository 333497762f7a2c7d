import { repliesAudit } from '../messages/audit.ts';
import { badgesAudit, notificationsAudit } from '../notifications/audit.ts';
import { likesAudit } from '../reactions/likes/audit.ts';
import { stampsAudit } from '../reactions/stamps/audit.ts';
import { positionsAudit } from '../roomEvents/audit.ts';
import { membershipsAudit, seatsAudit } from '../rooms/audit.ts';
import type { Audit } from '../verify/audit.ts';

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
