/** Fills both storages of the page to the last character. The result: how many are full. */
export const FILL = `[localStorage, sessionStorage].filter((storage) => {
  let isFull = false;
  for (let size = 2 ** 22, i = 0; size >= 1; i++) {
    try {
      storage.setItem('full ' + i, 'x'.repeat(size));
    } catch {
      isFull = true;
      size = Math.floor(size / 2);
    }
  }
  return isFull;
}).length`;
