import { App, type AppProps, Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { TsudoiProps } from './props.ts';
import { Tsudoi } from './tsudoi.ts';

/** How AWS CDK behaves in new projects, as far as it matters here. */
const CONTEXT = {
  '@aws-cdk/aws-iam:minimizePolicies': true,
  '@aws-cdk/core:enablePartitionLiterals': true,
  '@aws-cdk/core:checkSecretUsage': true,
  '@aws-cdk/aws-ecs:arnFormatIncludesClusterName': true,
  '@aws-cdk/aws-ecs:disableExplicitDeploymentControllerForCircuitBreaker': true,
  '@aws-cdk/aws-ecs:enableImdsBlockingDeprecatedFeature': false,
};

/**
 * The app with one stack. Its account and region are left open, so that making the template needs neither: with them
 * the network would ask AWS for its zones. cdk-nag checks it; the synthesis fails if it finds anything.
 */
export function createStack(
  name: string,
  settings: TsudoiProps,
  props: AppProps = {},
): { readonly app: App; readonly stack: Stack; readonly tsudoi: Tsudoi } {
  const app = new App({ context: CONTEXT, analyticsReporting: false, ...props });
  const stack = new Stack(app, name, { description: 'Tsudoi, a chat backend' });
  const tsudoi = new Tsudoi(stack, 'Tsudoi', settings);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { app, stack, tsudoi };
}
