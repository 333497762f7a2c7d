#!/usr/bin/env node
/**
 * `tsudoi COMMAND`: the server and its commands, in a checkout and in the image. `npm start` and the other npm scripts
 * call it. This file is written for old versions of Node, which could not read the rest.
 */
const version = process.versions.node.split('.').map(Number);
const major = version[0];
const minor = version[1];
const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
if (!fits) {
  process.stderr.write(`Tsudoi needs Node 20.19, or 22.12 or newer. This is ${process.versions.node}.\n`);
  process.exit(1);
} else {
  import('./commands.js')
    .then(({ run }) => run(process.argv.slice(2)))
    .catch((error) => {
      process.stderr.write(`${error.stack}\n`);
      process.exit(1);
    });
}
