/** A promise that resolves when `letGo` is called. */
export function held() {
  let letGo = () => {};
  const promise = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { promise, letGo: () => letGo() };
}
