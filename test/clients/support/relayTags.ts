import type { Plugin } from 'vitest/config';

/**
 * What babel-plugin-relay does in a project with Relay: each tag becomes the artifact that relay-compiler made of it.
 */
export const relayTags = (): Plugin => ({
  name: 'relay-tags',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/recipes/relay.ts')) return null;
    const imports: string[] = [];
    const replaced = code.replace(/graphql`\s*\w+ (\w+)[^`]*`/g, (_, name: string) => {
      const artifact = `${name}Artifact`;
      imports.push(`import ${artifact} from './__generated__/${name}.graphql.ts';\n`);
      return artifact;
    });
    return { code: imports.join('') + replaced, map: null };
  },
});
