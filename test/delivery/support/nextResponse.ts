import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Resolves when this process has the head of a response to a request that it has sent. */
export const nextResponse = (): Promise<void> =>
  new Promise((resolve) => {
    const name = 'http.client.response.finish';
    const heard = () => {
      unsubscribe(name, heard);
      resolve();
    };
    subscribe(name, heard);
  });
