/**
 * Lets Node import TypeScript as `tsc` compiles it. tsx, in contrast, defines the name of every function when it is
 * created, which costs 256 bytes for each closure and as much CPU as the closure itself.
 */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// Node loads the hooks below in a thread of their own.
if (isMainThread) register(import.meta.url);

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { default: typescript } = await import('typescript');
  const { ModuleKind, ScriptTarget } = typescript;
  const compilerOptions = {
    target: ScriptTarget.ES2023,
    module: ModuleKind.ESNext,
    verbatimModuleSyntax: true,
  };
  const source = await readFile(fileURLToPath(url), 'utf8');
  const { outputText } = typescript.transpileModule(source, { compilerOptions });
  return { format: 'module', shortCircuit: true, source: outputText };
}
