#!/usr/bin/env node
/**
 * `tsudoi COMMAND`: the server and its commands, in a checkout and in the image. `npm start` and the other npm scripts
 * call it. This file is written for old versions of Node, which could not read the rest.
 */
const LEAST = [20, 19];

const version = process.versions.node.split('.').map(Number);
const tooOld = version[0] < LEAST[0] || (version[0] === LEAST[0] && version[1] < LEAST[1]);
if (tooOld) {
  process.stderr.write(`Tsudoi needs Node ${LEAST.join('.')} or newer. This is ${process.versions.node}.\n`);
  process.exit(1);
} else {
  import('./commands.js')
    .then(({ run }) => run(process.argv.slice(2)))
    .catch((error) => {
      process.stderr.write(`${error.stack}\n`);
      process.exit(1);
    });
}
