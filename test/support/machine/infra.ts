import { infraIsInstalled } from '../../../scripts/infra.ts';
import { isHere } from './needs.ts';

/** Whether the tests of infra/ can run. Its packages are apart, because only a deployment to AWS needs them. */
export const infraPackages = (): boolean =>
  isHere('folder infra/node_modules (npm ci --prefix infra)', infraIsInstalled());
